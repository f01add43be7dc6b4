// The level-wise search beside Tang and Wang 2014, "Design and implementation of Apriori on GPU".
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cuda/device/visible_devices.hpp"
#include "src/bench/dataset_bench.hpp"
#include "src/bench/stopwatch.hpp"

namespace atl {

/// What the text says of Figures 7 and 8, whose curves have no numbers: the share of time that each
/// improvement saves. None: "slower".
struct AprioriFigures {
  std::uint32_t transactions;
  std::optional<double> reduction;  ///< Figure 7: the flagged reduction
  double generator;                 ///< Figure 8: the generator without idle blocks
};
inline constexpr std::array<AprioriFigures, 3> apriori_figures = {
    {{1000, std::nullopt, 0.38}, {5000, 0.201, 0.32}, {10000, 0.161, 0.253}}};

/// A step of the paper's search in its three variants.
struct AprioriStep {
  Timing one_core;  ///< loops
  /// Seconds of the kernel, medians; only with a GPU.
  std::optional<double> plain, improved;

  /// Share of time that the improvement saves.
  std::optional<double> saved() const {
    if (!plain || !improved) return std::nullopt;
    return 1 - *improved / *plain;
  }
};

/// All pairs of the frequent items of so many transactions.
struct AprioriRecord {
  const AprioriFigures* paper = nullptr;
  std::uint32_t items = 0;  ///< frequent
  std::uint64_t candidates = 0;
  std::string backend;
  unsigned threads = 1;
  std::optional<cuda::VisibleDevice> device;  ///< only of CUDA
  AprioriStep counting, generation;
  // Ours makes no candidates of pairs: both steps are one.
  Timing one_core;               ///< of ours on one thread
  std::optional<Timing> ours;    ///< on the backend, to supports on the host, if that is another
  std::optional<double> kernel;  ///< of it the kernel
  std::optional<double> words_per_second;      ///< words of 32 transactions ANDed, by the kernel
  std::optional<double> popcounts_per_second;  ///< that the GPU counts at most, measured
};

/// Figures 7 and 8.
/// @param sink  called with each record as soon as it is there
/// @throws BackendUnavailable before anything reaches the sink
/// @throws InternalError if two ways count differently
void bench_apriori(const BenchMachine& machine,
                   const std::function<void(const AprioriRecord&)>& sink);

}  // namespace atl
