#include <algorithm>

#include "cuda/device/handles.hpp"
#include "cuda/published/pittsburgh_kernels.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t reduction_threads = 128;  // sections 3.2.2 and 3.3.2
constexpr std::uint32_t cells = 4;
constexpr std::uint32_t most_blocks = 65535;  // of a grid's height

/// A rule's interpreter (Listing 1). A comparison with NaN, a missing value, is false, `!=` too.
__device__ bool covers(const float* rule, std::uint32_t instance, const PittsburghRows& rows) {
  float stack[pittsburgh_levels];
  int sp = 0;
  const auto push = [&](bool truth) { stack[sp++] = truth ? 1.0F : 0.0F; };
  const auto pop = [&] { return stack[--sp]; };
  for (int bufp = 0;;) {
    const auto symbol = static_cast<PittsburghSymbol>(static_cast<int>(rule[bufp]));
    if (symbol <= PittsburghSymbol::not_equal) {
      const auto attribute = static_cast<std::uint32_t>(rule[bufp + 1]);
      const auto op1 =
          static_cast<float>(rows.instances[std::size_t{rows.stride} * attribute + instance]);
      const float op2 = rule[bufp + 2];
      bufp += 3;
      switch (symbol) {
        case PittsburghSymbol::greater:
          push(op1 > op2);
          break;
        case PittsburghSymbol::greater_equal:
          push(op1 >= op2);
          break;
        case PittsburghSymbol::less:
          push(op1 < op2);
          break;
        case PittsburghSymbol::less_equal:
          push(op1 <= op2);
          break;
        case PittsburghSymbol::equal:
          push(op1 == op2);
          break;
        default:
          push(op1 < op2 || op1 > op2);
          break;
      }
      continue;
    }
    ++bufp;
    switch (symbol) {
      case PittsburghSymbol::conjunction: {
        const float op1 = pop();
        const float op2 = pop();
        push(op1 * op2 == 1);
        break;
      }
      case PittsburghSymbol::disjunction: {
        const float op1 = pop();
        const float op2 = pop();
        push(op1 + op2 >= 1);
        break;
      }
      case PittsburghSymbol::negation:
        push(pop() == 0);
        break;
      default:
        return sp == 0 || pop() == 1;
    }
  }
}

/// Listing 1. Width: individuals; height: instances; depth: rules.
/// @param first  instance of the grid
__global__ void coverage_kernel(PittsburghRows rows, PittsburghIndividuals individuals,
                                std::uint32_t first) {
  const std::uint32_t instance = first + blockDim.y * blockIdx.y + threadIdx.y;
  const std::uint32_t index = gridDim.z * blockIdx.x + blockIdx.z;
  const float* const rule = individuals.rules[index];
  if (instance >= rows.rows || rule == nullptr) return;
  const std::size_t memory_index = std::size_t{index} * rows.stride + instance;
  const bool own = rows.classes[instance] == individuals.consequents[index];
  Match match;
  if (covers(rule, instance, rows)) {
    match = own ? Match::true_positive : Match::false_positive;
  } else {
    match = own ? Match::false_negative : Match::true_negative;
  }
  individuals.matches[memory_index] = static_cast<std::uint8_t>(match);
}

/// Listing 2. Width: individuals; depth: rules.
__global__ void rules_fitness_kernel(PittsburghRows rows, PittsburghIndividuals individuals,
                                     PittsburghRuleResult* results) {
  __shared__ std::uint32_t confusion_matrix[reduction_threads * cells];
  const std::uint32_t index = gridDim.z * blockIdx.x + blockIdx.z;
  if (individuals.rules[index] == nullptr) return;
  const std::uint8_t* const matches = individuals.matches + std::size_t{index} * rows.stride;
  for (std::uint32_t c = 0; c < cells; ++c) {
    confusion_matrix[threadIdx.y + reduction_threads * c] = 0;
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.y; i < rows.rows; i += reduction_threads) {
    ++confusion_matrix[threadIdx.y * cells + matches[i]];
  }
  __syncthreads();
  std::uint32_t sum = 0;
  if (threadIdx.y < cells) {
    for (std::uint32_t i = 0; i < reduction_threads; ++i) {
      sum += confusion_matrix[i * cells + threadIdx.y];
    }
  }
  __syncthreads();
  if (threadIdx.y < cells) {
    confusion_matrix[threadIdx.y] = sum;
    results[index].cells[threadIdx.y] = sum;
  }
  __syncthreads();
  if (threadIdx.y != 0) return;
  const auto share = [&](Match part, Match rest) {
    const std::uint32_t count = confusion_matrix[static_cast<int>(part)];
    if (count == 0) return 0.0;
    return count / static_cast<double>(count + confusion_matrix[static_cast<int>(rest)]);
  };
  results[index].fitness = share(Match::true_positive, Match::false_negative) *
                           share(Match::true_negative, Match::false_positive);
}

