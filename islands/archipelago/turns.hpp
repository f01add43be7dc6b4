// Which island of a rank a thread works on next.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "src/core/thread_pool.hpp"

namespace atl {

/// What an island wants after a turn: another; one once it is woken; none.
enum class TurnEnd { again, sleeps, over };

/// Has islands take turns on the threads of a pool. Of those that want one, an island that can go
/// on without blocking comes first: where there are several, the one that others wait for, or has
/// waited longest. Else the one that has waited longest does: its thread blocks for it. A thread
/// that finds none leaves, so that it is free for what the others hand to the pool.
class Turns {
 public:
  /// @param pool   outlives it
  /// @param ready  of an island that wants a turn: can it go on without blocking? Cheap
  /// @param turn   one at a time for each island
  /// @param before  of two that want a turn: do others wait for the first rather than the second?
  ///               Empty: nobody does
  Turns(ThreadPool& pool, std::size_t islands, std::function<bool(std::size_t)> ready,
        std::function<TurnEnd(std::size_t)> turn,
        std::function<bool(std::size_t, std::size_t)> before = {});

  /// All islands want a turn at first; returns once none wants another. Blocks.
  /// @throws what the first turn that failed threw, once all threads have left
  void run();

  // From any thread:

  /// From inside a turn, before it asks for what will wake the island: that may come at once. Such
  /// a turn ends with TurnEnd::sleeps, or with stay_awake() goes on.
  void fall_asleep();
  void stay_awake();
  void wake(std::size_t island);
  void end();              ///< no island gets another turn
  bool any_works() const;  ///< is a thread in a turn, or about to be?

 private:
  std::optional<std::size_t> next();
  std::deque<std::size_t>::iterator first_ready();
  void take_turns();
  void add_workers(std::size_t count);

  ThreadPool& pool_;
  std::function<bool(std::size_t)> ready_;
  std::function<TurnEnd(std::size_t)> turn_;
  std::function<bool(std::size_t, std::size_t)> before_;
  const std::size_t most_workers_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> waiting_;         // islands that want a turn
  std::deque<ThreadPool::Ticket> tickets_;  // of the pool's jobs, which run() waits for
  std::size_t asleep_ = 0;
  std::size_t workers_ = 0;  // threads that take turns, or will
  bool ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace atl
