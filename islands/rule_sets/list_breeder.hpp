// Makes decision lists of decision lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "src/core/random.hpp"
#include "src/sampling/rule_grower.hpp"

namespace atl {

/// A child on its way.
struct Draft {
  SampledList list;
  std::size_t position = 0;              ///< of a rule that is to be grown
  bool replaces = false;                 ///< the rule that is there now
  bool widens = false;                   ///< the rule that is there, by one more alternative
  std::optional<std::size_t> task = {};  ///< that grows it, its number; nothing: the list is made
};

// Tasks refer to rules of drafts, which may be moved.
static_assert(std::is_nothrow_move_constructible_v<Draft>);

/// Breeds for one population at a time. For one thread at a time.
class ListBreeder {
 public:
  /// @param most_alternatives  conjunctions that a rule joins by OR; at least 1
  /// @param goal  for probabilities half of the rules are grown on all rows, whatever the rest says
  ListBreeder(const ClassSample& sample, const GrowthSettings& settings, std::size_t most_rules,
              std::size_t most_alternatives, ListGoal goal);

  const GrowthSettings& settings() const noexcept { return settings_; }

  /// A child of one list or two by one drawn operator. Nothing if it could make none.
  /// @param part  of the population
  /// @param tasks  takes one more if a rule is to be grown. It refers to the rules of the draft,
  ///               which may be moved but not changed before the rule is grown
  std::optional<Draft> draft(const SizeNiches& population, const Part& part, RandomStream& stream,
                             std::vector<GrowthTask>& tasks);
  /// Puts the rule that was grown into the list, and leaves out the rules without which the fewest
  /// rows of the sample are lost until there are no more than there may be.
  /// @param grown  of the draft's task
  /// @return false if there is none
  bool finish(Draft& draft, const Part& part, std::optional<Grown>& grown);

 private:
  using Rules = std::vector<SharedRule>;

  bool widen(Draft& child, GrowthTask& task, RandomStream& stream);
  bool refit(Draft& child, GrowthTask& task, RandomStream& stream);
  bool insert(Draft& child, RandomStream& stream);
  bool erase(SampledList& child, RandomStream& stream);
  bool move(SampledList& child, RandomStream& stream);
  bool change_bound(SampledList& child, RandomStream& stream);
  bool cross(SampledList& child, const SampledList& other, RandomStream& stream);
  bool cross_within(SampledList& child, const SampledList& other, RandomStream& stream);
  /// @param conjunctions  joined by OR; at least one
  SharedRule rule_of(const std::vector<std::vector<Comparison>>& conjunctions,
                     std::uint32_t label) const;
  void shorten(SampledList& child, const std::uint64_t* rows);
  /// [rules][classes] rows of the sample that the list gets right without each of its rules.
  std::vector<std::uint64_t> right_without(const SampledList& list,
                                           const std::uint64_t* rows) const;

  const ClassSample& sample_;
  GrowthSettings settings_;
  std::size_t most_rules_;
  std::size_t most_alternatives_;
  ListGoal goal_;
  std::vector<double> weights_;  // [classes] of a row of the sample
};

/// [words] rows of the sample that are not in a fold, or all.
inline const std::uint64_t* rows_of_part(const ClassSample& sample, const Part& part) noexcept {
  return part.without ? sample.rows_without(*part.without) : sample.rows();
}

/// [classes] of a row of each class of the sample.
/// @param weights  [classes] of a row in the table
std::vector<double> sample_weights(const ClassSample& sample, std::vector<double> weights);

}  // namespace atl
