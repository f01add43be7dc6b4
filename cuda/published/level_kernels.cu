#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/published/level_kernels.hpp"

namespace atl::cuda {
namespace {

extern __shared__ std::uint32_t cache[];  // [threads]

/// Algorithm 1.
__device__ std::uint32_t ones_by_remainder(std::uint32_t number) {
  std::uint32_t count = 0;
  while (number != 0) {
    if (number % 2 == 1) ++count;
    number >>= 1;
  }
  return count;
}

/// The first step of Figure 2.
__device__ void count_words(const LevelTables& sets) {
  const std::uint32_t* const row =
      sets.transactions + std::size_t{blockIdx.x} * sets.transaction_words;
  cache[threadIdx.x] =
      threadIdx.x < sets.transaction_words ? ones_by_remainder(row[threadIdx.x]) : 0;
  __syncthreads();
}

__device__ void write_support(const LevelTables& sets) {
  if (threadIdx.x != 0) return;
  sets.items[std::size_t{blockIdx.x} * (sets.item_words + 1) + sets.item_words] = cache[0];
}

/// Figure 3. @pre threads are a power of two
__global__ void plain_kernel(LevelTables sets) {
  count_words(sets);
  for (std::uint32_t j = blockDim.x / 2; j != 0; j /= 2) {
    if (threadIdx.x < j) cache[threadIdx.x] += cache[threadIdx.x + j];
    __syncthreads();
  }
  write_support(sets);
}

/// Algorithm 2.
__global__ void flagged_kernel(LevelTables sets) {
  count_words(sets);
  std::uint32_t flag = blockDim.x % 2;
  std::uint32_t j = blockDim.x / 2;
  while (j != 0) {
    if (flag == 0) {
      if (threadIdx.x < j) cache[threadIdx.x] += cache[threadIdx.x + j];
      __syncthreads();
    } else {
      if (threadIdx.x < j) cache[threadIdx.x] += cache[threadIdx.x + j + 1];
      __syncthreads();
      j = j + 1;
    }
    flag = j % 2;
    j = j / 2;
  }
  write_support(sets);
}

/// The work of a block in Algorithm 3: joins set x with set y < x.
__device__ void join(const LevelTables& sets, std::uint32_t x, std::uint32_t y,
                     const LevelTables& out) {
  const std::size_t index = std::size_t{x} * (x - 1) / 2 + y;
  const std::size_t columns = sets.item_words + 1;
  const std::uint32_t t = threadIdx.x;
  if (t < sets.item_words) {
    out.items[index * columns + t] = sets.items[x * columns + t] | sets.items[y * columns + t];
  } else if (t == sets.item_words) {
    out.items[index * columns + t] = 0;
  }
  const std::size_t words = sets.transaction_words;
  if (t < words) {
    out.transactions[index * words + t] =
        sets.transactions[x * words + t] & sets.transactions[y * words + t];
  }
}

/// Figure 5. Width and height: sets.
__global__ void square_kernel(LevelTables sets, LevelTables out) {
  if (blockIdx.x <= blockIdx.y) return;
  join(sets, blockIdx.x, blockIdx.y, out);
}

/// Figure 6, for an even number of sets: width sets - 1, height sets / 2.
__global__ void even_kernel(LevelTables sets, LevelTables out) {
  std::uint32_t x = blockIdx.x;
  std::uint32_t y = blockIdx.y;
  if (x < y) {
    x = sets.sets - x - 2;
    y = sets.sets - y - 1;
  }
  join(sets, x + 1, y, out);
}

/// The same for an odd number: width sets, height (sets - 1) / 2.
__global__ void odd_kernel(LevelTables sets, LevelTables out) {
  std::uint32_t x = blockIdx.x;
  std::uint32_t y = blockIdx.y;
  if (x <= y) {
    x = sets.sets - x - 1;
    y = sets.sets - y - 2;
  }
  join(sets, x, y, out);
}

std::uint32_t join_threads(const LevelTables& sets) {
  return std::max(sets.item_words + 1, sets.transaction_words);
}

}  // namespace

void launch_square_join(const LevelTables& sets, const LevelTables& out, cudaStream_t stream) {
  if (sets.sets < 2) return;
  square_kernel<<<dim3(sets.sets, sets.sets), join_threads(sets), 0, stream>>>(sets, out);
  check(cudaGetLastError());
}

void launch_triangular_join(const LevelTables& sets, const LevelTables& out, cudaStream_t stream) {
  if (sets.sets < 2) return;
  if (sets.sets % 2 == 0) {
    const dim3 grid(sets.sets - 1, sets.sets / 2);
    even_kernel<<<grid, join_threads(sets), 0, stream>>>(sets, out);
  } else {
    const dim3 grid(sets.sets, (sets.sets - 1) / 2);
    odd_kernel<<<grid, join_threads(sets), 0, stream>>>(sets, out);
  }
  check(cudaGetLastError());
}

void launch_plain_reduction(const LevelTables& sets, cudaStream_t stream) {
  if (sets.sets == 0) return;
  std::uint32_t threads = 1;
  while (threads < sets.transaction_words) threads *= 2;
  plain_kernel<<<sets.sets, threads, threads * sizeof(std::uint32_t), stream>>>(sets);
  check(cudaGetLastError());
}

void launch_flagged_reduction(const LevelTables& sets, cudaStream_t stream) {
  if (sets.sets == 0) return;
  const std::uint32_t threads = std::max(sets.transaction_words, 1U);
  flagged_kernel<<<sets.sets, threads, threads * sizeof(std::uint32_t), stream>>>(sets);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
