// The kernels of Listings 1 to 3, Cano, Luna and Ventura 2013, mended as
// docs/concepts/published-pipeline.md says.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "cuda/published/published_fitness.hpp"

namespace atl::cuda {

/// The rows, on the device.
struct PublishedRows {
  const std::uint32_t* codes = nullptr;  ///< [attributes][stride]
  std::uint32_t stride = 0;              ///< padded_rows(rows)
  std::uint32_t rows = 0;
};

/// The coverage kernel's result for the expressions of a side: a byte, 0 or 1, a row. It is on the
/// device, with the stride of the rows.
struct CoverageBytes {
  std::uint8_t* expressions = nullptr;  ///< [expressions][stride]
  std::uint8_t* conditions = nullptr;   ///< [conditions][stride]
};

/// The fitness kernel's result for a rule.
struct PublishedRuleResult {
  PublishedFitness fitness;
  std::uint32_t cells[4];  ///< rows of neither, of the consequent only, the antecedent only, both
};

/// Address on the device of the constant memory that expressions are uploaded to, constant_words
/// words.
std::uint32_t* expression_words();

// All launches are asynchronous.

/// @param first_word  of the side's words in expression_words()
/// @param levels  of the stack, at most 48
void launch_coverage(const PublishedRows& rows, std::uint32_t first_word, std::uint32_t expressions,
                     std::uint32_t levels, const CoverageBytes& to, cudaStream_t stream);
/// @param supports  [conditions] overwritten
void launch_reduction(const PublishedRows& rows, const std::uint8_t* bytes,
                      std::uint32_t conditions, std::uint32_t* supports, cudaStream_t stream);
/// @param antecedents, consequents  [rules][stride]
/// @param results  [rules] overwritten
void launch_fitness(const PublishedRows& rows, const std::uint8_t* antecedents,
                    const std::uint8_t* consequents, std::uint32_t rules,
                    PublishedRuleResult* results, cudaStream_t stream);

}  // namespace atl::cuda
