// Makes decision lists of decision lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "islands/rule_sets/rule_grower.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "islands/rule_sets/size_niches.hpp"
#include "src/core/random.hpp"

namespace atl {

/// Breeds for one population at a time. For one thread at a time.
class ListBreeder {
 public:
  /// @param weights  [classes] of a row of each class in the table
  ListBreeder(const ClassSample& sample, std::vector<double> weights,
              const GrowthSettings& settings, std::size_t most_rules);

  /// Covering: begins with the empty list and adds a rule at the end, the best of a few grown, for
  /// as long as one gains something (Fürnkranz 1999, separate and conquer).
  /// @param rows  [words of the sample] of the population
  /// @return a list of each number of rules on the way, the empty one first
  std::vector<SampledList> cover(const std::uint64_t* rows, RandomStream& stream);

  /// A child of one list or two by one drawn operator. Nothing if it could make none.
  std::optional<SampledList> breed(const SizeNiches& population, const std::uint64_t* rows,
                                   RandomStream& stream);

 private:
  using Rules = std::vector<SharedRule>;

  const SampleWindow& draw_window(RandomStream& stream) const;
  bool refit(SampledList& child, const std::uint64_t* rows, RandomStream& stream);
  bool insert(SampledList& child, const std::uint64_t* rows, RandomStream& stream);
  bool erase(SampledList& child, RandomStream& stream);
  bool move(SampledList& child, RandomStream& stream);
  bool change_bound(SampledList& child, RandomStream& stream);
  bool cross(SampledList& child, const SampledList& other, RandomStream& stream);
  bool cross_within(SampledList& child, const SampledList& other, RandomStream& stream);
  SharedRule rule_of(Expression antecedent, std::uint32_t label) const;
  /// Leaves out the rules without which the fewest rows of the sample are lost, until there are no
  /// more than there may be.
  void shorten(SampledList& child, const std::uint64_t* rows);
  double correct(std::span<const SharedRule> rules, std::size_t without,
                 std::uint32_t default_class, const std::uint64_t* rows);

  const ClassSample& sample_;
  std::vector<double> weights_;  // [classes] of a row of the sample
  std::size_t most_rules_;
  std::size_t most_comparisons_;
  RuleGrower grower_;
  std::vector<std::uint64_t> left_;  // [words] scratch
};

}  // namespace atl
