// Figures of two papers. Cano, Luna and Ventura 2013, "High performance evaluation of
// evolutionary-mined association rules on GPUs": one thread and four of an Intel i7, one and two
// NVIDIA GTX 480. Cano, Zafra and Ventura 2014, "Parallel evaluation of Pittsburgh rule-based
// classifiers on GPUs": two Intel Xeon E5645, of which one core, four and twelve, and one and two
// NVIDIA GTX 480.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace atl {

/// All that is called after Pittsburgh is the paper's of 2014.
struct PittsburghFigures {
  double cpu, cpus4, cpus12, gpu, gpus2;
};

struct PittsburghSize {
  std::uint32_t population;
  double operations;                           ///< symbols times rows of all rules
  PittsburghFigures interpreter_milliseconds;  ///< Table 3
  PittsburghFigures evaluation_seconds;        ///< Table 4
};

/// A data set of Table 2.
struct PittsburghData {
  const char* name;
  const char* file;  ///< its usual name; empty if it is generated or not to be had
  std::uint64_t rows;
  std::uint32_t attributes;  ///< without the class
  std::uint32_t classes;
  PittsburghSize sizes[4];
};
std::span<const PittsburghData> pittsburgh_data() noexcept;

/// Table 5: the best rate of a device, and its greatest power by its data sheet.
struct PittsburghPower {
  const char* device;
  double watts;
  double operations_per_second;
};
std::span<const PittsburghPower> pittsburgh_power() noexcept;

/// Figures of the implementations: one CPU thread, four, one GPU, two.
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

/// Table 6: seconds of kernels and transfers on one GPU, of rules and data that are not stated.
struct PublishedStages {
  double upload = 11.456e-6;
  double coverage = 2 * 0.303e-3;   ///< antecedents, then consequents
  double reduction = 2 * 0.169e-3;  ///< likewise
  double fitness = 0.143e-3;
  double download = 56.906e-6;
  double serial = 1.49e-3;
  double concurrent = 1.08e-3;
};

/// The figures that a line of the tables has for a number of rules, if it has any.
std::optional<PublishedFigures> figures_for(std::uint32_t rules,
                                            std::span<const PublishedFigures> line);

std::span<const PublishedRates> published_rates() noexcept;
std::span<const PublishedDataset> published_datasets() noexcept;

}  // namespace atl
