#include "src/config/experiment.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>

#include "src/config/require.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

void require_room(std::uint64_t islands, const std::string& option, std::uint64_t individuals) {
  if (islands * individuals <= most_individuals) return;
  throw UsageError("--islands " + plain(islands) + " times " + option + " " + plain(individuals) +
                   " is " + plain(islands * individuals) + " individuals, expected at most " +
                   plain(most_individuals));
}

void require_bins(const char* option, std::uint32_t bins) {
  if (bins == 1) throw UsageError(std::string(option) + " is 1, expected 0 (exact) or 2 and more");
}

void validate_topology(const Experiment& experiment) {
  const auto choice = [&] {
    try {
      return parse_topology(experiment.topology);
    } catch (const UsageError& error) {
      throw UsageError(std::string("--topology is ") + error.what());
    }
  }();
  if (choice.kind == TopologyKind::random && choice.sources >= experiment.islands) {
    throw UsageError("--topology " + experiment.topology + " needs more than " +
                     plain(choice.sources) + " islands, there are " + plain(experiment.islands));
  }
  if ((choice.kind == TopologyKind::edges) != !experiment.edges.empty()) {
    throw UsageError("--topology: \"edges\", and no other, goes with a list of edges");
  }
  const auto& edges = experiment.edges;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const std::string text =
        "--topology: the edge from island " + plain(edge.from) + " to " + plain(edge.to);
    if (i > 0 && edge <= edges[i - 1]) throw UsageError(text + " is there twice");
    if (edge.from == edge.to) throw UsageError(text + " is to itself");
    if (std::max(edge.from, edge.to) >= experiment.islands) {
      throw UsageError(text + " needs more than the " + plain(experiment.islands) +
                       " islands that there are; they are numbered from 0");
    }
  }
}

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

template <typename Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer value = 0;
  if (!is_digits(text)) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

/// A number or a percentage. The decimal point of a percentage is moved in the text, so that 0.7%
/// is the same double as 0.007.
std::optional<double> number_or_percentage(std::string_view text) {
  if (text.empty() || text.back() != '%') return parse_number(text);
  const std::string digits(text.substr(0, text.size() - 1));
  if (digits.find_first_of("eE") != std::string::npos) return std::nullopt;
  return parse_number(digits + "e-2");
}

UsageError bad_quantity(std::string_view text, const std::string& expected) {
  return UsageError("'" + printable(std::string(text)) + "' is no " + expected);
}

}  // namespace

