#include <cstddef>

#include "cuda/device/handles.hpp"
#include "cuda/uncertain/cover_words.cuh"
#include "cuda/uncertain/uncertain_kernels.hpp"
#include "src/core/word_hash.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t threads = 256;
constexpr std::uint32_t warps = threads / 32;
constexpr std::uint32_t chunk_words = 2048;  // of a column at a time
/// Lanes take words apart in which fewer rows than this are left of 32 words: else all lanes take
/// one word after the other, whose values lie side by side.
constexpr std::uint32_t few_rows = 256;
constexpr std::uint32_t low_bits = 24;  // FixedSum's lower half

static_assert(warps == most_sets_of_task);

/// Words of a chunk in which transactions have all items but the last.
struct PrefixWords {
  std::uint64_t words[chunk_words];
  std::uint16_t places[chunk_words];
  std::uint32_t count;
};

/// Their order is any, of which sums do not depend.
__device__ void find_prefix(const DeviceColumns& columns, const std::uint32_t* ranks,
                            std::uint32_t length, std::uint32_t first, PrefixWords& prefix) {
  if (threadIdx.x == 0) prefix.count = 0;
  __syncthreads();
  const std::uint32_t end = min(first + chunk_words, columns.words);
  for (std::uint32_t w = first + threadIdx.x; w < end; w += threads * words_at_once) {
    std::uint64_t words[words_at_once];
    find_cover_words(columns, ranks, length, w, threads, end, words);
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      if (words[i] == 0) continue;
      const std::uint32_t at = atomicAdd(&prefix.count, 1U);
      prefix.words[at] = words[i];
      prefix.places[at] = static_cast<std::uint16_t>(w + i * threads - first);
    }
  }
  __syncthreads();
}

/// Of the rows that a lane sees.
class LaneSums {
 public:
  __device__ void count(std::uint64_t word, bool certain) {
    const std::uint32_t rows = ones(word);
    sums_.rows += rows;
    if (certain) sums_.certain += rows;
  }
  __device__ void hash(std::uint32_t place, std::uint64_t word) {
    const WordHash hash = WordHash::of(place, word);
    sums_.hash_low += hash.low;
    sums_.hash_high += hash.high;
  }
  __device__ void add(const ulonglong2& fixed) {
    mean_ += fixed.x;
    variance_ += fixed.y;
  }
  /// A sum of 64 bits has room for 2^15 values, and a lane adds 2^12 of a chunk at most.
  __device__ void carry() {
    constexpr unsigned long long mask = (1ULL << low_bits) - 1;
    sums_.mean_low += mean_ & mask;
    sums_.mean_high += mean_ >> low_bits;
    sums_.variance_low += variance_ & mask;
    sums_.variance_high += variance_ >> low_bits;
    mean_ = variance_ = 0;
  }
  /// Adds those of all lanes of the warp. Order does not matter.
  __device__ void add_to(DeviceSums& all) const {
    add_lanes(sums_.mean_low, all.mean_low);
    add_lanes(sums_.mean_high, all.mean_high);
    add_lanes(sums_.variance_low, all.variance_low);
    add_lanes(sums_.variance_high, all.variance_high);
    add_lanes(sums_.hash_low, all.hash_low);
    add_lanes(sums_.hash_high, all.hash_high);
    add_lanes(sums_.rows, all.rows);
    add_lanes(sums_.certain, all.certain);
  }

 private:
  template <typename Number>
  __device__ static void add_lanes(Number value, Number& to) {
#pragma unroll
    for (std::uint32_t step = 16; step > 0; step /= 2)
      value += __shfl_down_sync(all_lanes, value, step);
    if (threadIdx.x % 32 == 0) atomicAdd(&to, value);
  }

  DeviceSums sums_ = {};
  unsigned long long mean_ = 0, variance_ = 0;
};

/// Adds the values of the rows of the lanes' words.
__device__ void add_rows(const DeviceColumns& columns, std::uint32_t place, std::uint64_t word,
                         LaneSums& sums) {
  const std::uint32_t rows = __reduce_add_sync(all_lanes, ones(word));
  if (rows < few_rows) {
    for (; word != 0; word &= word - 1)
      sums.add(columns.fixed[std::size_t{place} * 64 + lowest_one(word)]);
    return;
  }
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t with = __ballot_sync(all_lanes, word != 0); with != 0; with &= with - 1) {
    const int from = __ffs(static_cast<int>(with)) - 1;
    const std::uint64_t all = __shfl_sync(all_lanes, word, from);
    const std::size_t first = std::size_t{__shfl_sync(all_lanes, place, from)} * 64 + lane;
    if ((all >> lane & 1) != 0) sums.add(columns.fixed[first]);
    if ((all >> lane >> 32 & 1) != 0) sums.add(columns.fixed[first + 32]);
  }
}

/// A part of the chunk, of a set. @param last  the column of its last item
__device__ void add_part(const DeviceColumns& columns, const std::uint64_t* last,
                         std::uint32_t first_word, const PrefixWords& prefix, std::uint32_t part,
                         std::uint32_t parts, LaneSums& sums) {
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t begin = part * 32; begin < prefix.count; begin += parts * 32) {
    std::uint64_t word = 0;
    std::uint32_t place = 0;
    if (begin + lane < prefix.count) {
      place = first_word + prefix.places[begin + lane];
      word = prefix.words[begin + lane] & last[place];
    }
    const bool certain = place >= columns.certain_word;
    sums.count(word, certain);
    if (certain) word = 0;
    if (word != 0) sums.hash(place, word);
    add_rows(columns, place, word, sums);
  }
  sums.carry();
}

__global__ void __launch_bounds__(threads)
    sum_kernel(DeviceColumns columns, DeviceSets sets, const SumTask* tasks, DeviceSums* sums) {
  __shared__ PrefixWords prefix;
  __shared__ DeviceSums totals[most_sets_of_task];
  const SumTask task = tasks[blockIdx.x];
  if (threadIdx.x < task.sets) totals[threadIdx.x] = {};
  const std::uint32_t warp = threadIdx.x / 32;
  const std::uint32_t parts = warps / task.sets;  // warps of a set
  const std::uint32_t own = warp / parts;
  const std::uint32_t* const ranks = sets.ranks + std::size_t{task.first} * sets.length;
  const std::uint64_t* last = nullptr;
  if (own < task.sets) {
    const std::uint32_t item = ranks[(own + 1) * sets.length - 1];
    last = columns.bits + std::size_t{item} * columns.words;
  }
  LaneSums lane;
  for (std::uint32_t first = 0; first < columns.words; first += chunk_words) {
    find_prefix(columns, ranks, sets.length - 1, first, prefix);
    if (last != nullptr) add_part(columns, last, first, prefix, warp % parts, parts, lane);
    __syncthreads();  // before the next chunk takes its place
  }
  if (last != nullptr) lane.add_to(totals[own]);
  __syncthreads();
  if (threadIdx.x < task.sets) sums[task.first + threadIdx.x] = totals[threadIdx.x];
}

}  // namespace

void launch_sums(const DeviceColumns& columns, const DeviceSets& sets, const SumTask* tasks,
                 std::uint32_t count, DeviceSums* sums, cudaStream_t stream) {
  if (count == 0) return;
  sum_kernel<<<count, threads, 0, stream>>>(columns, sets, tasks, sums);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
