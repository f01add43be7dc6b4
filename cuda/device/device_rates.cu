#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuda/device/device_rates.hpp"
#include "cuda/device/event_timer.hpp"
#include "cuda/device/handles.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t threads = 512;
constexpr std::uint32_t blocks_per_processor = 4;
constexpr int chains = 8;  // of a thread, independent; with 64 warps any latency is hidden
constexpr int unrolled = 16;

/// Memory that the kernels read, so that nothing of it is known to the compiler, and that they
/// write, so that all of it is needed.
struct Operands {
  std::uint32_t a, b;
  std::uint32_t* sink;  ///< [blocks][threads]
};

__device__ void keep(const Operands& operands, std::uint32_t value) {
  operands.sink[blockIdx.x * threads + threadIdx.x] = value;
}

/// @param cycles  [2] cycles and nanoseconds of the first block's first thread
__global__ void __launch_bounds__(threads, blocks_per_processor)
    logic_kernel(Operands operands, int rounds, long long* cycles) {
  std::uint32_t words[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) words[c] = operands.a * (threadIdx.x + 1) + c;
  unsigned long long begun = 0, ended = 0;
  const long long first = clock64();
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int u = 0; u < unrolled; ++u) {
#pragma unroll
      for (int c = 0; c < chains; ++c) {
        // (w AND a) XOR b of its neighbour, which no two of can be joined to one.
        asm volatile("lop3.b32 %0, %0, %1, %2, 0x6A;"
                     : "+r"(words[c])
                     : "r"(operands.a), "r"(words[(c + 1) % chains]));
      }
    }
  }
  const long long last = clock64();
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ended));
  std::uint32_t all = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) all ^= words[c];
  keep(operands, all);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    cycles[0] = last - first;
    cycles[1] = static_cast<long long>(ended - begun);
  }
}

__global__ void __launch_bounds__(threads, blocks_per_processor)
    popcount_kernel(Operands operands, int rounds) {
  std::uint32_t words[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) words[c] = operands.a * (threadIdx.x + 1) + c;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int u = 0; u < unrolled; ++u) {
#pragma unroll
      for (int c = 0; c < chains; ++c) {
        asm volatile("popc.b32 %0, %0;" : "+r"(words[c]));
        words[c] ^= operands.b;
      }
    }
  }
  std::uint32_t all = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) all ^= words[c];
  keep(operands, all);
}

constexpr int slots = 4;  // of 16 bytes, of a thread in shared memory

/// Each thread reads its slots and writes them again, changed.
__global__ void __launch_bounds__(threads, blocks_per_processor)
    shared_kernel(Operands operands, int rounds) {
  __shared__ uint4 words[slots * threads];
  const auto place = static_cast<std::uint32_t>(__cvta_generic_to_shared(words + threadIdx.x));
#pragma unroll
  for (int s = 0; s < slots; ++s) {
    words[s * threads + threadIdx.x] = make_uint4(operands.a, operands.b, threadIdx.x, s);
  }
  for (int round = 0; round < rounds; ++round) {
    uint4 held[slots];
#pragma unroll
    for (int s = 0; s < slots; ++s) {
      uint4& w = held[s];
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(w.x), "=r"(w.y), "=r"(w.z), "=r"(w.w)
                   : "r"(place + s * threads * static_cast<std::uint32_t>(sizeof(uint4))));
    }
#pragma unroll
    for (int s = 0; s < slots; ++s) {
      const uint4& w = held[s];
      asm volatile("st.volatile.shared.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(w.x ^ operands.a),
                   "r"(w.y), "r"(w.z), "r"(w.w),
                   "r"(place + s * threads * static_cast<std::uint32_t>(sizeof(uint4))));
    }
  }
  const uint4 w = words[threadIdx.x];
  keep(operands, w.x ^ w.y ^ w.z ^ w.w);
}

constexpr int reads_at_once = 4;  // of 16 bytes, of a thread

