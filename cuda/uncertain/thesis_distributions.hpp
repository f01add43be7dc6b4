// Distributions of supports by the tree of Kozawa 2016, Figure 3.4.
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/device/handles.hpp"
#include "cuda/uncertain/thesis_fft.hpp"
#include "cuda/uncertain/thesis_pipeline.hpp"

namespace atl::cuda {

/// Joins the distributions of single transactions, of several sets of one rank at once. For one
/// thread and its device.
class ThesisDistributions {
 public:
  /// Makes ready for so many sets of a rank. @throws BackendUnavailable if transforms are needed
  /// and cuFFT is missing, or memory does not suffice
  void prepare(std::uint32_t sets, std::uint32_t rank, const ThesisOptions& options);
  /// [4 * 2^rank] where the single distributions of a set go. @pre prepare()
  double* leaves(std::uint32_t set, std::uint32_t rank) const noexcept {
    return distributions_.data() + (std::size_t{set} << (rank + 2));
  }
  /// Joins all, and sums their tails up. Asynchronous. @pre prepare() with the same arguments, and
  /// leaves are written
  /// @param tails  [sets] overwritten
  void join(std::uint32_t sets, std::uint32_t rank, std::uint32_t least,
            const ThesisOptions& options, double* tails, cudaStream_t stream);

 private:
  DeviceBuffer<double> distributions_;  // [sets][2^rank][4]
  DeviceBuffer<double2> spectra_;
  std::unique_ptr<FftPlans> plans_;  // from the first transform on
};

/// Levels that are joined in shared memory, of a tree of so many.
std::uint32_t levels_in_shared_memory(std::uint32_t rank, const ThesisOptions& options) noexcept;

}  // namespace atl::cuda
