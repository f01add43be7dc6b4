// Tells how far a round of a task is, and how long it may still take, and shows it.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace atl {

/// Shows how far work is on standard error: on a terminal in place, else a plain line every 10 s.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();  ///< clears the line
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const std::string& line);

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point last_;
};

struct SecondsLeft {
  double least, most;
};

/// Estimates the time left from how much was done when. How long the rest takes is not known: below
/// an item of a search, say, there may be any number of sets. If the rest goes on as the last half
/// of the time did, that is the least; if the work gets slower as it has until now, that is the
/// most.
class WorkProgress {
 public:
  /// Work before this job does not count. @param amount  left when it began  @param unit  "items"
  WorkProgress(std::uint64_t amount, std::string unit) : amount_(amount), unit_(std::move(unit)) {}

  /// @param seconds  of this job, not before those of the last call
  void note(double seconds, std::uint64_t amount_left);

  /// None as long as too little is done to tell.
  std::optional<SecondsLeft> seconds_left() const;
  /// "31 of 47 items done, 12 s, 9 s to 25 s left"
  std::string line() const;

 private:
  std::uint64_t amount_;
  std::string unit_;
  std::deque<std::pair<double, std::uint64_t>> done_;  // when, how much was; ascending
};

}  // namespace atl
