#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace atl {

/// Runs indexed tasks on `threads` threads, the one that waits included: a pool of 1 has no thread
/// of its own and works inside wait(). Jobs are taken up in the order of submission; within a job
/// tasks may run in any order and on any thread. submit and wait are called from one thread, and
/// from tasks: what a task waits for may not use the scratch memory that the task uses.
class ThreadPool {
 public:
  using Ticket = std::uint64_t;

  /// @pre threads >= 1
  /// @throws Error of status io_error if the system does not allow so many
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();  ///< finishes what was submitted
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned threads() const noexcept;

  /// Runs task(index, worker) for index in [0, count). The worker's number is below threads() and
  /// can index scratch memory: two tasks never run at once with the same number, except that a task
  /// which calls wait() runs others inside it. Returns at once.
  Ticket submit(std::size_t count, std::function<void(std::size_t index, unsigned worker)> task);

  /// Works until the job of the ticket is done. If other threads have its last tasks, the caller
  /// works on later jobs meanwhile; a task that waits works only on the job that it waits for. Each
  /// ticket is waited for once.
  /// @throws what the task of the lowest failing index threw
  void wait(Ticket ticket);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// CPUs in this process's affinity mask, at least 1.
unsigned available_cpus() noexcept;

}  // namespace atl
