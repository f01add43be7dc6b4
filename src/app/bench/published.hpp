// Figures of Cano, Luna and Ventura 2013, "High performance evaluation of evolutionary-mined
// association rules on GPUs": one thread and four of an Intel i7, one and two NVIDIA GTX 480.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace atl {

/// Of the implementations: one CPU thread, four, one GPU, two.
struct PublishedFigures {
  double cpu = 0, cpus4 = 0, gpu = 0, gpus2 = 0;
};

/// Numbers of rules that each line of the tables has figures for.
inline constexpr std::array<std::uint32_t, 4> published_rules = {25, 50, 100, 200};

/// Table 4: symbols times rows a second, for rules of 58 symbols.
struct PublishedRates {
  std::uint64_t rows;
  PublishedFigures rates[published_rules.size()];
};

/// Table 5: seconds to evaluate the rules.
struct PublishedDataset {
  const char* name;
  const char* file;  ///< its usual name; empty if it is generated or not to be had
  std::uint64_t rows;
  std::uint32_t attributes;
  PublishedFigures seconds[published_rules.size()];
};

std::span<const PublishedRates> published_rates() noexcept;
std::span<const PublishedDataset> published_datasets() noexcept;

}  // namespace atl
