#include "islands/archipelago/turns.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace atl {

Turns::Turns(ThreadPool& pool, std::size_t islands, std::function<bool(std::size_t)> ready,
             std::function<TurnEnd(std::size_t)> turn,
             std::function<bool(std::size_t, std::size_t)> before)
    : pool_(pool),
      ready_(std::move(ready)),
      turn_(std::move(turn)),
      before_(std::move(before)),
      most_workers_(std::min<std::size_t>(pool.threads(), islands)),
      waiting_(islands) {
  std::iota(waiting_.begin(), waiting_.end(), std::size_t{0});
}

void Turns::run() {
  std::unique_lock lock(mutex_);
  add_workers(most_workers_);
  while (true) {
    changed_.wait(lock, [&] { return !tickets_.empty() || asleep_ == 0 || ended_; });
    if (tickets_.empty()) break;
    const ThreadPool::Ticket ticket = tickets_.front();
    tickets_.pop_front();
    lock.unlock();
    pool_.wait(ticket);
    lock.lock();
  }
  ended_ = true;
  if (failure_) std::rethrow_exception(failure_);
}

// With the mutex held. Each has a ticket of its own.
void Turns::add_workers(std::size_t count) {
  workers_ += count;
  tickets_.push_back(pool_.submit(count, [this](std::size_t, unsigned) { take_turns(); }));
  changed_.notify_one();
}

std::optional<std::size_t> Turns::next() {
  const std::scoped_lock lock(mutex_);
  if (waiting_.empty() || ended_) {
    --workers_;
    return std::nullopt;
  }
  auto next = first_ready();
  if (next == waiting_.end()) next = waiting_.begin();
  const std::size_t island = *next;
  waiting_.erase(next);
  return island;
}

std::deque<std::size_t>::iterator Turns::first_ready() {
  if (!before_) return std::find_if(waiting_.begin(), waiting_.end(), ready_);
  auto first = waiting_.end();
  for (auto island = waiting_.begin(); island != waiting_.end(); ++island) {
    if ((first == waiting_.end() || before_(*island, *first)) && ready_(*island)) first = island;
  }
  return first;
}

void Turns::take_turns() {
  while (const auto island = next()) {
    try {
      if (turn_(*island) != TurnEnd::again) continue;
      const std::scoped_lock lock(mutex_);
      waiting_.push_back(*island);
    } catch (...) {
      end();
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
}

void Turns::fall_asleep() {
  const std::scoped_lock lock(mutex_);
  ++asleep_;
}

void Turns::stay_awake() {
  const std::scoped_lock lock(mutex_);
  --asleep_;
}

void Turns::wake(std::size_t island) {
  const std::scoped_lock lock(mutex_);
  --asleep_;
  waiting_.push_back(island);
  if (!ended_ && workers_ < most_workers_) add_workers(1);
  changed_.notify_one();
}

void Turns::end() {
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  changed_.notify_one();
}

bool Turns::any_works() const {
  const std::scoped_lock lock(mutex_);
  return workers_ > 0;
}

}  // namespace atl
