#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "src/core/random.hpp"
#include "src/sampling/rule_grower.hpp"

namespace atl {

/// Covering: begins with the empty list and adds a rule at the end, the best of a few grown, for as
/// long as one gains something (Fürnkranz 1999, separate and conquer). Rules for a place are grown
/// in one batch, that other coverings may share.
class ListCovering {
 public:
  /// Rules grown for each place at once.
  static constexpr std::uint32_t attempts = 12;
  /// Batches in all of which no rule gained anything, until it ends.
  static constexpr std::uint32_t most_failures = 4;
  /// Slots of draws that a covering takes.
  static constexpr std::uint32_t slots(std::size_t most_rules) noexcept {
    return (static_cast<std::uint32_t>(most_rules) + most_failures) * attempts;
  }

  /// @param sample, settings  must outlive it
  /// @param part  whose rows count
  /// @param pure  of the rules: what one takes, those that come later cannot get right
  /// @param drawn  in [0, 1), draws the default class by the weight of its rows; nothing: the one
  ///               that has most
  ListCovering(const ClassSample& sample, const GrowthSettings& settings, std::size_t most_rules,
               const Part& part, bool pure, std::optional<double> drawn);

  bool done() const noexcept { return done_; }
  /// @param tasks  takes `attempts` more, for the next place. They refer to its rules
  /// @param key  of the draws for all places of this covering, which take slots() from this one
  ///             on. @pre not done()
  void ask(std::vector<GrowthTask>& tasks, DrawKey key) const;
  /// @param grown  [attempts] by the tasks
  void take(std::span<std::optional<Grown>> grown);
  /// A list of each number of rules on the way, the empty one first.
  std::vector<SampledList>& lists() noexcept { return lists_; }

 private:
  /// Rows of a class that are left, all or those that a rule covers or does not.
  template <typename Word>
  std::uint64_t count(std::uint32_t label, const Word& word) const;
  /// Weight of the rows that the list puts in the right class, with one more rule or without.
  double correct(const SampledRule* more) const;

  const ClassSample& sample_;
  const GrowthSettings& settings_;
  std::vector<double> weights_;  // [classes] of a row of the sample
  std::size_t most_rules_;
  Part part_;
  bool pure_;
  std::vector<SampledList> lists_;
  std::vector<std::uint64_t> left_;   // [words] that no rule covers
  std::vector<std::uint64_t> right_;  // [classes] rows that rules classify right
  std::uint32_t failures_ = 0;
  bool done_ = false;
};

}  // namespace atl