/// Listing 3. Width: individuals; height: instances.
/// @param first  instance of the grid
__global__ void classification_kernel(PittsburghRows rows, PittsburghIndividuals individuals,
                                      std::uint32_t first) {
  const std::uint32_t instance = first + blockDim.y * blockIdx.y + threadIdx.y;
  if (instance >= rows.rows) return;
  const std::size_t individual = blockIdx.x;
  std::uint8_t* const correct = individuals.correct + individual * rows.stride + instance;
  for (std::uint32_t i = 0; i < individuals.most_rules; ++i) {
    const std::size_t index = individual * individuals.most_rules + i;
    if (individuals.rules[index] == nullptr) break;
    const auto match = static_cast<Match>(individuals.matches[index * rows.stride + instance]);
    if (match == Match::true_positive) {
      *correct = 1;
      return;
    }
    if (match == Match::false_positive) {
      *correct = 0;
      return;
    }
  }
  *correct = rows.classes[instance] == individuals.defaults[individual] ? 1 : 0;
}

/// Listing 4. Width: individuals.
__global__ void sets_fitness_kernel(PittsburghRows rows, PittsburghIndividuals individuals,
                                    PittsburghSetResult* results) {
  __shared__ std::uint32_t counts[reduction_threads];
  const std::uint8_t* const correct = individuals.correct + std::size_t{blockIdx.x} * rows.stride;
  counts[threadIdx.y] = 0;
  for (std::uint32_t i = threadIdx.y; i < rows.rows; i += reduction_threads) {
    counts[threadIdx.y] += correct[i];
  }
  __syncthreads();
  if (threadIdx.y != 0) return;
  std::uint32_t predictions = counts[0];
  for (std::uint32_t i = 1; i < reduction_threads; ++i) predictions += counts[i];
  results[blockIdx.x].correct = predictions;
  results[blockIdx.x].fitness = rows.rows == 0 ? 0 : predictions / static_cast<double>(rows.rows);
}

/// Calls launch(first instance, blocks of the grid's height) until all instances have a thread.
template <typename Launch>
void for_each_grid(const PittsburghRows& rows, std::uint32_t threads, const Launch& launch) {
  const std::uint32_t blocks = (rows.rows + threads - 1) / threads;
  for (std::uint32_t first = 0; first < blocks; first += most_blocks) {
    launch(first * threads, std::min(most_blocks, blocks - first));
    check(cudaGetLastError());
  }
}

}  // namespace

void launch_rule_coverage(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                          std::uint32_t threads, cudaStream_t stream) {
  if (individuals.individuals == 0 || individuals.most_rules == 0) return;
  for_each_grid(rows, threads, [&](std::uint32_t first, std::uint32_t height) {
    const dim3 grid(individuals.individuals, height, individuals.most_rules);
    coverage_kernel<<<grid, dim3(1, threads), 0, stream>>>(rows, individuals, first);
  });
}

void launch_rules_fitness(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                          PittsburghRuleResult* results, cudaStream_t stream) {
  if (individuals.individuals == 0 || individuals.most_rules == 0) return;
  const dim3 grid(individuals.individuals, 1, individuals.most_rules);
  rules_fitness_kernel<<<grid, dim3(1, reduction_threads), 0, stream>>>(rows, individuals, results);
  check(cudaGetLastError());
}

void launch_set_classification(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                               std::uint32_t threads, cudaStream_t stream) {
  if (individuals.individuals == 0) return;
  for_each_grid(rows, threads, [&](std::uint32_t first, std::uint32_t height) {
    const dim3 grid(individuals.individuals, height);
    classification_kernel<<<grid, dim3(1, threads), 0, stream>>>(rows, individuals, first);
  });
}

void launch_sets_fitness(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                         PittsburghSetResult* results, cudaStream_t stream) {
  if (individuals.individuals == 0) return;
  sets_fitness_kernel<<<individuals.individuals, dim3(1, reduction_threads), 0, stream>>>(
      rows, individuals, results);
  check(cudaGetLastError());
}

std::uint32_t coverage_blocks(std::uint32_t threads) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, coverage_kernel,
                                                      static_cast<int>(threads), 0));
  return static_cast<std::uint32_t>(blocks);
}

std::uint32_t processor_threads() {
  int device = 0;
  int threads = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  return static_cast<std::uint32_t>(threads);
}

}  // namespace atl::cuda
