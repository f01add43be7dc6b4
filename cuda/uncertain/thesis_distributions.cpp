#include "cuda/uncertain/thesis_distributions.hpp"

#include <algorithm>
#include <cstddef>

#include "cuda/uncertain/thesis_convolutions.hpp"

namespace atl::cuda {

std::uint32_t levels_in_shared_memory(std::uint32_t rank, const ThesisOptions& options) noexcept {
  if (options.shared == ThesisShared::none) return 0;
  return std::min({rank, options.shared_levels, most_shared_levels});
}

void ThesisDistributions::prepare(std::uint32_t sets, std::uint32_t rank,
                                  const ThesisOptions& options) {
  distributions_.reserve(std::size_t{sets} << (rank + 2));
  const std::uint32_t first = levels_in_shared_memory(rank, options);
  if (first == rank) return;
  if (plans_ == nullptr) plans_ = std::make_unique<FftPlans>();
  const std::size_t distributions = std::size_t{sets} << (rank - first);
  spectra_.reserve(distributions * ((std::size_t{2} << first) + 1));
  for (std::uint32_t level = first; level < rank; ++level) {
    plans_->prepare(4U << level, sets << (rank - level - 1));
  }
}

void ThesisDistributions::join(std::uint32_t sets, std::uint32_t rank, std::uint32_t least,
                               const ThesisOptions& options, double* tails, cudaStream_t stream) {
  double* const distributions = distributions_.data();
  const std::uint32_t first = levels_in_shared_memory(rank, options);
  launch_shared_levels(distributions, sets << (rank - first), first,
                       options.shared == ThesisShared::gather, stream);
  for (std::uint32_t level = first; level < rank; ++level) {
    const std::uint32_t size = 4U << level, pairs = sets << (rank - level - 1);
    plans_->transform(distributions, spectra_.data(), size, pairs, stream);
    launch_spectrum_products(spectra_.data(), pairs, size, stream);
    plans_->invert(spectra_.data(), distributions, size, pairs, stream);
    if (level + 1 < rank) launch_zero_padding(distributions, pairs, size, stream);
  }
  launch_tail_sums(distributions, sets, rank, least, tails, stream);
}

}  // namespace atl::cuda
