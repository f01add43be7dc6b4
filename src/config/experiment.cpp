#include "src/config/experiment.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>
#include <string>

#include "src/core/error.hpp"
#include "src/core/text/number.hpp"

namespace atl {

namespace {

std::string plain(double value) {
  return plain_number(value);
}

template <typename Number>
std::string plain(Number value) {
  return std::to_string(value);
}

template <typename Number>
void require(const char* option, Number value, Number lowest, Number highest) {
  if (value >= lowest && value <= highest) return;
  throw UsageError(std::string(option) + " is " + plain(value) + ", expected " + plain(lowest) +
                   " to " + plain(highest));
}

void require_room(std::uint64_t islands, const std::string& option, std::uint64_t individuals) {
  if (islands * individuals <= most_individuals) return;
  throw UsageError("--islands " + plain(islands) + " times " + option + " " + plain(individuals) +
                   " is " + plain(islands * individuals) + " individuals, expected at most " +
                   plain(most_individuals));
}

void require_bins(const char* option, std::uint32_t bins) {
  if (bins == 1) throw UsageError(std::string(option) + " is 1, expected 0 (exact) or 2 and more");
}

void validate_island_settings(const Experiment& experiment) {
  for (const IslandSettings& settings : experiment.island_settings) {
    const std::string where = "island_settings of " + settings.islands.to_string() + ": ";
    if (settings.islands.last >= experiment.islands) {
      throw UsageError(where + "there are " + plain(experiment.islands) +
                       " islands, numbered from 0");
    }
  }
  if (experiment.island_settings.empty()) return;
  // Each boundary between settings has an experiment of its own, grammar included.
  const std::size_t copies = 2 * experiment.island_settings.size() + 1;
  constexpr std::size_t most_settings = 4096, most_grammar_bytes = std::size_t{1} << 28;
  std::size_t longest = experiment.grammar.size();
  for (const IslandSettings& settings : experiment.island_settings) {
    if (settings.grammar) longest = std::max(longest, settings.grammar->size());
  }
  if (experiment.island_settings.size() > most_settings || longest > most_grammar_bytes / copies) {
    throw UsageError("island_settings: at most " + plain(std::uint64_t{most_settings}) +
                     " of them, with grammars of 256 MiB in all");
  }
  for (const auto& [first, its] : experiment.by_island()) {
    const std::string where = "island_settings, of island " + plain(first) + ": ";
    try {
      its.validate();
    } catch (const UsageError& error) {
      throw UsageError(where + error.what());
    }
    // One archive holds the rules of all, and one pass over the rows counts them.
    if (its.aim.numeric_target() != experiment.aim.numeric_target()) {
      throw UsageError(where + "a statistic of a number is the target of all islands or of none");
    }
  }
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

/// What rules have beside what lists have, too.
void validate_rules(const Experiment& experiment) {
  require("--max-similarity", experiment.max_similarity, 0.0, 1.0);
  require("--min-support", experiment.min_support.share, 0.0, 1.0);
  require("--min-confidence", experiment.min_confidence, 0.0, 1.0);
  require("--top", experiment.top, 1U, 1'000'000U);
  if (experiment.maximize.empty()) throw UsageError("--maximize names no measure");
  for (auto name = experiment.maximize.begin(); name != experiment.maximize.end(); ++name) {
    if (std::find(std::next(name), experiment.maximize.end(), *name) != experiment.maximize.end()) {
      throw UsageError("--maximize names '" + printable(*name) + "' twice");
    }
  }
  require("--significance", experiment.significance, 0.0, 1.0);
  if (experiment.significance > 0 && experiment.holdout == 0) {
    throw UsageError("--significance needs --holdout, rows to test the rules on");
  }
  if (const auto target = experiment.aim.numeric_target()) {
    const auto bins = experiment.attribute_bins.find(target->attribute);
    if (bins != experiment.attribute_bins.end() && bins->second != 0)
      throw UsageError("--max-bins cuts the target '" + printable(target->attribute) +
                       "' into bins, its statistics need every value");
  }
  if (experiment.aim.concludes_mean()) {
    if (!experiment.algorithm->traits.means) {
      throw UsageError("--preset " + std::string(experiment.algorithm->name) +
                       " cannot search for a statistic of a number; choose another preset");
    }
    if (experiment.min_confidence > 0)
      throw UsageError("--min-confidence says nothing of a mean, which has no confidence");
  }
  if (experiment.aim.require.size() > experiment.max_length) {
    throw UsageError("--require names " + plain(std::uint64_t{experiment.aim.require.size()}) +
                     " attributes, --max-length allows " + plain(experiment.max_length) +
                     " comparisons");
  }
  validate_island_settings(experiment);
}

}  // namespace

void Experiment::validate() const {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max() - 1;
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
  require("--generations", generations, 0U, most);
  require("--time-limit", time_limit, 0.0, 1e9);
  require("--max-length", max_length, algorithm->traits.classifies ? 1U : 2U,
          most_rule_comparisons);
  require("--migrants", migrants, 0U,
          algorithm->traits.classifies ? most_individuals : population - 1);
  require("--holdout", holdout, 0.0, 0.9);
  require_bins("--max-bins", max_bins);
  for (const auto& [name, bins] : attribute_bins) {
    require_bins(("--max-bins of " + printable(name)).c_str(), bins);
  }
  aim.validate();
  validate_topology(*this);
  if (!algorithm->traits.classifies) validate_rules(*this);
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
  if (algorithm->traits.classifies) {
    const double balance = settings.at("balance");
    return {balance == 0 ? "accuracy" : balance == 1 ? "balanced_accuracy" : "weighted_accuracy"};
  }
  std::vector<std::string> names = maximize;
  for (const IslandSettings& settings : island_settings) {
    if (!settings.maximize) continue;
    for (const std::string& name : *settings.maximize) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
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

double Experiment::max_consequent() const noexcept {
  return settings.find(max_consequent_key.name).value_or(1);
}

std::uint64_t Experiment::held_beside_population() const {
  std::uint64_t held = 0;
  for (const AlgorithmKey& key : algorithm->keys) {
    if (key.kind == KeyKind::individuals) held += static_cast<std::uint64_t>(settings.at(key.name));
  }
  return held;
}

Hash128 Experiment::hash() const {
  Hasher hasher;
  hasher.update_text(to_toml(*this));
  return hasher.digest();
}

}  // namespace atl
