#include "cuda/reduce/nccl_reducer.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

using std::chrono::steady_clock;

/// The time in which others must finish what they have sent.
constexpr std::chrono::seconds finalising_limit{5};

/// A pause between two looks. The first ones are for sums of microseconds; a longer wait leaves the
/// core to threads that count.
class Pause {
 public:
  void take() {
    if (looks_ < 500) {
      ++looks_;
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

 private:
  int looks_ = 0;
};

/// More than NCCL is given to finish.
constexpr std::chrono::seconds ending_limit{10};

}  // namespace

NcclCommunicator::NcclCommunicator(const NcclLibrary& nccl, int device, std::stop_token end)
    : nccl_(nccl), end_(std::move(end)), device_(device) {}

NcclCommunicator::~NcclCommunicator() {
  if (communicator_ == nullptr) return;
  if (idle_ && finalised()) {
    nccl_.destroy(communicator_);
  } else {
    nccl_.abort(communicator_);
  }
}

void NcclCommunicator::connect(const NcclPlace& place) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;  // or a member that is missing would hold this thread in NCCL
  nccl_.expect(nccl_.init_rank(&communicator_, place.size, place.team, place.rank, &config));
  wait_for_nccl();
  idle_ = true;
}

void NcclCommunicator::add_up(std::span<std::uint64_t> numbers) {
  if (numbers.empty()) return;
  idle_ = false;
  on_host_.reserve(numbers.size());
  on_device_.reserve(numbers.size());
  std::uint64_t* const host = on_host_.data();
  std::uint64_t* const device = on_device_.data();
  std::copy(numbers.begin(), numbers.end(), host);
  check(cudaMemcpyAsync(device, host, numbers.size_bytes(), cudaMemcpyHostToDevice, stream_));
  nccl_.expect(
      nccl_.all_reduce(device, device, numbers.size(), ncclUint64, ncclSum, communicator_, stream_),
      communicator_);
  wait_for_nccl();  // only then what it does is in the stream
  check(cudaMemcpyAsync(host, device, numbers.size_bytes(), cudaMemcpyDeviceToHost, stream_));
  wait_for_stream();
  std::copy_n(host, numbers.size(), numbers.begin());
  idle_ = true;
}

void NcclCommunicator::wait_for_nccl() {
  for (Pause pause;; pause.take()) {
    ncclResult_t state = ncclSuccess;
    nccl_.expect(nccl_.get_async_error(communicator_, &state), communicator_);
    nccl_.expect(state, communicator_);
    if (state != ncclInProgress) return;
    throw_at_end();
  }
}

void NcclCommunicator::wait_for_stream() {
  for (Pause pause;; pause.take()) {
    const cudaError_t passed = cudaStreamQuery(stream_);
    if (passed == cudaSuccess) return;
    if (passed != cudaErrorNotReady) check(passed);
    (void)cudaGetLastError();
    ncclResult_t state = ncclSuccess;
    nccl_.expect(nccl_.get_async_error(communicator_, &state), communicator_);
    nccl_.expect(state, communicator_);
    throw_at_end();
  }
}

void NcclCommunicator::throw_at_end() const {
  if (end_.stop_requested()) throw BackendUnavailable("cuda", "NCCL: told to end");
}

bool NcclCommunicator::finalised() noexcept {
  ncclResult_t state = nccl_.finalize(communicator_);
  const auto limit = steady_clock::now() + finalising_limit;
  while (state == ncclInProgress && steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (nccl_.get_async_error(communicator_, &state) != ncclSuccess) return false;
  }
  return state == ncclSuccess;
}

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
