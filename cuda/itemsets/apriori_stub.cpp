// Stands in for the level-wise search on a GPU in builds without CUDA.
#include "cuda/host/reasons.hpp"
#include "cuda/itemsets/apriori_counter.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

std::unique_ptr<AprioriCounter> make_apriori_counter(const ItemBitmaps&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", not_built);
}

}  // namespace atl::cuda
