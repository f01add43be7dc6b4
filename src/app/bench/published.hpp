// Figures of Cano, Luna and Ventura 2013, "High performance evaluation of evolutionary-mined
// association rules on GPUs": one thread and four of an Intel i7, one and two NVIDIA GTX 480.
#pragma once

#include <cstdint>
#include <span>

namespace atl {

/// A row of Table 4: symbols times rows a second, for rules of 58 symbols.
struct PublishedRate {
  std::uint64_t rows;
  std::uint32_t rules;
  double cpu, cpus4, gpu, gpus2;
};

/// Seconds to evaluate so many rules, a row of Table 5.
struct PublishedTime {
  std::uint32_t rules;
  double cpu, cpus4, gpu, gpus2;
};
struct PublishedDataset {
  const char* name;
  const char* file;  ///< its usual name; empty if it is generated or not to be had
  std::uint64_t rows;
  std::uint32_t attributes;
  PublishedTime times[4];
};

std::span<const PublishedRate> published_rates() noexcept;
std::span<const PublishedDataset> published_datasets() noexcept;

}  // namespace atl
