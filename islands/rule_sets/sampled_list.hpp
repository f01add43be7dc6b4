// Individuals: decision lists, with what is known of them on all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "islands/rule_sets/decided_rows.hpp"
#include "src/core/random.hpp"
#include "src/rules/rule_set.hpp"
#include "src/sampling/rule_grower.hpp"

namespace atl {

/// A decision list of a population.
struct SampledList {
  std::vector<SharedRule> rules;
  std::uint32_t default_class = 0;
  DecidedRows decided;  ///< of all rows; empty until it is scored
  double fitness = 0;   ///< without what its comparisons and rules cost
  std::size_t comparisons = 0;

  RuleSet list() const;
};

/// Greater fitness, then fewer comparisons, then by the lists' order.
bool better(const SampledList& a, const SampledList& b);

/// The best list of a front with at most so many rules; null if there is none.
/// @param front  [most rules + 1]
const SampledList* fittest_of(std::span<const std::optional<SampledList>> front, std::size_t rules);

/// A population of lists, of which the best of each number of rules stay: it holds the front of
/// size against error all the time, and neither long nor short lists crowd out the others.
class SizeNiches {
 public:
  /// @param most_rules  of a list
  /// @param room  lists of each number of rules
  SizeNiches(std::size_t most_rules, std::size_t room);

  /// Takes it in if its niche has room or holds a worse one; none that is as fit as another there.
  /// @return its place among all, or nothing
  std::optional<std::size_t> offer(SampledList list);
  /// Draws a number of rules of which some list is fitter than all shorter ones, then the better of
  /// two lists that have it. Longer lists that are no fitter have no children, however much room
  /// they have.
  /// @pre not empty
  const SampledList& pick(RandomStream& stream) const;
  bool empty() const noexcept { return size() == 0; }
  std::size_t size() const noexcept;
  std::size_t most_rules() const noexcept { return niches_.size() - 1; }
  /// Best first. @param rules  at most most_rules()
  const std::vector<SampledList>& of_size(std::size_t rules) const { return niches_[rules]; }
  /// All lists by number of rules, then best first.
  std::vector<const SampledList*> all() const;

 private:
  std::vector<std::vector<SampledList>> niches_;
  std::size_t room_;
};

}  // namespace atl
