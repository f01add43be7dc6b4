#include "cuda/reduce/nccl_communicator.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
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

}  // namespace atl::cuda
