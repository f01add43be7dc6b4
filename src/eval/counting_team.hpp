// Ranks that count the same rules, each a part of the work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/eval/counting_options.hpp"
#include "src/eval/rule_counter.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// Rules of a batch, half open.
struct RuleRange {
  std::size_t begin = 0, end = 0;
  std::size_t size() const noexcept { return end - begin; }
};

/// The members of a team as one of them sees it. With `rows` each counts all rules on the shard()
/// of its table, with `rules` each counts its share of the rules on all rows. What they count adds
/// up to the counts of one rank alone, number by number.
class CountingTeam {
 public:
  /// The message of a member if the device of another has failed.
  static constexpr const char* other_failed = "the device of another rank of the team has failed";

  /// @param members  must outlive it
  CountingTeam(Communicator& members, TeamSplit split) : members_(members), split_(split) {}

  Communicator& members() const noexcept { return members_; }
  /// Blocking; collective in the team. A member that failed says so, and all learn of it.
  /// @param numbers  each of them is overwritten by the sum over the members
  /// @param failed  this member's numbers are not there
  /// @throws Error of status unavailable on all members, if one has failed
  void add_up(std::vector<std::uint64_t>& numbers, bool failed) const;
  bool splits_rows() const noexcept { return split_ == TeamSplit::rows; }
  /// The rules that this member counts, of so many.
  RuleRange share(std::size_t rules) const noexcept;

 private:
  Communicator& members_;
  TeamSplit split_;
};

/// The numbers of a batch's counts one behind the other, as they are added up.
/// @param share   whose counts are there; those of the others are zeros
/// @param counts  [rules] with those of the share
/// @param numbers  overwritten
void counts_to_numbers(std::span<const Rule> rules, const RuleRange& share,
                       std::span<const RuleCounts> counts, const CountingOptions& options,
                       std::vector<std::uint64_t>& numbers);
/// The reverse. @param counts  [rules] overwritten
void numbers_to_counts(std::span<const Rule> rules, std::span<const std::uint64_t> numbers,
                       const CountingOptions& options, std::span<RuleCounts> counts);

}  // namespace atl
