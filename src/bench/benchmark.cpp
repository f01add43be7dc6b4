#include "src/bench/benchmark.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "src/bench/benchmarks.hpp"
#include "src/bench/table.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

/// @pre the benchmark has it
const Axis& axis_of(const Benchmark& benchmark, std::string_view option) {
  return *std::find_if(benchmark.axes.begin(), benchmark.axes.end(),
                       [&](const Axis& axis) { return axis.option == option; });
}

bool has_axis(const Benchmark& benchmark, std::string_view option) {
  return std::any_of(benchmark.axes.begin(), benchmark.axes.end(),
                     [&](const Axis& axis) { return axis.option == option; });
}

[[noreturn]] void refuse(std::string_view option, const std::string& text,
                         const std::string& expected) {
  throw UsageError(fmt::format("{}: '{}', expected {}", option, printable(text), expected));
}

void expect_known_options(const BenchState& state) {
  for (const auto& [option, text] : state.given) {
    if (has_axis(state.benchmark, option)) continue;
    std::vector<const char*> owners;
    for (const Benchmark& other : benchmarks()) {
      if (has_axis(other, option)) owners.push_back(other.name);
    }
    if (owners.size() == 1) throw UsageError(option + " is for bench " + owners[0]);
    throw UsageError(
        fmt::format("{}: bench {} {}", option, state.benchmark.name, state.benchmark.refuses));
  }
}

void describe_machine(const Record& record, const Report& report) {
  std::string text = fmt::format("{}, {}; {}", record["backend"].get<std::string>(),
                                 counted(record["threads"].get<unsigned>(), "thread"),
                                 record["machine"].get<std::string>());
  if (const Record* const core = figure_of(record, "core.instruction_set")) {
    text += ", " + core->get<std::string>();
  }
  report(Severity::info, text);
  if (!record.contains("device")) return;
  const auto rate = [&](const char* key) { return record["device"][key].get<double>() * 1e-12; };
  report(
      Severity::info,
      fmt::format("{:.3g} GHz, 10^12 a second: {:.3g} words combined, {:.3g} counted; bytes: "
                  "{:.3g} shared memory, {:.3g} second-level cache, {:.3g} memory",
                  rate("clock_hz") * 1e3, rate("logic_words_per_s"), rate("popcount_words_per_s"),
                  rate("shared_bytes_per_s"), rate("l2_bytes_per_s"), rate("memory_bytes_per_s")));
}

}  // namespace

bool BenchState::has(std::string_view option) const {
  return has_axis(benchmark, option);
}

std::uint64_t BenchState::number(std::string_view option) const {
  const Axis& axis = axis_of(benchmark, option);
  const auto found = given.find(axis.option);
  if (found == given.end()) {
    return static_cast<std::uint64_t>(
        *parse_number(axis.standard.substr(0, axis.standard.find(','))));
  }
  const auto [lowest, highest] = std::get<WholeNumber>(axis.takes);
  const std::string& text = found->second;
  const bool digits = text.find_first_not_of("0123456789") == text.npos;
  const std::optional<double> value = digits ? parse_number(text) : std::nullopt;
  if (value && *value >= static_cast<double>(lowest) && *value <= static_cast<double>(highest)) {
    return static_cast<std::uint64_t>(*value);
  }
  throw UsageError(fmt::format("{}: '{}' is no whole number from {} to {}", option, printable(text),
                               lowest, highest));
}

std::uint32_t BenchState::small_number(std::string_view option) const {
  return static_cast<std::uint32_t>(number(option));
}

double BenchState::fraction(std::string_view option) const {
  const Axis& axis = axis_of(benchmark, option);
  const auto found = given.find(axis.option);
  const std::string& text = found == given.end() ? axis.standard : found->second;
  const double most = std::get<Fraction>(axis.takes).most;
  const std::optional<double> value = parse_number(text);
  if (value && *value >= 0 && *value <= most) return *value;
  refuse(option, text, "a number from 0 to " + format_number(most));
}

std::optional<std::size_t> BenchState::name(std::string_view option) const {
  const Axis& axis = axis_of(benchmark, option);
  const auto& names = std::get<OneOf>(axis.takes);
  const auto text = given.find(axis.option);
  if (text == given.end()) return std::nullopt;
  const auto found = std::find(names.begin(), names.end(), text->second);
  if (found == names.end()) refuse(option, text->second, any_of_names(names));
  return static_cast<std::size_t>(found - names.begin());
}

void run_benchmark(BenchState state, bool json,
                   const std::function<void(const std::string&)>& write) {
  expect_known_options(state);
  const std::vector<Table> tables = state.benchmark.tables(state.machine);
  std::vector<Record> records;
  std::string described;  // backend that the machine was told for
  bool begun = false;
  state.add = [&](Record record) {
    records.push_back(std::move(record));
    if (json) return;
    const Record& added = records.back();
    if (added.contains("machine") && added.contains("backend") &&
        described != added["backend"].get<std::string>()) {
      described = added["backend"].get<std::string>();
      describe_machine(added, state.report);
    }
    const std::string lines = lines_of(tables.front(), {&added, 1});
    if (!lines.empty() && !std::exchange(begun, true)) write(head_of(tables.front()));
    write(lines);
  };
  state.benchmark.run(state);
  if (state.communicator.rank() != 0) return;
  if (json) {
    write(json_of(records));
    return;
  }
  for (std::size_t t = 1; t < tables.size(); ++t) write(text_of(tables[t], records));
}

}  // namespace atl
