#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/host/published_format.hpp"
#include "cuda/published/published_kernels.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t reduction_threads = 128;  // sections 5.2 and 5.3
constexpr std::uint32_t cells = 4;
constexpr std::uint32_t most_blocks = 65535;  // of a grid's height
constexpr std::uint32_t missing = 0xFFFFFFFF;

__constant__ std::uint32_t words[constant_words];
extern __shared__ std::uint32_t stack_memory[];  // [levels][coverage_threads]

/// A thread's stack; the topmost value is in a register.
class Stack {
 public:
  __device__ Stack() : next_(stack_memory + threadIdx.y) {}
  __device__ void push(std::uint32_t value) {
    *next_ = top;
    next_ += coverage_threads;
    top = value;
  }
  __device__ std::uint32_t pop() {
    const std::uint32_t value = top;
    next_ -= coverage_threads;
    top = *next_;
    return value;
  }
  std::uint32_t top = 0;

 private:
  std::uint32_t* next_;
};

/// Interprets an expression on a row, and writes what each of its conditions is there.
/// @param position, end  of the expression's tokens
/// @param codes  of the row in the first column
/// @param conditions  of the row in the expression's first condition
__device__ std::uint32_t covers(std::uint32_t position, std::uint32_t end,
                                const std::uint32_t* codes, std::uint8_t* conditions,
                                std::uint32_t stride) {
  Stack stack;
  for (; position < end; ++position) {
    const std::uint32_t token = words[position];
    const std::uint32_t operand = token >> token_bits;
    const auto kind = static_cast<Token>(token & ((1U << token_bits) - 1));
    switch (kind) {
      case Token::attribute:
        stack.push(codes[std::uint64_t{operand} * stride]);
        continue;
      case Token::value:
        stack.push(words[++position]);
        continue;
      case Token::conjunction: {
        const std::uint32_t right = stack.pop();
        stack.top &= right;
        continue;
      }
      case Token::disjunction: {
        const std::uint32_t right = stack.pop();
        stack.top |= right;
        continue;
      }
      case Token::negation:
        stack.top ^= 1;
        continue;
      default:
        break;
    }
    const std::uint32_t high = stack.pop();
    bool holds = false;
    switch (kind) {
      case Token::at_most:
        holds = stack.top <= high;
        break;
      case Token::above:
        holds = stack.top > high && stack.top != missing;
        break;
      case Token::equal:
        holds = stack.top == high;
        break;
      case Token::unequal:
        holds = stack.top != high && stack.top != missing;
        break;
      default: {
        const std::uint32_t low = stack.pop();
        const bool inside = low <= stack.top && stack.top <= high;
        holds = kind == Token::inside ? inside : !inside && stack.top != missing;
      }
    }
    stack.top = holds ? 1 : 0;
    conditions[std::uint64_t{operand} * stride] = static_cast<std::uint8_t>(stack.top);
  }
  return stack.top;
}

/// Listing 1. An expression each block of the grid's width.
__global__ void __launch_bounds__(coverage_threads)
    coverage_kernel(PublishedRows rows, std::uint32_t first_word, std::uint32_t first_block,
                    CoverageBytes to) {
  std::uint32_t row = (first_block + blockIdx.y) * coverage_threads + threadIdx.y;
  asm volatile("" : "+r"(row));  // or it would be computed anew for each symbol
  const std::uint32_t begin = first_word + blockIdx.x;
  const std::uint32_t first_condition = words[begin + gridDim.x + 1];
  to.expressions[std::uint64_t{blockIdx.x} * rows.stride + row] = static_cast<std::uint8_t>(
      covers(first_word + words[begin], first_word + words[begin + 1], rows.codes + row,
             to.conditions + std::uint64_t{first_condition} * rows.stride + row, rows.stride));
}

