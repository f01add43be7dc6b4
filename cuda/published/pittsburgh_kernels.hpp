// The kernels of Listings 1 to 4, Cano, Zafra and Ventura 2014, mended as
// docs/concepts/published-pipeline.md says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/host/pittsburgh_format.hpp"

namespace atl::cuda {

/// The rows, on the device.
struct PittsburghRows {
  const double* instances = nullptr;  ///< [attributes][stride] codes, NaN where there is no value
  const std::int32_t* classes = nullptr;  ///< [rows]
  std::uint32_t rows = 0;
  std::uint32_t stride = 0;  ///< padded_instances(rows)
};

/// Individuals on the device, and what the kernels say of them. Pointers of rules that a shorter
/// individual does not have are null.
struct PittsburghIndividuals {
  std::uint32_t individuals = 0;
  std::uint32_t most_rules = 0;
  const float* const* rules = nullptr;        ///< [individuals][most_rules]
  const std::int32_t* consequents = nullptr;  ///< likewise
  const std::int32_t* defaults = nullptr;     ///< [individuals]
  std::uint8_t* matches = nullptr;            ///< [individuals][most_rules][stride] of Match
  std::uint8_t* correct = nullptr;            ///< [individuals][stride] 1 or 0
};

struct PittsburghRuleResult {
  double fitness;          ///< sensitivity x specificity
  std::uint32_t cells[4];  ///< rows of each Match
};
struct PittsburghSetResult {
  double fitness;  ///< accuracy
  std::uint32_t correct;
};

// All launches are asynchronous. Results that belong to no rule are not written.

/// @param threads  of a block
void launch_rule_coverage(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                          std::uint32_t threads, cudaStream_t stream);
/// @param results  [individuals][most_rules] overwritten
void launch_rules_fitness(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                          PittsburghRuleResult* results, cudaStream_t stream);
void launch_set_classification(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                               std::uint32_t threads, cudaStream_t stream);
/// @param results  [individuals] overwritten
void launch_sets_fitness(const PittsburghRows& rows, const PittsburghIndividuals& individuals,
                         PittsburghSetResult* results, cudaStream_t stream);

/// Blocks of the coverage kernel that a processor has at once.
std::uint32_t coverage_blocks(std::uint32_t threads);
/// Threads that a processor has room for.
std::uint32_t processor_threads();

}  // namespace atl::cuda
