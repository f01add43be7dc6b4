// Where the wall time of a process goes: named phases, one within another.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace atl {

/// What a process has spent. Processor seconds are those of all its threads; 0: nobody knows them.
struct Spent {
  double wall = 0;
  double processor = 0;
};

/// A phase, however often it was entered.
struct PhaseTime {
  std::string name;
  std::size_t depth = 0;    ///< phases that it is within
  std::uint64_t times = 0;  ///< entered
  Spent spent;              ///< with the phases within it
  std::uint64_t bytes = 0;  ///< read, copied or written, where a phase tells
  std::uint64_t peak = 0;   ///< most bytes of memory of the process so far, when it ended last
};

/// Adds up what phases take. They follow and hold each other, on one thread: that which made the
/// time line. On any other thread nothing is noted.
class TimeLine {
 public:
  TimeLine();

  bool asked = false;  ///< is it to be printed when the process ends

  /// @param since  when it began
  void enter(std::string_view name, const Spent& since = spent());
  void leave();
  void add_bytes(std::uint64_t bytes);
  /// Adds wall seconds, which somebody else has measured, to a phase within the open one.
  void add(std::string_view name, double wall);

  /// Since the process began.
  static Spent spent();
  /// All phases in the order in which they were first entered, those within one behind it. Phases
  /// that are not over count until now.
  std::vector<PhaseTime> phases() const;

 private:
  struct Node {
    std::string name;
    std::size_t parent = 0;
    std::vector<std::size_t> children = {};
    std::uint64_t times = 0;
    Spent spent = {};
    std::uint64_t bytes = 0;
    std::uint64_t peak = 0;
  };
  struct Open {
    std::size_t node;
    Spent since;
  };
  std::size_t child(std::string_view name);
  bool is_own_thread() const noexcept { return std::this_thread::get_id() == thread_; }
  void list(std::size_t node, std::size_t depth, std::vector<PhaseTime>& phases) const;

  std::thread::id thread_ = std::this_thread::get_id();
  std::vector<Node> nodes_;  // the first is the whole
  std::vector<Open> open_;
};

/// The time line of the process. One serves all, as clocks do, because no result depends on it.
/// The thread that begins the work is to be the first to call this.
TimeLine& time_line();

/// A phase of the process, until it goes out of scope.
class TimedPhase {
 public:
  explicit TimedPhase(std::string_view name) { time_line().enter(name); }
  ~TimedPhase() { time_line().leave(); }
  TimedPhase(const TimedPhase&) = delete;
  TimedPhase& operator=(const TimedPhase&) = delete;
};

/// Returns what the action returns.
template <typename Action>
decltype(auto) in_phase(std::string_view name, Action&& action) {
  const TimedPhase phase(name);
  return action();
}

/// A table of phases, at most 80 columns wide: wall seconds, their share of the whole, processor
/// seconds, the processors that were busy in the mean, MB read, copied or written, and the most MB
/// of memory until then.
/// @param whole  that of the process
std::string timings_table(const std::vector<PhaseTime>& phases, const Spent& whole);

}  // namespace atl
