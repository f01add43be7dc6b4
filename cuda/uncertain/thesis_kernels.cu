#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "cuda/device/handles.hpp"
#include "cuda/uncertain/thesis_kernels.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t threads = 256;

extern __shared__ std::uint32_t block_rows[];  // [width][thesis_word_rows]

__device__ bool row_has(std::uint32_t row, std::uint32_t item, const EllRows& rows) {
  for (std::uint32_t k = 0; k < rows.width; ++k) {
    const std::uint32_t there = block_rows[k * thesis_word_rows + row];
    if (there == item) return true;
    if (there == rows.none) return false;
  }
  return false;
}

__device__ bool row_has_all(std::uint32_t row, const std::uint32_t* set, std::uint32_t length,
                            const EllRows& rows) {
  for (std::uint32_t k = 0; k < length; ++k) {
    if (!row_has(row, set[k], rows)) return false;
  }
  return true;
}

__global__ void row_scan(EllRows rows, EllSets sets, std::uint32_t words, std::uint32_t* inclists) {
  const std::uint32_t first = blockIdx.x * thesis_word_rows;
  for (std::uint32_t i = threadIdx.x; i < rows.width * thesis_word_rows; i += blockDim.x) {
    const std::uint32_t row = first + i % thesis_word_rows;
    block_rows[i] = row < rows.rows
                        ? rows.items[std::size_t{i / thesis_word_rows} * rows.rows + row]
                        : rows.none;
  }
  __syncthreads();
  for (std::uint32_t s = threadIdx.x; s < sets.sets; s += blockDim.x) {
    const std::uint32_t* const set = sets.items + std::size_t{s} * sets.length;
    std::uint32_t word = 0;
    for (std::uint32_t row = 0; row < thesis_word_rows; ++row) {
      if (row_has_all(row, set, sets.length, rows)) word |= 1U << row;
    }
    inclists[std::size_t{s} * words + blockIdx.x] = word;
  }
}

__global__ void inclist_and(const std::uint32_t* const* parents, std::uint32_t sets,
                            std::uint32_t words, std::uint32_t* inclists) {
  const std::uint32_t w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= words) return;
  for (std::uint32_t s = blockIdx.y; s < sets; s += gridDim.y) {
    inclists[std::size_t{s} * words + w] = parents[2 * s][w] & parents[2 * s + 1][w];
  }
}

/// The sum over a block's threads, in a fixed order, for thread 0.
template <typename T>
__device__ T block_sum(T value) {
  __shared__ T sums[threads];
  sums[threadIdx.x] = value;
  __syncthreads();
  for (std::uint32_t half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

__global__ void inclist_counts(Inclists lists, std::uint32_t* counts) {
  const std::uint32_t* const own = lists.bits + std::size_t{blockIdx.x} * lists.words;
  std::uint32_t sum = 0;
  for (std::uint32_t w = threadIdx.x; w < lists.words; w += threads) sum += __popc(own[w]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) counts[blockIdx.x] = sum;
}

/// Algorithm 3. Calls `use` with the place of each bit that is set.
template <typename Use>
__device__ void decode_by_finding(std::uint32_t word, const Use& use) {
  const int ones = __popc(word);
  int place = -1;
  for (int i = 0; i < ones; ++i) {
    const int next = __ffs(static_cast<int>(word));
    place += next;
    use(static_cast<std::uint32_t>(place));
    word = next < 32 ? word >> next : 0;  // a shift by 32 has no meaning in C++
  }
}

template <typename Use>
__device__ void decode_by_loop(std::uint32_t word, const Use& use) {
  for (std::uint32_t place = 0; place < 32; ++place) {
    if ((word >> place & 1) != 0) use(place);
  }
}

template <bool find_bits, typename Use>
__device__ void decode(std::uint32_t word, const Use& use) {
  if constexpr (find_bits) {
    decode_by_finding(word, use);
  } else {
    decode_by_loop(word, use);
  }
}

template <bool find_bits>
__global__ void expected_supports(Inclists lists, double* sums) {
  const std::uint32_t* const own = lists.bits + std::size_t{blockIdx.x} * lists.words;
  double sum = 0;
  for (std::uint32_t w = threadIdx.x; w < lists.words; w += threads) {
    const double* const probabilities = lists.probabilities + w * thesis_word_rows;
    decode<find_bits>(own[w], [&](std::uint32_t place) { sum += probabilities[place]; });
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void inclist_filter(Inclists lists, const std::uint32_t* kept, std::uint32_t* out) {
  const std::uint32_t* const from = lists.bits + std::size_t{kept[blockIdx.x]} * lists.words;
  std::uint32_t* const to = out + std::size_t{blockIdx.x} * lists.words;
  for (std::uint32_t w = threadIdx.x; w < lists.words; w += blockDim.x) to[w] = from[w];
}

template <bool find_bits>
__global__ void set_flags(SetRows set, std::uint32_t* flags) {
  const std::uint32_t w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= (set.rows + thesis_word_rows - 1) / thesis_word_rows) return;
  std::uint32_t* const own = flags + w * thesis_word_rows;
  for (std::uint32_t place = 0; place < thesis_word_rows; ++place) own[place] = 0;
  decode<find_bits>(set.inclist[w], [&](std::uint32_t place) { own[place] = 1; });
}

__device__ void write_leaf(double* leaves, std::uint32_t leaf, double probability) {
  double* const four = leaves + std::size_t{leaf} * 4;
  four[0] = 1 - probability;
  four[1] = probability;
  four[2] = four[3] = 0;
}

__global__ void filtered_leaves(SetRows set, const std::uint32_t* flags,
                                const std::uint32_t* indexes, std::uint32_t count,
                                std::uint32_t size, double* leaves) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < set.rows && flags[i] == 1) write_leaf(leaves, indexes[i], set.probabilities[i]);
  if (i >= count && i < size) write_leaf(leaves, i, 0);
}

__global__ void all_leaves(SetRows set, std::uint32_t size, double* leaves) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const bool has = i < set.rows && (set.inclist[i / thesis_word_rows] >> i % thesis_word_rows & 1);
  write_leaf(leaves, i, has ? set.probabilities[i] : 0);
}

