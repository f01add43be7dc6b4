#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/uncertain/thesis_convolutions.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t threads = 256;
constexpr std::uint32_t most_leaves = 1U << most_shared_levels;

/// Joins neighbours of `size` numbers each: a thread for each number of a result.
__device__ void join_by_gathering(const double* from, double* to, std::uint32_t pairs,
                                  std::uint32_t size) {
  const std::uint32_t joined = 2 * size - 1;
  for (std::uint32_t i = threadIdx.x; i < pairs * joined; i += blockDim.x) {
    const std::uint32_t k = i % joined;
    const double* const x = from + i / joined * 2 * size;
    const double* const y = x + size;
    double sum = 0;
    const std::uint32_t last = min(k, size - 1);
    for (std::uint32_t j = k - min(k, size - 1); j <= last; ++j) sum += x[j] * y[k - j];
    to[i] = sum;
  }
  __syncthreads();
}

/// Likewise a thread for each number of the first operand.
__device__ void join_by_scattering(const double* from, double* to, std::uint32_t pairs,
                                   std::uint32_t size) {
  const std::uint32_t joined = 2 * size - 1;
  for (std::uint32_t i = threadIdx.x; i < pairs * joined; i += blockDim.x) to[i] = 0;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < pairs * size; i += blockDim.x) {
    const std::uint32_t pair = i / size, k = i % size;
    const double x = from[pair * 2 * size + k];
    const double* const y = from + pair * 2 * size + size;
    for (std::uint32_t j = 0; j < size; ++j) atomicAdd(to + pair * joined + k + j, x * y[j]);
  }
  __syncthreads();
}

template <bool gather>
__global__ void __launch_bounds__(threads)
    shared_levels(double* distributions, std::uint32_t levels) {
  __shared__ double first[2 * most_leaves], second[2 * most_leaves];
  const std::uint32_t leaves = 1U << levels;
  double* const own = distributions + std::size_t{blockIdx.x} * leaves * 4;
  for (std::uint32_t i = threadIdx.x; i < 2 * leaves; i += blockDim.x) {
    first[i] = own[i / 2 * 4 + i % 2];
  }
  __syncthreads();
  double* from = first;
  double* to = second;
  for (std::uint32_t level = 0; level < levels; ++level) {
    const std::uint32_t pairs = leaves >> (level + 1), size = (1U << level) + 1;
    if constexpr (gather) {
      join_by_gathering(from, to, pairs, size);
    } else {
      join_by_scattering(from, to, pairs, size);
    }
    double* const last = from;
    from = to;
    to = last;
  }
  for (std::uint32_t i = threadIdx.x; i < 4 * leaves; i += blockDim.x) {
    own[i] = i <= leaves ? from[i] : 0;
  }
}

__global__ void spectrum_products(double2* spectra, std::size_t pairs, std::uint32_t size) {
  const std::size_t width = size / 2 + 1;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= pairs * width) return;
  double2* const x = spectra + i / width * 2 * width + i % width;
  const double2 a = x[0], b = x[width];
  const double share = 1.0 / size;
  x[0] = {(a.x * b.x - a.y * b.y) * share, (a.x * b.y + a.y * b.x) * share};
}

__global__ void zero_padding(double* distributions, std::size_t pairs, std::uint32_t size) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= pairs * size) return;
  distributions[(i / size * 2 + 1) * size + i % size] = 0;
}

__global__ void __launch_bounds__(threads)
    tail_sums(const double* distributions, std::uint32_t rank, std::uint32_t least, double* tails) {
  __shared__ double sums[threads];
  const std::size_t leaves = std::size_t{1} << rank;
  const double* const own = distributions + blockIdx.x * leaves * 4;
  double sum = 0;
  for (std::size_t i = least + threadIdx.x; i <= leaves; i += threads) sum += own[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (std::uint32_t half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) tails[blockIdx.x] = sums[0];
}

unsigned blocks_for(std::size_t count) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

}  // namespace

void launch_shared_levels(double* distributions, std::uint32_t blocks, std::uint32_t levels,
                          bool gather, cudaStream_t stream) {
  if (blocks == 0 || levels == 0) return;
  const auto kernel = gather ? shared_levels<true> : shared_levels<false>;
  kernel<<<blocks, std::min(threads, 1U << levels), 0, stream>>>(distributions, levels);
  check(cudaGetLastError());
}

void launch_spectrum_products(double2* spectra, std::size_t pairs, std::uint32_t size,
                              cudaStream_t stream) {
  const unsigned blocks = blocks_for(pairs * (size / 2 + 1));
  spectrum_products<<<blocks, threads, 0, stream>>>(spectra, pairs, size);
  check(cudaGetLastError());
}

void launch_zero_padding(double* distributions, std::size_t pairs, std::uint32_t size,
                         cudaStream_t stream) {
  zero_padding<<<blocks_for(pairs * size), threads, 0, stream>>>(distributions, pairs, size);
  check(cudaGetLastError());
}

void launch_tail_sums(const double* distributions, std::uint32_t sets, std::uint32_t rank,
                      std::uint32_t least, double* tails, cudaStream_t stream) {
  if (sets == 0) return;
  tail_sums<<<sets, threads, 0, stream>>>(distributions, rank, least, tails);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
