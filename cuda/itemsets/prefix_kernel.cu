#include "cuda/device/handles.hpp"
#include "cuda/itemsets/prefix_block.hpp"
#include "cuda/itemsets/prefix_kernel.hpp"

namespace atl::cuda {
namespace {

struct DeviceBlock {
  using Value = std::uint32_t;

  static __device__ Value lane() { return threadIdx.x % warp_lanes; }
  static __device__ Value constant(std::uint32_t value) { return value; }
  static __device__ Value all() { return 1; }
  static __device__ Value select(Value condition, Value yes, Value no) {
    return condition ? yes : no;
  }
  static __device__ Value ones(Value bits) { return __popc(bits); }
  static __device__ std::uint32_t ones_of(std::uint32_t bits) { return __popc(bits); }
  static __device__ Value rotated_left(Value bits, Value by) {
    return __funnelshift_l(bits, bits, by);
  }

  // These are called by a whole warp.
  static __device__ std::uint32_t ballot(Value condition) { return __ballot_sync(~0U, condition); }
  static __device__ std::uint32_t sum(Value value) { return __reduce_add_sync(~0U, value); }
  static __device__ Value shuffle(Value value, Value from) {
    return __shfl_sync(~0U, value, static_cast<int>(from));
  }
  static __device__ Value shuffle_xor(Value value, std::uint32_t by) {
    return __shfl_xor_sync(~0U, value, static_cast<int>(by));
  }
  /// Adds to a counter once; returns what it was.
  static __device__ std::uint32_t take(std::uint32_t* counter, std::uint32_t count) {
    std::uint32_t first = 0;
    if (lane() == 0) first = atomicAdd(counter, count);
    return __shfl_sync(~0U, first, 0);
  }

  // These take effect in active lanes.
  static __device__ Value load(const std::uint32_t* from, Value at, Value active) {
    return active ? from[at] : 0;
  }
  static __device__ void store(std::uint32_t* to, Value at, Value value, Value active) {
    if (active) to[at] = value;
  }
  static __device__ void add(std::uint32_t* to, Value at, Value value, Value active) {
    if (active) atomicAdd(to + at, value);
  }
  static __device__ void add_long(unsigned long long* to, Value at, Value value, Value active) {
    if (active) atomicAdd(to + at, static_cast<unsigned long long>(value));
  }

  // These are called by one thread.
  static __device__ std::uint32_t take_many(std::uint32_t* counter, std::uint32_t count) {
    return atomicAdd(counter, count);
  }
  static __device__ void add_work(PrefixWork& to, const PrefixWork& work) {
    atomicAdd(&to.nodes, work.nodes);
    atomicAdd(&to.entries, work.entries);
    atomicAdd(&to.words, work.words);
  }

  // These are called by the whole block.
  static __device__ void sync() { __syncthreads(); }
  template <class Action>
  static __device__ void leader(Action action) {
    if (threadIdx.x == 0) action();
  }
  template <class Action>
  static __device__ void each_warp(Action action) {
    action(threadIdx.x / warp_lanes);
    __syncthreads();
  }
};

constexpr std::uint32_t threads = block_warps * warp_lanes;
constexpr std::uint32_t blocks_of_processor =
    4;  // with 64 registers a thread, of which two are spilt

__global__ void __launch_bounds__(threads, blocks_of_processor)
    search_prefixes(const __grid_constant__ PrefixLaunch launch) {
  __shared__ PrefixShared shared;
  DeviceBlock block;
  PrefixBlock<DeviceBlock>(launch, shared, block, blockIdx.x).run();
}

}  // namespace

std::uint32_t prefix_blocks() {
  int device = 0, processors = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, search_prefixes, threads, 0));
  return static_cast<std::uint32_t>(processors) * static_cast<std::uint32_t>(blocks);
}

void launch_prefixes(const PrefixLaunch& launch, std::uint32_t blocks, cudaStream_t stream) {
  search_prefixes<<<blocks, threads, 0, stream>>>(launch);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
