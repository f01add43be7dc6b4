// Ranks as threads of one process, for tests of what must not depend on their number.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "src/core/communicator.hpp"

namespace atl::test {

/// Where the ranks of one job meet.
class Board {
 public:
  explicit Board(int size) : messages_(static_cast<std::size_t>(size)) {}

  int size() const noexcept { return static_cast<int>(messages_.size()); }

  /// All ranks hand in what they have and see what everybody handed in, by rank.
  std::vector<std::vector<Message>> meet(int rank, std::vector<Message> mine) {
    std::unique_lock lock(mutex_);
    messages_[static_cast<std::size_t>(rank)] = std::move(mine);
    wait_for_all(lock);
    auto all = messages_;
    wait_for_all(lock);
    return all;
  }

  void begin_sum(std::uint64_t round, std::vector<std::uint64_t> values) {
    const std::scoped_lock lock(mutex_);
    auto& [begun, sum] = sums_[round];
    sum.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
    ++begun;
  }
  std::optional<std::vector<std::uint64_t>> poll_sum(std::uint64_t round) {
    const std::scoped_lock lock(mutex_);
    const auto& [begun, sum] = sums_.at(round);
    return begun == size() ? std::optional(sum) : std::nullopt;
  }
  /// Where some of the ranks meet; lives as long as this one.
  Board& add_part(int size) {
    const std::scoped_lock lock(mutex_);
    return *parts_.emplace_back(std::make_unique<Board>(size));
  }

  void post(int from, Channel channel, Message message) {
    const std::scoped_lock lock(mutex_);
    posted_[{channel, message.peer}].push_back({from, std::move(message.bytes)});
  }
  std::optional<Message> poll(int rank, Channel channel) {
    const std::scoped_lock lock(mutex_);
    auto& waiting = posted_[{channel, rank}];
    if (waiting.empty()) return std::nullopt;
    Message message = std::move(waiting.front());
    waiting.pop_front();
    return message;
  }

 private:
  void wait_for_all(std::unique_lock<std::mutex>& lock) {
    const auto round = round_;
    if (++arrived_ == size()) {
      arrived_ = 0;
      ++round_;
      all_here_.notify_all();
    } else {
      all_here_.wait(lock, [&] { return round_ != round; });
    }
  }

  std::mutex mutex_;
  std::condition_variable all_here_;
  std::vector<std::vector<Message>> messages_;
  std::map<std::pair<Channel, int>, std::deque<Message>> posted_;  // by who is to have them
  std::map<std::uint64_t, std::pair<int, std::vector<std::uint64_t>>> sums_;  // ranks that began
  std::vector<std::unique_ptr<Board>> parts_;
  int arrived_ = 0;
  std::uint64_t round_ = 0;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Board& board, int rank) : board_(board), rank_(rank) {}

  int rank() const noexcept override { return rank_; }
  int size() const noexcept override { return board_.size(); }
  void barrier() override { board_.meet(rank_, {}); }
  void all_reduce_sum(std::span<std::uint64_t> values) override {
    const auto parts = all_gather(std::as_bytes(values));
    std::fill(values.begin(), values.end(), 0);
    for (const Bytes& part : parts) {
      ByteReader in(part);
      for (std::uint64_t& value : values) value += in.get<std::uint64_t>();
    }
  }
  void begin_sum(std::vector<std::uint64_t> values) override {
    board_.begin_sum(sums_, std::move(values));
  }
  std::optional<std::vector<std::uint64_t>> poll_sum() override {
    auto sum = board_.poll_sum(sums_);
    if (sum) ++sums_;
    return sum;
  }
  std::vector<Bytes> all_gather(std::span<const std::byte> bytes) override {
    std::vector<Bytes> parts;
    for (auto& messages : board_.meet(rank_, {{0, Bytes(bytes.begin(), bytes.end())}})) {
      parts.push_back(std::move(messages.front().bytes));
    }
    return parts;
  }
  std::vector<Bytes> gather(std::span<const std::byte> bytes, int root) override {
    auto parts = all_gather(bytes);
    if (rank_ != root) parts.clear();
    return parts;
  }
  Bytes broadcast(Bytes bytes, int root) override {
    return all_gather(bytes)[static_cast<std::size_t>(root)];
  }
  void post(Channel channel, Message message) override {
    board_.post(rank_, channel, std::move(message));
  }
  std::size_t unsent(int) override { return 0; }
  std::optional<Message> poll(Channel channel) override { return board_.poll(rank_, channel); }
  std::vector<Message> drain(Channel channel) override {
    barrier();  // all has been posted
    std::vector<Message> all;
    while (auto message = poll(channel)) all.push_back(std::move(*message));
    barrier();
    std::stable_sort(all.begin(), all.end(),
                     [](const Message& a, const Message& b) { return a.peer < b.peer; });
    return all;
  }
  std::unique_ptr<Communicator> split(int colour) override {
    std::vector<int> alike;  // ranks
    const auto colours = all_gather(std::as_bytes(std::span(&colour, 1)));
    for (int rank = 0; rank < size(); ++rank) {
      if (ByteReader(colours[static_cast<std::size_t>(rank)]).get<int>() == colour)
        alike.push_back(rank);
    }
    std::uint64_t part = 0;  // address
    if (alike.front() == rank_) {
      part = reinterpret_cast<std::uintptr_t>(&board_.add_part(static_cast<int>(alike.size())));
    }
    const auto parts = all_gather(std::as_bytes(std::span(&part, 1)));
    part = ByteReader(parts[static_cast<std::size_t>(alike.front())]).get<std::uint64_t>();
    const auto own = std::find(alike.begin(), alike.end(), rank_) - alike.begin();
    return std::make_unique<ThreadCommunicator>(
        *reinterpret_cast<Board*>(static_cast<std::uintptr_t>(part)), static_cast<int>(own));
  }
  [[noreturn]] void abort(ExitStatus status) noexcept override {
    std::_Exit(static_cast<int>(status));
  }

 private:
  Board& board_;
  int rank_;
  std::uint64_t sums_ = 0;  // that are over
};

/// Runs `work` as each of `ranks` ranks and throws what the lowest failing rank threw. A rank that
/// throws while others wait for it blocks the test, as it would block a job without MPI's help.
inline void run_ranks(int ranks, const std::function<void(Communicator&)>& work) {
  Board board(ranks);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(board, rank);
      try {
        work(communicator);
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace atl::test
