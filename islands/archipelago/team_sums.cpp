#include "islands/archipelago/team_sums.hpp"

#include <algorithm>
#include <utility>

namespace atl {
namespace {

/// While one group is added up, the islands of others breed and count.
constexpr std::size_t fewest_groups = 4;
/// Rules in a sum, beyond which larger groups would only wait for more islands.
constexpr std::size_t enough_rules = 2048;

constexpr std::size_t divided(std::size_t what, std::size_t by) {
  return (what + by - 1) / by;
}

}  // namespace

TeamSums::TeamSums(Reducer& reducer, std::size_t islands, std::size_t rules)
    : reducer_(reducer),
      group_size_(std::min(divided(islands, fewest_groups), divided(enough_rules, rules))),
      handed_in_(islands) {}

std::size_t TeamSums::end_of_group() const {
  return std::min(group_ + group_size_, handed_in_.size());
}

bool TeamSums::group_is_there() const {
  for (std::size_t island = group_; island < end_of_group(); ++island) {
    if (!handed_in_[island]) return false;
  }
  return true;
}

bool TeamSums::busy() const {
  const std::scoped_lock lock(mutex_);
  return on_its_way_ || group_is_there();
}

void TeamSums::hand_in(std::size_t island, std::span<std::uint64_t> numbers) {
  {
    const std::scoped_lock lock(mutex_);
    handed_in_[island] = numbers;
    if (on_its_way_ || !group_is_there()) return;
  }
  calls_();
}

void TeamSums::poll() {
  if (on_its_way_) {
    const auto sums = reducer_.poll();
    if (!sums) return;
    end(*sums);
  }
  begin();
}

void TeamSums::begin() {
  std::vector<std::uint64_t> all;
  {
    const std::scoped_lock lock(mutex_);
    if (!group_is_there()) return;
    for (std::size_t island = group_; island < end_of_group(); ++island) {
      all.insert(all.end(), handed_in_[island]->begin(), handed_in_[island]->end());
    }
    on_its_way_ = true;
  }
  reducer_.begin(std::move(all));
}

void TeamSums::end(std::span<const std::uint64_t> sums) {
  std::size_t first = 0, last = 0;
  {
    const std::scoped_lock lock(mutex_);
    first = group_;
    last = end_of_group();
    for (std::size_t island = first; island < last; ++island) {
      const auto numbers = *std::exchange(handed_in_[island], std::nullopt);
      std::copy_n(sums.begin(), numbers.size(), numbers.begin());
      sums = sums.subspan(numbers.size());
    }
    group_ = last == handed_in_.size() ? 0 : last;
    on_its_way_ = false;
  }
  for (std::size_t island = first; island < last; ++island) told_(island);
}

}  // namespace atl
