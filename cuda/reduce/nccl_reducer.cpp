#include "cuda/reduce/nccl_reducer.hpp"

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "src/core/error.hpp"

namespace atl::cuda {

namespace {

/// More than NCCL is given to finish.
constexpr std::chrono::seconds ending_limit{10};

}  // namespace

/// The work that the reducer and its thread share. It lives as long as either.
struct NcclReducer::Work {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::vector<std::uint64_t> numbers;  // the thread's from when they are handed over to the sum
  bool handed_over = false;
  bool done = false;
  bool ended = false;  // the thread does nothing more
  std::exception_ptr failure;

  /// Changes something, and tells the other side.
  template <typename Change>
  void change(const Change& by) {
    const std::scoped_lock lock(mutex);
    by();
    changed.notify_all();
  }
  void attempt(const std::function<void()>& action) noexcept {
    try {
      action();
    } catch (...) {
      change([&] {
        if (!failure) failure = std::current_exception();
      });
    }
  }
  void serve(NcclCommunicator& communicator, const std::stop_token& end) {
    while (true) {
      {
        std::unique_lock lock(mutex);
        if (!changed.wait(lock, end, [&] { return handed_over; })) return;
      }
      communicator.add_up(numbers);
      change([&] {
        handed_over = false;
        done = true;
      });
    }
  }
  /// @pre a sum is done
  std::vector<std::uint64_t> take() {
    done = false;
    return std::move(numbers);
  }
};

NcclReducer::NcclReducer(const NcclLibrary& nccl, const NcclPlace& place, Communicator& members)
    : members_(members), work_(std::make_shared<Work>()) {
  thread_ = std::jthread([work = work_, nccl, place](const std::stop_token& end) {
    work->attempt([&] {
      NcclCommunicator communicator(nccl, place.device, end);
      // A failure is told before NCCL gives up, which may take long.
      work->attempt([&] {
        communicator.connect(place);
        work->serve(communicator, end);
      });
    });
    work->change([&] { work->ended = true; });
  });
}

NcclReducer::~NcclReducer() {
  thread_.request_stop();
  std::unique_lock lock(work_->mutex);
  const bool ended = work_->changed.wait_for(lock, ending_limit, [&] { return work_->ended; });
  lock.unlock();
  if (!ended) thread_.detach();
}

void NcclReducer::connect(std::chrono::seconds limit) {
  hand_over({1});
  std::unique_lock lock(work_->mutex);
  const auto answered = [&] { return work_->done || work_->failure; };
  if (!work_->changed.wait_for(lock, limit, answered)) {
    throw BackendUnavailable("cuda", "NCCL has not connected the team's ranks within " +
                                         std::to_string(limit.count()) + " s");
  }
  if (work_->failure) std::rethrow_exception(work_->failure);
  if (work_->take() != std::vector{static_cast<std::uint64_t>(members_.size())}) {
    throw BackendUnavailable("cuda", "NCCL adds up wrongly");
  }
}

void NcclReducer::begin(std::vector<std::uint64_t> numbers) {
  numbers_ = std::move(numbers);
  members_.begin_sum({1});
}

std::optional<std::vector<std::uint64_t>> NcclReducer::poll() {
  if (numbers_) {
    if (!members_.poll_sum()) return std::nullopt;
    hand_over(std::move(*numbers_));
    numbers_.reset();
  }
  const std::scoped_lock lock(work_->mutex);
  if (work_->failure) std::rethrow_exception(work_->failure);
  if (!work_->done) return std::nullopt;
  return work_->take();
}

void NcclReducer::hand_over(std::vector<std::uint64_t> numbers) {
  work_->change([&] {
    work_->numbers = std::move(numbers);
    work_->handed_over = true;
  });
}

}  // namespace atl::cuda