void Experiment::validate() const {
  assert(algorithm != nullptr);
  require("--seed", seed, std::uint64_t{0},
          std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  require("--islands", islands, 1U, (1U << 24) - 1);  // DrawKey::island
  require("--population", population, 4U, most_individuals);
  require_room(islands, "--population", population);
  for (const AlgorithmKey& key : algorithm->keys) {
    if (key.kind != KeyKind::individuals) continue;
    require_room(islands, key.option(), static_cast<std::uint64_t>(settings.at(key.name)));
  }
  require("--generations", generations, 0U, endless_generations);
  require("--time-limit", time_limit, 0.0, 1e9);
  require("--holdout", holdout.share, 0.0, 0.9);
  if (!holdout.file.empty()) {
    throw UsageError("--holdout: " + in_quotes(holdout.file) +
                     " is no share, no condition and no list of rows");
  }
  require_bins("--max-bins", max_bins);
  for (const auto& [name, bins] : attribute_bins) {
    require_bins(("--max-bins of " + printable(name)).c_str(), bins);
  }
  aim.validate();
  validate_topology(*this);
  kind().validate(*this);
}

IslandRange IslandRange::parse(std::string_view text) {
  const auto whole = [](std::string_view part) {
    std::optional<std::uint32_t> number(0);
    const auto read = std::from_chars(part.data(), part.data() + part.size(), *number);
    if (read.ec != std::errc() || read.ptr != part.data() + part.size()) number.reset();
    return number;
  };
  const std::size_t dash = text.find('-');
  const auto first = whole(text.substr(0, dash));
  const auto last = dash == text.npos ? first : whole(text.substr(dash + 1));
  if (first && last && *first <= *last) return {*first, *last};
  throw UsageError("'" + printable(std::string(text)) +
                   "' is no island or range of islands, such as \"3\" or \"4-7\"");
}

std::string IslandRange::to_string() const {
  std::string text = plain(first);
  if (first != last) text.append("-").append(plain(last));
  return text;
}

std::map<std::uint32_t, Experiment> Experiment::by_island() const {
  Experiment usual = *this;
  usual.island_settings.clear();
  std::map<std::uint32_t, Experiment> found = {{0, usual}};
  for (const IslandSettings& settings : island_settings) {
    found.emplace(settings.islands.first, usual);
    if (settings.islands.last + 1 < islands) found.emplace(settings.islands.last + 1, usual);
  }
  const auto set = [](auto& value, const auto& other) {
    if (other) value = *other;
  };
  for (auto& [island, its] : found) {
    for (const IslandSettings& settings : island_settings) {
      if (!settings.islands.holds(island)) continue;
      set(its.maximize, settings.maximize);
      set(its.grammar, settings.grammar);
      set(its.aim.target, settings.target);
      set(its.aim.antecedent, settings.antecedent);
      set(its.aim.consequent, settings.consequent);
      set(its.aim.require, settings.require);
      set(its.aim.exclude, settings.exclude);
      its.settings.replace_by(settings.settings);
    }
  }
  return found;
}

std::vector<std::string> Experiment::all_maximized() const {
  return kind().steered_by(*this);
}

void Experiment::set(std::string_view key, double value) {
  const AlgorithmKey* const found = algorithm->find(key);
  assert(found != nullptr);
  try {
    settings.set(*found, value);
  } catch (const UsageError& error) {
    throw UsageError(found->option() + " " + error.what());
  }
}

std::string Experiment::of_generations(std::string_view before) const {
  return generations == endless_generations ? "" : std::string(before) + plain(generations);
}

Experiment Experiment::repeated(std::uint32_t number) const {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();  // of TOML
  Experiment its = *this;
  its.seed = seed <= most - number ? seed + number : number - 1 - (most - seed);
  its.repeat = Repeats::none;
  if (holdout.share > 0) its.rows_seed = seed_of_rows();
  return its;
}

double Experiment::max_consequent() const noexcept {
  return settings.find(max_consequent_key.name).value_or(1);
}

Hash128 Experiment::hash() const {
  Hasher hasher;
  hasher.update_text(to_toml(*this));
  return hasher.digest();
}

double parse_share(std::string_view text) {
  const auto value = number_or_percentage(text);
  if (!value || *value < 0 || *value > 1) {
    throw bad_quantity(text, "share from 0 to 1, such as 0.9 or 90%");
  }
  return *value;
}

SupportThreshold SupportThreshold::parse(std::string_view text) {
  constexpr std::string_view unit = "rows";
  SupportThreshold threshold;
  if (text.ends_with(unit)) {
    threshold.rows = whole_number<std::uint64_t>(text.substr(0, text.size() - unit.size()));
    if (!threshold.rows || *threshold.rows == 0) {
      throw bad_quantity(text, "number of rows, such as 500rows");
    }
    return threshold;
  }
  if (is_digits(text) && text != "0" && text != "1") {
    throw UsageError("'" + printable(std::string(text)) + "' could mean a share or rows: write " +
                     printable(std::string(text)) + "% or " + printable(std::string(text)) +
                     "rows");
  }
  const auto share = number_or_percentage(text);
  if (!share || *share < 0 || *share > 1) {
    throw bad_quantity(text, "support, such as 0.01, 1% or 500rows");
  }
  threshold.share = *share;
  return threshold;
}

std::string SupportThreshold::to_string() const {
  return rows ? std::to_string(*rows) + "rows" : format_number(share);
}

std::uint64_t SupportThreshold::minimum_count(std::uint64_t n) const {
  if (rows) return *rows;
  const auto total = static_cast<double>(n);
  const auto enough = [&](std::uint64_t count) {
    return static_cast<double>(count) / total >= share;
  };
  auto count = static_cast<std::uint64_t>(std::floor(share * total));
  while (count < n && !enough(count)) ++count;
  while (count > 1 && enough(count - 1)) --count;
  return std::max<std::uint64_t>(count, 1);
}

double parse_duration(std::string_view text) {
  const auto bad = [&] {
    return bad_quantity(text, "duration of at most 10000d, such as 90s, 15m or 1h30m");
  };
  constexpr double longest = 10000 * 86400.0;
  double seconds = 0;
  if (is_digits(text)) {
    const auto value = parse_number(text);
    if (!value || *value > longest) throw bad();
    return *value;
  }
  std::string_view left = text;
  if (left.empty()) throw bad();
  while (!left.empty()) {
    const std::size_t digits = left.find_first_not_of("0123456789.");
    if (digits == std::string_view::npos) throw bad();
    const auto value = parse_number(left.substr(0, digits));
    const std::size_t unit = std::string_view("smhd").find(left[digits]);
    if (!value || unit == std::string_view::npos) throw bad();
    constexpr double unit_seconds[] = {1, 60, 3600, 86400};
    seconds += *value * unit_seconds[unit];
    left.remove_prefix(digits + 1);
  }
  if (seconds > longest) throw bad();
  return seconds;
}

CheckpointInterval CheckpointInterval::parse(std::string_view text) {
  CheckpointInterval interval;
  if (is_digits(text)) {
    const auto generations = whole_number<std::uint32_t>(text);
    if (!generations || *generations == 0) {
      throw bad_quantity(text, "number of generations from 1 on");
    }
    interval.generations = *generations;
  } else {
    interval.seconds = parse_duration(text);
  }
  return interval;
}

std::string CheckpointInterval::to_string() const {
  if (generations != 0) return std::to_string(generations);
  // The number is written without an exponent, which no duration has.
  std::array<char, 400> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
  return std::string(text.data(), end.ptr) + "s";
}

}  // namespace atl
