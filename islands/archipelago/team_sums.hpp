// Numbers of islands, added up over the ranks that work on the same islands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "src/core/reducer.hpp"

namespace atl {

/// All members of a team have the same islands at the same generations, and each has counted a
/// part. In each generation every island hands its numbers in once. They are added up for a few
/// neighbouring islands at a time, in an order that all members know: by generation, then by group
/// of islands, whichever island is first to be there. So the members' sums always belong together.
///
/// Nobody waits in a circle. The sum of a generation g and a group needs its islands to have
/// counted in g. An island gets there once its sum of g - 1 is done, and the islands that it takes
/// from have sent after g - 1, or earlier; these need sums of g - 1, and of no later one. Of all
/// sums that are not done the first one, by (g, group), therefore needs none that is not done. The
/// thread that adds up has no island, and an island that waits holds no thread, so whatever can go
/// on does. That all go on to the same generation is agreed before (Looks).
class TeamSums {
 public:
  /// @param reducer  of the team's members, must outlive it
  /// @param islands  of the team
  /// @param rules  that each of them counts in a generation, or more
  TeamSums(Reducer& reducer, std::size_t islands, std::size_t rules);

  /// @param told  which island's sums are there, on the thread that polls
  /// @param calls  that thread, when there is something to add up; on an island's
  void tell(std::function<void(std::size_t island)> told, std::function<void()> calls) {
    told_ = std::move(told);
    calls_ = std::move(calls);
  }
  /// From an island's thread, which must not touch the island again.
  /// @param numbers  overwritten by the sums. As many on every member
  void hand_in(std::size_t island, std::span<std::uint64_t> numbers);
  /// For the thread that may call the reducer; waits for nobody. @throws as the reducer
  void poll();
  /// Is a sum on its way, or about to be?
  bool busy() const;

 private:
  std::size_t end_of_group() const;
  bool group_is_there() const;
  void begin();
  void end(std::span<const std::uint64_t> sums);

  Reducer& reducer_;
  const std::size_t group_size_;
  std::function<void(std::size_t)> told_ = [](std::size_t) {};
  std::function<void()> calls_ = [] {};
  mutable std::mutex mutex_;
  std::vector<std::optional<std::span<std::uint64_t>>> handed_in_;  // [island]
  std::size_t group_ = 0;  // the first island of the group whose sum is next, or on its way
  bool on_its_way_ = false;
};

}  // namespace atl