std::uint32_t blocks_for(std::uint32_t count) {
  return (count + threads - 1) / threads;
}

}  // namespace

std::size_t most_scan_memory() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(bytes);
}

void launch_row_scan(const EllRows& rows, const EllSets& sets, std::uint32_t words,
                     std::uint32_t* inclists, cudaStream_t stream) {
  if (sets.sets == 0 || words == 0) return;
  const std::size_t memory = scan_memory(rows.width);
  check(cudaFuncSetAttribute(row_scan, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(memory)));
  row_scan<<<words, threads, memory, stream>>>(rows, sets, words, inclists);
  check(cudaGetLastError());
}

void launch_inclist_and(const std::uint32_t* const* parents, std::uint32_t sets,
                        std::uint32_t words, std::uint32_t* inclists, cudaStream_t stream) {
  if (sets == 0 || words == 0) return;
  const dim3 blocks(blocks_for(words), std::min(sets, 65535U));
  inclist_and<<<blocks, threads, 0, stream>>>(parents, sets, words, inclists);
  check(cudaGetLastError());
}

void launch_inclist_counts(const Inclists& lists, std::uint32_t* counts, cudaStream_t stream) {
  if (lists.sets == 0) return;
  inclist_counts<<<lists.sets, threads, 0, stream>>>(lists, counts);
  check(cudaGetLastError());
}

void launch_expected_supports(const Inclists& lists, bool find_bits, double* sums,
                              cudaStream_t stream) {
  if (lists.sets == 0) return;
  const auto kernel = find_bits ? expected_supports<true> : expected_supports<false>;
  kernel<<<lists.sets, threads, 0, stream>>>(lists, sums);
  check(cudaGetLastError());
}

void launch_inclist_filter(const Inclists& lists, const std::uint32_t* kept, std::uint32_t count,
                           std::uint32_t* out, cudaStream_t stream) {
  if (count == 0) return;
  inclist_filter<<<count, threads, 0, stream>>>(lists, kept, out);
  check(cudaGetLastError());
}

void launch_flags(const SetRows& set, bool find_bits, std::uint32_t* flags, cudaStream_t stream) {
  const std::uint32_t words = (set.rows + thesis_word_rows - 1) / thesis_word_rows;
  const auto kernel = find_bits ? set_flags<true> : set_flags<false>;
  kernel<<<blocks_for(words), threads, 0, stream>>>(set, flags);
  check(cudaGetLastError());
}

std::size_t index_scratch(std::uint32_t rows) {
  std::size_t bytes = 0;
  const std::uint32_t* const flags = nullptr;
  std::uint32_t* const indexes = nullptr;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, flags, indexes, static_cast<int>(rows)));
  return bytes;
}

void launch_indexes(void* scratch, std::size_t bytes, const std::uint32_t* flags,
                    std::uint32_t* indexes, std::uint32_t rows, cudaStream_t stream) {
  check(cub::DeviceScan::ExclusiveSum(scratch, bytes, flags, indexes, static_cast<int>(rows),
                                      stream));
}

void launch_filtered_leaves(const SetRows& set, const std::uint32_t* flags,
                            const std::uint32_t* indexes, std::uint32_t count, std::uint32_t rank,
                            double* leaves, cudaStream_t stream) {
  const std::uint32_t size = 1U << rank;
  filtered_leaves<<<blocks_for(std::max(set.rows, size)), threads, 0, stream>>>(
      set, flags, indexes, count, size, leaves);
  check(cudaGetLastError());
}

void launch_all_leaves(const SetRows& set, std::uint32_t rank, double* leaves,
                       cudaStream_t stream) {
  const std::uint32_t size = 1U << rank;
  all_leaves<<<blocks_for(size), threads, 0, stream>>>(set, size, leaves);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
