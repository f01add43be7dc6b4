#include "io/results/overlap_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/results/csv_line.hpp"
#include "io/results/json_text.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/core/text/text_table.hpp"
#include "src/measures/measures.hpp"

namespace atl::io {
namespace {

constexpr std::size_t most_alone = 10;  // rules of one run alone, for people

std::string decimal(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

std::size_t shared(const OverlappingRun& run, Shared how) {
  const auto end = run.counterparts.begin() + static_cast<std::ptrdiff_t>(run.lines);
  return static_cast<std::size_t>(
      std::count_if(run.counterparts.begin(), end,
                    [&](const Counterpart& counterpart) { return counterpart.shared == how; }));
}

/// NaN where no line has a value.
double best_of(const OverlappingRun& run) {
  double best = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < run.lines; ++i) {
    if (std::isnan(best) || run.values[i] > best) best = run.values[i];
  }
  return best;
}

struct OverlapField {
  const char* name;
  std::string text;
  bool is_text = false;
};

std::vector<OverlapField> fields_of(const OverlapReport& report, std::size_t run,
                                    std::size_t rule) {
  const OverlappingRun& own = report.runs[run];
  const OverlappingRun& other = report.runs[1 - run];
  const Counterpart& counterpart = own.counterparts[rule];
  const WrittenRule* const its = counterpart.other ? &other.rules[*counterpart.other] : nullptr;
  return {{"run", own.name, true},
          {"id", std::to_string(own.rules[rule].id)},
          {"rule", own.rules[rule].text, true},
          {"value", format_number(own.values[rule])},
          {"shared", std::string(to_string(counterpart.shared)), true},
          {"other_id", its == nullptr ? "" : std::to_string(its->id)},
          {"other_rule", its == nullptr ? "" : its->text, true},
          {"other_value", its == nullptr ? "" : format_number(other.values[*counterpart.other])},
          {"jaccard", counterpart.jaccard ? format_number(*counterpart.jaccard) : ""}};
}

std::string overlap_field_json(const OverlapField& field) {
  const bool infinite = field.text == "inf" || field.text == "-inf";
  const std::string value = field.text.empty()          ? "null"
                            : field.is_text || infinite ? json_quote(field.text)
                                                        : field.text;
  return json_quote(field.name) + ": " + value;
}

/// @param visit  called with the run and the rule of each that is compared
template <typename Visit>
void for_each_compared(const OverlapReport& report, const Visit& visit) {
  for (std::size_t run = 0; run < 2; ++run) {
    for (std::size_t rule = 0; rule < report.runs[run].lines; ++rule) visit(run, rule);
  }
}

std::string figures_and_counts(const OverlapReport& report) {
  std::vector<std::vector<std::string>> rows = {{"by " + std::string(info(report.measure).name)}};
  for (const OverlappingRun& run : report.runs) rows[0].push_back(printable(run.name, 30));
  const auto add = [&](const std::string& name, const auto& cell) {
    rows.push_back({name, cell(report.runs[0]), cell(report.runs[1])});
  };
  const auto add_shared = [&](const std::string& name, Shared how) {
    add(name, [how](const auto& run) { return std::to_string(shared(run, how)); });
  };
  add("rules", [](const auto& run) { return std::to_string(run.lines); });
  add("best", [](const auto& run) { return decimal(best_of(run)); });
  if (report.runs[0].figure) {
    add("figure of merit", [](const auto& run) { return decimal(run.figure.value_or(0)); });
  }
  add_shared("the other run has the rule", Shared::rule);
  if (!report.data.empty()) add_shared("has one of the same rows", Shared::rows);
  add_shared("has one that is alike", Shared::alike);
  add_shared("has none of these", Shared::none);
  return text_table(rows, {CellSide::left, CellSide::right, CellSide::right}, 0);
}

std::string alone(const OverlapReport& report, std::size_t run) {
  const OverlappingRun& own = report.runs[run];
  std::string text;
  std::size_t all = 0;
  for (std::size_t i = 0; i < own.lines; ++i) {
    const Counterpart& counterpart = own.counterparts[i];
    if (counterpart.shared != Shared::none || ++all > most_alone) continue;
    if (all == 1) {
      text += fmt::format("\n{:>6}  {:>9}  only in {}\n", "id", info(report.measure).name,
                          printable(own.name));
    }
    text += fmt::format("{:>6}  {:>9}  {}\n", own.rules[i].id, decimal(own.values[i]),
                        printable(own.rules[i].text, std::string::npos));
    if (!counterpart.other || counterpart.jaccard.value_or(0) == 0) continue;
    const OverlappingRun& other = report.runs[1 - run];
    text += fmt::format(
        "{:>6}  {:>9}  most similar: {} (Jaccard {:.2f})\n", other.rules[*counterpart.other].id,
        decimal(other.values[*counterpart.other]),
        printable(other.rules[*counterpart.other].text, std::string::npos), *counterpart.jaccard);
  }
  if (all > most_alone) {
    text += fmt::format("and {} more: --format csv has them\n", all - most_alone);
  }
  return text;
}

}  // namespace

std::string overlap_table(const OverlapReport& report) {
  return figures_and_counts(report) + alone(report, 0) + alone(report, 1);
}

std::string overlap_csv(const OverlapReport& report) {
  std::string out;
  const std::vector<std::string> names = {
      "run", "id", "rule", "value", "shared", "other_id", "other_rule", "other_value", "jaccard"};
  append_csv_line(out, names);
  for_each_compared(report, [&](std::size_t run, std::size_t rule) {
    std::vector<std::string> cells;
    for (OverlapField& field : fields_of(report, run, rule)) cells.push_back(std::move(field.text));
    append_csv_line(out, cells);
  });
  return out;
}

std::string overlap_json(const OverlapReport& report) {
  const std::string runs = json_join(report.runs, [](const OverlappingRun& run) {
    std::string text = "{\"run\": " + json_quote(run.name) +
                       ", \"rules\": " + std::to_string(run.lines) +
                       ", \"best\": " + json_number(best_of(run)) +
                       ", \"figure_of_merit\": " + (run.figure ? json_number(*run.figure) : "null");
    for (const Shared how : {Shared::rule, Shared::rows, Shared::alike, Shared::none}) {
      text +=
          ", " + json_quote(std::string(to_string(how))) + ": " + std::to_string(shared(run, how));
    }
    return text + "}";
  });
  std::string rules;
  for_each_compared(report, [&](std::size_t run, std::size_t rule) {
    rules += rules.empty() ? "\n" : ",\n";
    rules += "{" + json_join(fields_of(report, run, rule), overlap_field_json) + "}";
  });
  return "{\"measure\": " + json_quote(std::string(info(report.measure).name)) +
         ", \"data\": " + (report.data.empty() ? "null" : json_quote(report.data)) +
         ",\n\"runs\": [" + runs + "],\n\"rules\": [" + rules + (rules.empty() ? "]}\n" : "\n]}\n");
}

}  // namespace atl::io
