#include "src/core/thread_pool.hpp"

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "src/core/cpus.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

struct Job {
  ThreadPool::Ticket ticket = 0;
  std::size_t count = 0;
  std::function<void(std::size_t, unsigned)> task;
  std::size_t next = 0;  // first index not yet taken
  std::size_t done = 0;
  std::size_t failed = std::numeric_limits<std::size_t>::max();  // lowest index that threw
  std::exception_ptr error;
};

}  // namespace

struct ThreadPool::State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    {
      const std::scoped_lock lock(mutex);
      ending = true;
      changed.notify_all();
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::mutex mutex;
  std::condition_variable changed;          // a job was submitted or is done, or the pool ends
  std::deque<std::shared_ptr<Job>> open;    // with indices not yet taken, in order
  std::deque<std::shared_ptr<Job>> waited;  // submitted and not yet waited for
  Ticket last_ticket = 0;
  bool ending = false;
  std::vector<std::thread> threads;

  // Takes one index of an open job and runs it outside of the lock.
  void run_one(const std::shared_ptr<Job>& job, std::unique_lock<std::mutex>& lock,
               unsigned worker) {
    const std::size_t index = job->next++;
    if (job->next == job->count) open.erase(std::find(open.begin(), open.end(), job));
    lock.unlock();
    const Task outer = std::exchange(running, {this, worker});
    std::exception_ptr error;
    try {
      job->task(index, worker);
    } catch (...) {
      error = std::current_exception();
    }
    running = outer;
    lock.lock();
    if (error && index < job->failed) {
      job->failed = index;
      job->error = error;
    }
    if (++job->done == job->count) changed.notify_all();
  }

  void work(unsigned worker) {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return ending || !open.empty(); });
      if (open.empty()) return;
      run_first(lock, worker);
    }
  }

  void run_first(std::unique_lock<std::mutex>& lock, unsigned worker) {
    const std::shared_ptr<Job> job = open.front();
    run_one(job, lock, worker);
  }

  /// A task that a thread is running.
  struct Task {
    State* pool = nullptr;
    unsigned worker = 0;
  };
  static thread_local Task running;
};

thread_local ThreadPool::State::Task ThreadPool::State::running;

// Worker 0 is the thread that waits.
ThreadPool::ThreadPool(unsigned threads) : state_(std::make_unique<State>()) {
  for (unsigned worker = 1; worker < threads; ++worker) {
    try {
      state_->threads.emplace_back([state = state_.get(), worker] { state->work(worker); });
    } catch (const std::system_error&) {
      throw Error(ExitStatus::io_error, "cannot start " + std::to_string(threads) +
                                            " threads: the system allows " +
                                            std::to_string(worker));
    }
  }
}

ThreadPool::~ThreadPool() {
  std::unique_lock lock(state_->mutex);
  while (!state_->open.empty()) state_->run_first(lock, 0);
}

unsigned ThreadPool::threads() const noexcept {
  return static_cast<unsigned>(state_->threads.size() + 1);
}

ThreadPool::Ticket ThreadPool::submit(std::size_t count,
                                      std::function<void(std::size_t, unsigned)> task) {
  auto job = std::make_shared<Job>();
  job->count = count;
  job->task = std::move(task);
  const std::scoped_lock lock(state_->mutex);
  job->ticket = ++state_->last_ticket;
  state_->waited.push_back(job);
  if (count > 0) {
    state_->open.push_back(job);
    state_->changed.notify_all();
  }
  return job->ticket;
}

void ThreadPool::wait(Ticket ticket) {
  std::unique_lock lock(state_->mutex);
  const auto found = std::find_if(state_->waited.begin(), state_->waited.end(),
                                  [&](const auto& job) { return job->ticket == ticket; });
  assert(found != state_->waited.end());
  const std::shared_ptr<Job> job = *found;
  state_->waited.erase(found);
  // Jobs are open in order, so work on any open one leads to this one; those behind it are work
  // for a thread that would be idle otherwise. A task has better to do once this one is done.
  const State::Task task = State::running;
  const bool inside = task.pool == state_.get();
  while (job->done < job->count) {
    if (inside && job->next < job->count) {
      state_->run_one(job, lock, task.worker);
    } else if (inside || state_->open.empty()) {
      state_->changed.wait(lock);
    } else {
      state_->run_first(lock, 0);
    }
  }
  if (job->error) std::rethrow_exception(job->error);
}

unsigned available_cpus() noexcept {
  return std::max(1U, static_cast<unsigned>(allowed_cpus().size()));
}

}  // namespace atl
