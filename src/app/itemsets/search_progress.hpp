// How far a search is, and how long it may still take.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace atl {

struct SecondsLeft {
  double least, most;
};

/// Nobody knows how many sets there are below an item before they are found. What is known is how
/// many items of the outermost loop are done, and when they were. If each of the others takes as
/// long as those of the last half of the time did, that is the least; if items get slower as they
/// have until now, that is the most.
class SearchProgress {
 public:
  /// Searches before this job do not count. @param items  that were left when it began
  explicit SearchProgress(std::uint64_t items) : items_(items) {}

  /// @param seconds  of this job, not before those of the last call
  void note(double seconds, std::uint64_t items_left);

  /// None as long as too little is done to tell.
  std::optional<SecondsLeft> seconds_left() const;
  /// "31 of 47 items done, 12 s, 9 s to 25 s left"
  std::string line() const;

 private:
  std::uint64_t items_;
  std::deque<std::pair<double, std::uint64_t>> done_;  // when, items done; ascending
};

}  // namespace atl
