#include "cuda/host/padded_column.hpp"

#include <span>

namespace atl::cuda {

void write_padded_column(const Dataset& dataset, std::uint32_t attribute,
                         std::vector<std::uint32_t>& out) {
  out.assign(padded_rows(dataset.rows()), missing_code);
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    dataset.codes(
        p, attribute,
        std::span(out).subspan(dataset.partition_first_row(p), dataset.partition_rows(p)));
  }
}

}  // namespace atl::cuda