/// Listing 2. A condition each block.
__global__ void __launch_bounds__(reduction_threads)
    reduction_kernel(PublishedRows rows, const std::uint8_t* bytes, std::uint32_t* supports) {
  __shared__ std::uint32_t counts[reduction_threads];
  const std::uint8_t* const condition = bytes + std::uint64_t{blockIdx.x} * rows.stride;
  std::uint32_t count = 0;
  for (std::uint32_t row = threadIdx.y; row < rows.rows; row += reduction_threads) {
    count += condition[row];
  }
  counts[threadIdx.y] = count;
  __syncthreads();
  if (threadIdx.y != 0) return;
  for (std::uint32_t i = 1; i < reduction_threads; ++i) count += counts[i];
  supports[blockIdx.x] = count;
}

/// The end of Listing 3.
__device__ PublishedFitness fitness_of(const std::uint32_t* table, std::uint32_t row_count) {
  const auto rows = static_cast<double>(row_count);
  const auto both = static_cast<double>(table[3]);
  const auto antecedent = static_cast<double>(table[2] + table[3]);
  const double x = antecedent / rows;
  const double y = static_cast<double>(table[1] + table[3]) / rows;
  PublishedFitness fitness;
  fitness.support = both / rows;
  fitness.confidence = both / antecedent;
  fitness.lift = fitness.support / (x * y);
  fitness.leverage = fitness.support - x * y;
  fitness.conviction = (x - x * y) / (x - fitness.support);
  return fitness;
}

/// Listing 3. A rule each block.
__global__ void __launch_bounds__(reduction_threads)
    fitness_kernel(PublishedRows rows, const std::uint8_t* antecedents,
                   const std::uint8_t* consequents, PublishedRuleResult* results) {
  __shared__ std::uint32_t table[reduction_threads * cells];
  const std::uint64_t first = std::uint64_t{blockIdx.x} * rows.stride;
  for (std::uint32_t cell = 0; cell < cells; ++cell) table[threadIdx.y * cells + cell] = 0;
  for (std::uint32_t row = threadIdx.y; row < rows.rows; row += reduction_threads) {
    ++table[threadIdx.y * cells + antecedents[first + row] * 2 + consequents[first + row]];
  }
  __syncthreads();
  if (threadIdx.y < cells) {
    for (std::uint32_t i = cells; i < reduction_threads * cells; i += cells) {
      table[threadIdx.y] += table[i + threadIdx.y];
    }
  }
  __syncthreads();
  if (threadIdx.y != 0) return;
  PublishedRuleResult& result = results[blockIdx.x];
  result.fitness = fitness_of(table, rows.rows);
  for (std::uint32_t cell = 0; cell < cells; ++cell) result.cells[cell] = table[cell];
}

}  // namespace

std::uint32_t* expression_words() {
  void* address = nullptr;
  check(cudaGetSymbolAddress(&address, words));
  return static_cast<std::uint32_t*>(address);
}

void launch_coverage(const PublishedRows& rows, std::uint32_t first_word, std::uint32_t expressions,
                     std::uint32_t levels, const CoverageBytes& to, cudaStream_t stream) {
  const std::uint32_t blocks = rows.stride / coverage_threads;
  const std::size_t stack_bytes = levels * coverage_threads * sizeof(std::uint32_t);
  for (std::uint32_t first = 0; first < blocks; first += most_blocks) {
    const dim3 grid(expressions, std::min(blocks - first, most_blocks));
    coverage_kernel<<<grid, dim3(1, coverage_threads), stack_bytes, stream>>>(rows, first_word,
                                                                              first, to);
    check(cudaGetLastError());
  }
}

void launch_reduction(const PublishedRows& rows, const std::uint8_t* bytes,
                      std::uint32_t conditions, std::uint32_t* supports, cudaStream_t stream) {
  if (conditions == 0) return;
  reduction_kernel<<<conditions, dim3(1, reduction_threads), 0, stream>>>(rows, bytes, supports);
  check(cudaGetLastError());
}

void launch_fitness(const PublishedRows& rows, const std::uint8_t* antecedents,
                    const std::uint8_t* consequents, std::uint32_t rules,
                    PublishedRuleResult* results, cudaStream_t stream) {
  fitness_kernel<<<rules, dim3(1, reduction_threads), 0, stream>>>(rows, antecedents, consequents,
                                                                   results);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
