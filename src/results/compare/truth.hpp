// Judges a run by the truth: the rules that an exhaustive search says there are, not the planted
// ones (src/generate/truth.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/eval/device.hpp"
#include "src/measures/measures.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/results/compare/run_reach.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// The fate of a rule in a run: the first of these that holds.
enum class Fate : std::uint8_t {
  found,       ///< written, this very rule
  equivalent,  ///< one that covers the same rows is written, or its reversal, no worse
  out_of_run,  ///< the settings of the run do not allow it (RunReach)
  redundant,   ///< a more general rule has at least its confidence and leverage, or it repeats one
  idle,        ///< a part of it is idle (climber.hpp), which lists with exact bounds leave out
  alike,       ///< the list has one no worse that it is like, by the run's max_similarity
  off_list,    ///< the list is full of better ones
  missed,
};
/// The name of a fate in files.
std::string_view to_string(Fate fate) noexcept;

/// One of the rules that an exhaustive search found, and what the run has of it.
struct TrueRule {
  Rule rule;
  ContingencyTable table;
  double value = 0;       ///< of the run's measure
  std::size_t place = 0;  ///< among those that say something of their own, from 1; else 0
  Fate fate = Fate::missed;
  std::string_view limit;  ///< of out_of_run
  /// Index of the written rule that stands for it: the same, the like, or, where there is none, the
  /// best that is more general, or the most similar.
  std::optional<std::size_t> written;
  bool more_general = false;  ///< is the written one?
};

/// The parts of a run that its rules are judged by. All must outlive the call.
struct RunJudged {
  const Experiment& experiment;
  std::span<const RuleRecord> written;  ///< in order, rules of kind definition behind the others
  const RunReach& reach;
  const Definitions& definitions;
  Measure measure;  ///< that orders the list
};

/// Judges rules by what a run has written. Blocking.
/// @param rules  [n] each once, with the counts of the resident's rows
/// @return [n] by measure, greatest first, then in the rules' order
std::vector<TrueRule> judge_true_rules(std::span<const RuleRecord> rules, const RunJudged& run,
                                       Resident& resident);

/// Counts what was found of the best.
struct Recall {
  std::size_t rules = 0;           ///< places looked at
  std::vector<std::size_t> fates;  ///< [Fate] rules of each
  double value_found = 0;          ///< sums of the measure
  double value_missed = 0;

  std::size_t of(Fate fate) const { return fates[static_cast<std::size_t>(fate)]; }
  std::size_t found() const { return of(Fate::found) + of(Fate::equivalent); }
  std::size_t missed() const { return of(Fate::missed); }
  /// Share of those that the list could hold; NaN if it could hold none.
  double share() const;
  double share_of_value() const;
};
/// @param places  the first so many; those without a place do not count
Recall recall_of(std::span<const TrueRule> rules, std::size_t places);

}  // namespace atl