/// All threads together read the buffer `passes` times, past the first-level cache.
__global__ void __launch_bounds__(threads, blocks_per_processor)
    read_kernel(Operands operands, const uint4* buffer, std::size_t units, int passes) {
  std::uint32_t any = 0;
  const std::size_t step = std::size_t{gridDim.x} * threads;
  for (int pass = 0; pass < passes; ++pass) {
    std::size_t u = std::size_t{blockIdx.x} * threads + threadIdx.x;
    for (; u + (reads_at_once - 1) * step < units; u += reads_at_once * step) {
      uint4 read[reads_at_once];
#pragma unroll
      for (int c = 0; c < reads_at_once; ++c) {
        const uint4* const from = buffer + u + c * step;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(read[c].x), "=r"(read[c].y), "=r"(read[c].z), "=r"(read[c].w)
                     : "l"(from));
      }
#pragma unroll
      for (int c = 0; c < reads_at_once; ++c) any ^= read[c].x ^ read[c].y ^ read[c].z ^ read[c].w;
    }
  }
  keep(operands, any);
}

/// Launches kernels of all threads that fit, and takes the time.
class Runs {
 public:
  Runs() {
    int device = 0, processors = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    blocks_ = static_cast<std::uint32_t>(processors) * blocks_per_processor;
    sink_.reserve(std::size_t{blocks_} * threads);
    operands_ = {0x9E3779B9U, 0x7F4A7C15U, sink_.data()};
  }

  std::uint32_t blocks() const noexcept { return blocks_; }
  double all_threads() const noexcept { return static_cast<double>(blocks_) * threads; }

  /// Seconds of the fastest launches.
  template <typename Kernel, typename... Rest>
  double best(Kernel* kernel, Rest... rest) {
    return timer_.best_seconds_of(
        [&](cudaStream_t stream) { kernel<<<blocks_, threads, 0, stream>>>(operands_, rest...); });
  }

 private:
  EventTimer timer_;
  DeviceBuffer<std::uint32_t> sink_;
  Operands operands_{};
  std::uint32_t blocks_ = 0;
};

/// Bytes a second of reading about so many, again and again.
double read_rate(Runs& runs, std::size_t bytes, int passes) {
  // Whole rounds of all threads, so that none is left out.
  const std::size_t round = std::size_t{runs.blocks()} * threads * reads_at_once;
  const std::size_t units = std::max<std::size_t>(bytes / sizeof(uint4) / round, 1) * round;
  DeviceBuffer<uint4> buffer;
  buffer.reserve(units);
  check(cudaMemset(buffer.data(), 0, units * sizeof(uint4)));
  check(cudaDeviceSynchronize());
  const uint4* const from = buffer.data();
  const double seconds = runs.best(read_kernel, from, units, passes);
  return static_cast<double>(units) * sizeof(uint4) * passes / seconds;
}

}  // namespace

DeviceRates measure_device_rates() {
  Runs runs;
  DeviceBuffer<long long> cycles;
  cycles.reserve(2);
  int device = 0, l2 = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
  DeviceRates rates;
  rates.l2_bytes = l2;
  constexpr int rounds = 512;  // about a millisecond
  const double words = runs.all_threads() * chains * unrolled * rounds;
  rates.logic = words / runs.best(logic_kernel, rounds, cycles.data());
  long long taken[2] = {0, 0};
  check(cudaMemcpy(taken, cycles.data(), sizeof taken, cudaMemcpyDeviceToHost));
  rates.clock = static_cast<double>(taken[0]) / (static_cast<double>(taken[1]) * 1e-9);
  rates.popcounts = words / 4 / runs.best(popcount_kernel, rounds / 4);
  constexpr int exchanges = 2000;
  rates.shared = runs.all_threads() * exchanges * slots * 2 * sizeof(uint4) /
                 runs.best(shared_kernel, exchanges);

  std::size_t left = 0, all = 0;
  check(cudaMemGetInfo(&left, &all));
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  rates.l2 =
      read_rate(runs, std::min<std::size_t>(20 * mebibyte, static_cast<std::size_t>(l2) / 2), 300);
  rates.memory = read_rate(runs, std::min(4096 * mebibyte, left / 4), 1);
  return rates;
}

}  // namespace atl::cuda
