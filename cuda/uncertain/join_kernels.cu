#include <cstddef>

#include "cuda/device/handles.hpp"
#include "cuda/uncertain/convolution.cuh"
#include "cuda/uncertain/uncertain_kernels.hpp"

namespace atl::cuda {
namespace {

constexpr int join_threads = 128;
constexpr int block_counts = join_threads * thread_counts;
constexpr int slab = 576;  // counts of the first node at a time

/// What the threads of a block multiply at a time.
struct JoinMemory {
  double a[slab];
  double b[slab + block_counts];
};

/// The part of the sums that counts from `begin` to `end` - 1 of `a` make.
/// @param b       null for the distribution of no rows
/// @param first   of the block's counts, as that of a[0] b[first]
/// @param counts  of the block
__device__ void add_slab(const double* a, int begin, int end, const double* b, int b_width,
                         int first, int counts, JoinMemory& memory, double (&sums)[thread_counts]) {
  const int thread = static_cast<int>(threadIdx.x);
  const int b_begin = max(0, first - (end - 1)), b_end = min(b_width, first + counts - begin);
  __syncthreads();  // after the use of the slab before
  for (int i = begin + thread; i < end; i += join_threads) memory.a[i - begin] = a[i];
  for (int i = b_begin + thread; i < b_end; i += join_threads)
    memory.b[i - b_begin] = b == nullptr ? 1.0 : b[i];
  __syncthreads();
  if (thread * thread_counts >= counts) return;
  add_products(memory.a, end - begin, memory.b, b_end - b_begin,
               first + thread * thread_counts - begin - b_begin, sums);
}

__global__ void __launch_bounds__(join_threads)
    join_kernel(TailNodes in, const TailJoin* joins, double exponent, TailNodes out) {
  __shared__ JoinMemory memory;
  const TailJoin join = joins[blockIdx.x];
  const TailNode a = in.nodes[join.first];
  const TailNode b = join.nodes > 1 ? in.nodes[join.first + 1] : of_no_rows();
  const TailNode node = joined(a, b, exponent);
  const int skipped = static_cast<int>(blockIdx.y) * block_counts;
  if (skipped >= node.width) return;
  if (threadIdx.x == 0 && skipped == 0) out.nodes[blockIdx.x] = node;
  const double* const a_values = in.values + std::size_t{join.first} * in.stride;
  const double* const b_values = join.nodes > 1 ? a_values + in.stride : nullptr;
  const int counts = min(block_counts, node.width - skipped);
  const int first = node.low - a.low - b.low + skipped;
  const int last_a = min(a.width - 1, first + counts - 1);
  double sums[thread_counts] = {};
  for (int i = max(0, first - (b.width - 1)); i <= last_a; i += slab) {
    add_slab(a_values, i, min(i + slab, last_a + 1), b_values, b.width, first, counts, memory,
             sums);
  }
  const int own = static_cast<int>(threadIdx.x) * thread_counts;
  double* const values = out.values + std::size_t{blockIdx.x} * out.stride + skipped;
#pragma unroll
  for (int c = 0; c < thread_counts; ++c) {
    if (own + c < counts) values[own + c] = sums[c];
  }
}

constexpr int tail_threads = 256;

/// Makes of each value the sum of it and of those behind, in a fixed order: a piece for each
/// thread.
__device__ void sum_from_behind(double* values, int width, double (&pieces)[tail_threads]) {
  const int thread = static_cast<int>(threadIdx.x);
  const int piece = (width + tail_threads - 1) / tail_threads;
  const int begin = min(width, thread * piece), end = min(width, begin + piece);
  double sum = 0;
  for (int i = end; i-- > begin;) sum += values[i];
  pieces[thread] = sum;
  __syncthreads();
  for (int step = 1; step < tail_threads; step *= 2) {
    const double behind = thread + step < tail_threads ? pieces[thread + step] : 0;
    __syncthreads();
    pieces[thread] += behind;
    __syncthreads();
  }
  sum = thread + 1 < tail_threads ? pieces[thread + 1] : 0;
  for (int i = end; i-- > begin;) values[i] = sum += values[i];
  __syncthreads();
}

/// P(A + B >= least) is the sum over a of P(A = a) P(B >= least - a).
__global__ void __launch_bounds__(tail_threads)
    tail_kernel(TailNodes in, const TailEnd* ends, const std::uint32_t* least, double* tails) {
  __shared__ double pieces[tail_threads];
  const TailEnd end = ends[blockIdx.x];
  const std::uint32_t behind = end.first + end.nodes - 1;
  const TailNode b = in.nodes[behind];
  double* const at_least = in.values + std::size_t{behind} * in.stride;
  sum_from_behind(at_least, b.width, pieces);
  const TailNode a = end.nodes > 1 ? in.nodes[end.first] : of_no_rows();
  const double* const a_values = in.values + std::size_t{end.first} * in.stride;
  const std::int64_t wanted = std::int64_t{least[end.cover]} - a.low - b.low;
  const int thread = static_cast<int>(threadIdx.x);
  double sum = 0;
  for (int i = thread; i < a.width; i += tail_threads) {
    const std::int64_t from = wanted - i;
    if (from >= b.width) continue;
    sum = fma(end.nodes > 1 ? a_values[i] : 1.0, at_least[from < 0 ? 0 : from], sum);
  }
  pieces[thread] = sum;
  for (int step = tail_threads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (thread < step) pieces[thread] += pieces[thread + step];
  }
  if (thread == 0) tails[end.cover] = pieces[0] < 1 ? pieces[0] : 1;
}

}  // namespace

void launch_joins(const TailNodes& in, const TailJoin* joins, std::uint32_t count, double exponent,
                  const TailNodes& out, cudaStream_t stream) {
  if (count == 0) return;
  const dim3 blocks(count, (out.stride + block_counts - 1) / block_counts);
  join_kernel<<<blocks, join_threads, 0, stream>>>(in, joins, exponent, out);
  check(cudaGetLastError());
}

void launch_tails(const TailNodes& in, const TailEnd* ends, std::uint32_t count,
                  const std::uint32_t* least, double* tails, cudaStream_t stream) {
  if (count == 0) return;
  tail_kernel<<<count, tail_threads, 0, stream>>>(in, ends, least, tails);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
