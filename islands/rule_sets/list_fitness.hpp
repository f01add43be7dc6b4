// Judges a list by its counts, and makes it simpler by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "islands/rule_sets/sampled_list.hpp"
#include "src/eval/device.hpp"
#include "src/measures/class_weights.hpp"

namespace atl {

/// Room of a batch of lists that are scored together: about so many counts, of rules by classes, of
/// which a scorer takes some tens of bytes each.
class BatchRoom {
 public:
  explicit BatchRoom(std::uint32_t classes) : left_(most_counts / classes) {}

  /// Takes a list in if it has room for it, or is empty.
  bool take(std::size_t rules) noexcept {
    if (rules >= left_ && !empty_) return false;
    empty_ = false;
    left_ -= rules < left_ ? rules + 1 : left_;
    return true;
  }

 private:
  static constexpr std::size_t most_counts = std::size_t{1} << 19;
  std::size_t left_;  // rules
  bool empty_ = true;
};

/// Scores lists on every fold of the rows at once. For one thread at a time.
class FoldScorer {
 public:
  /// @param rows  whose windows are the folds
  FoldScorer(Resident& resident, const ClassifiedRows& rows);

  /// Does not wait for the device.
  void start(std::span<const RuleSet> lists);
  /// Blocks until the counts are there.
  /// @param out  [lists] overwritten
  void read(std::vector<DecidedRows>& out);

 private:
  std::vector<std::unique_ptr<RuleSetScorer>> scorers_;  // [folds]
  std::vector<std::size_t> rules_;                       // [lists] that were started
};

/// What lists are for.
enum class ListGoal : std::uint8_t {
  classes,        ///< to say the right class of as many rows as possible
  probabilities,  ///< to tell how likely each class is
};

/// Settings by which lists of an experiment are judged.
struct ListJudge {
  ListGoal goal = ListGoal::classes;
  std::uint32_t folds = 1;      ///< of the rows that lists are scored on
  std::vector<double> weights;  ///< [classes] of a row of each
  /// [prices][classes] weight that a comparison costs in a rule that says it.
  std::vector<std::vector<double>> costs;

  std::uint32_t classes() const noexcept { return static_cast<std::uint32_t>(weights.size()); }
};

/// The cost of a comparison in a rule that says each class: so many rows of average weight, or of
/// the class where those weigh more, but of its rows no more than a share.
/// @return [classes]
std::vector<double> comparison_costs(std::span<const double> weights,
                                     std::span<const std::uint64_t> class_rows, double rows,
                                     double most_share);

/// The part of the rows that a population learns from, at a price: all folds, or all but one that
/// it is tested on.
struct Part {
  std::optional<std::uint32_t> without = {};
  std::uint32_t price = 0;  ///< of comparisons
  bool has(std::uint32_t fold) const noexcept { return fold != without; }
};

/// Rows of all folds that each rule decides. @return [rules + 1][classes]
std::vector<std::uint64_t> decided_by_class(const SampledList& list, const ListJudge& judge);

/// Weight of the rows of a part that the list gets right, and of all of them.
struct Correct {
  double right = 0, all = 0;
};
Correct correct_of(const SampledList& list, const ListJudge& judge, const Part& part);

/// Sums, over rows by their weights, of a row's figure and of its square: by the goal 1 if its
/// class is said and else 0, or the logarithm of the probability that its class is told to have.
struct RowSums {
  double sum = 0, squares = 0, weight = 0;

  void add(double figure, double its_weight) noexcept {
    sum += its_weight * figure;
    squares += its_weight * figure * figure;
    weight += its_weight;
  }
  RowSums& operator+=(const RowSums& more) noexcept {
    sum += more.sum;
    squares += more.squares;
    weight += more.weight;
    return *this;
  }
  double mean() const noexcept { return sum / weight; }
  double variance() const noexcept;
};
/// Sums over the rows that a list has been learnt from, or over those of the fold that it has not
/// seen; probabilities are those of the former, smoothed by ten rows.
RowSums seen_sums(const SampledList& list, const ListJudge& judge, const Part& part);
RowSums unseen_sums(const SampledList& list, const ListJudge& judge, const Part& part);

/// Settles a list on the rows of a part. It leaves out rules that decide no row. It gives each rule
/// and the default the class that weighs most among the rows that it decides, its own if that is
/// one of these. It leaves out rules at the end that say what the default says, unless they are to
/// tell probabilities. It sets what is known of the list. Its counts stay true.
void settle(SampledList& list, const ListJudge& judge, const Part& part);

}  // namespace atl
