// Grows rules for a place in a decision list, on the rows that come there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "islands/rule_sets/sampled_list.hpp"
#include "src/core/random.hpp"
#include "src/sampling/class_sample.hpp"
#include "src/sampling/literal_counts.hpp"

namespace atl {

struct GrowthSettings {
  double comparison_cost = 0;        ///< weight of rows that a comparison has to gain
  std::size_t most_comparisons = 8;  ///< of a rule
  double least_rows = 1;             ///< of its class that it has to gain; rows of the sample
};

/// Of a list with a gap, what a rule in the gap gains: the weight of the rows of its class that it
/// covers and the rules behind it get wrong, less the weight of those of other classes that they
/// get right. So a rule is grown against the rows that reach it and what happens to them without
/// it. For one thread at a time.
class RuleGrower {
 public:
  /// @param weights  [classes] of a row of each class in the table
  RuleGrower(const ClassSample& sample, std::vector<double> weights,
             const GrowthSettings& settings);

  /// Looks at a gap of a list, in a window of the sample.
  /// @param list  without the rule that is to be replaced
  /// @param position  rules of the list that come before the gap
  /// @param rows  [words of the sample] those that count
  void look_at(std::span<const SharedRule> list, std::uint32_t default_class, std::size_t position,
               const std::uint64_t* rows, const SampleWindow& window);
  /// Draws a class by the weight of its rows that reach the gap and are classified wrong. Nothing
  /// if there is no such row.
  std::optional<std::uint32_t> draw_label(RandomStream& stream);
  /// Adds comparisons to a conjunction, one at a time, each the best by a criterion that is drawn
  /// among the literals of drawn attributes, for as long as rows are covered that cost. Of the
  /// conjunctions on the way the one that gains most stays, and of it the comparisons without which
  /// it would gain less.
  /// @param start  what to begin with; may be empty
  /// @return a canonical antecedent that gains something; else nothing
  std::optional<Expression> grow(std::uint32_t label, std::vector<Comparison> start,
                                 RandomStream& stream);

 private:
  /// Weights of the rows that are gained and lost.
  struct Balance {
    double gained = 0, lost = 0;
  };
  /// How literals are compared.
  enum class Criterion : std::uint8_t { gain, information, chi_squared, precision };
  static constexpr std::uint64_t criteria = 4;
  /// What is drawn for one growth.
  struct Way {
    Criterion criterion = Criterion::gain;
    double prior_rows = 1;  // of precision (m-estimate, Cestnik 1990)
    double attributes = 1;  // share of them that are looked at for a comparison
  };
  struct Step {
    Comparison comparison;
    Balance balance;
    double score = 0;
  };

  void make_runs(std::uint32_t label);
  Balance balance_of(const std::uint32_t* counts) const;
  Balance current();
  std::optional<Step> best_step(const Balance& now, const Way& way, RandomStream& stream);
  void look_at_attribute(std::uint32_t attribute, const Balance& now, const Way& way,
                         std::optional<Step>& best);
  /// Rows of each run on which each literal of an attribute holds, and behind them those with a
  /// value. @return [literals + 1][runs]
  std::span<const std::uint32_t> count(std::uint32_t attribute);
  void list_positions();
  static double score(const Balance& in, const Balance& now, const Way& way);
  double net(const Balance& balance, std::size_t comparisons) const noexcept {
    return balance.gained - balance.lost -
           settings_.comparison_cost * static_cast<double>(comparisons);
  }
  /// Leaves in mask_ the rows that matter on which all of them hold.
  Balance narrow(std::span<const Comparison> conjunction);
  double prune(std::vector<Comparison>& conjunction);

  const ClassSample& sample_;
  std::vector<double> weights_;  // [classes] of a row of each class in a window of the sample
  GrowthSettings settings_;
  const SampleWindow* window_ = nullptr;
  std::vector<std::uint64_t> reach_;    // [words] rows that come to the gap
  std::vector<std::uint64_t> correct_;  // [words] of those, which the rest gets right
  std::vector<std::uint64_t> left_;     // [words] scratch
  std::vector<std::uint64_t> mask_;     // [words] rows that matter for a label
  std::vector<WordRun> runs_;           // of words of equal weight
  std::vector<double> run_weights_;     // [runs] negative: what is lost
  std::uint32_t label_ = 0;
  RunMask run_mask_;
  std::vector<std::uint32_t> positions_;      // of the rows in mask_, by run
  std::vector<std::size_t> position_begins_;  // [runs + 1]
  std::vector<std::uint32_t> counts_;
};

/// The conjunction with one more comparison: ranges of an attribute are intersected.
/// @return false if nothing would be left
bool add(std::vector<Comparison>& conjunction, const Comparison& comparison,
         std::span<const Attribute> attributes);

}  // namespace atl
