#include "src/config/search_kind.hpp"

#include <algorithm>
#include <iterator>

#include "src/config/experiment.hpp"
#include "src/config/require.hpp"
#include "src/core/text/shell_word.hpp"

namespace atl {
namespace {

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

void validate_rules(const Experiment& experiment) {
  require("--max-length", experiment.max_length, 2U, most_rule_comparisons);
  require("--migrants", experiment.migrants, 0U, experiment.population - 1);
  require("--max-similarity", experiment.max_similarity, 0.0, 1.0);
  require("--min-support", experiment.min_support.share, 0.0, 1.0);
  require("--min-confidence", experiment.min_confidence, 0.0, 1.0);
  require("--top", experiment.top, 1U, 1'000'000U);
  require("--repeat", static_cast<std::uint32_t>(experiment.repeat), 0U, 1000U);
  if (experiment.maximize.empty()) throw UsageError("--maximize names no measure");
  for (auto name = experiment.maximize.begin(); name != experiment.maximize.end(); ++name) {
    if (std::find(std::next(name), experiment.maximize.end(), *name) != experiment.maximize.end()) {
      throw UsageError("--maximize names '" + printable(*name) + "' twice");
    }
  }
  require("--significance", experiment.significance, 0.0, 1.0);
  if (experiment.significance > 0 && experiment.holdout.none()) {
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

/// The rows of all islands, each once.
std::vector<std::string> maximized(const Experiment& experiment) {
  std::vector<std::string> names = experiment.maximize;
  for (const IslandSettings& settings : experiment.island_settings) {
    if (!settings.maximize) continue;
    for (const std::string& name : *settings.maximize) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

void validate_lists(const Experiment& experiment) {
  require("--max-length", experiment.max_length, 1U, most_rule_comparisons);
  require("--migrants", experiment.migrants, 0U, most_individuals);
}

std::vector<std::string> accuracy(const Experiment& experiment) {
  const double balance = experiment.settings.at("balance");
  return {balance == 0 ? "accuracy" : balance == 1 ? "balanced_accuracy" : "weighted_accuracy"};
}

}  // namespace

constinit const SearchKind rule_kind{.results = "rules",
                                     .does = "mines rules",
                                     .run_does = "mines rules and learns no classes; print them",
                                     .its_results = "its rules",
                                     .print_command = "atoll rules",
                                     .begin_command = "atoll mine",
                                     .target_option = "--target",
                                     .single_rules = true,
                                     .transactions = true,
                                     .teams = true,
                                     .validate = validate_rules,
                                     .steered_by = maximized};

constinit const SearchKind list_kind{
    .results = "lists",
    .does = "learns decision lists",
    .run_does = "learns a decision list and mines no rules; print it",
    .its_results = "its list",
    .print_command = "atoll classify rules",
    .begin_command = "atoll classify train",
    .target_option = "--class",
    .classifies = true,
    .validate = validate_lists,
    .steered_by = accuracy};

std::string how_to_print(const SearchKind& kind, const std::string& run) {
  return std::string(kind.print_command) + " " + shell_word(run);
}

void expect_kind(const SearchKind& wanted, const Experiment& experiment, const std::string& run) {
  const SearchKind& kind = experiment.kind();
  if (&kind == &wanted) return;
  throw UsageError(printable(run) + " " + std::string(kind.run_does) + ": " +
                   how_to_print(kind, run));
}

}  // namespace atl
