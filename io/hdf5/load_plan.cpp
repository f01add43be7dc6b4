#include "io/hdf5/load_plan.hpp"

#include <utility>

#include "io/hdf5/dataset_tables.hpp"
#include "src/data/bin_choice.hpp"

namespace atl::io {

LoadPlan make_load_plan(DatasetSummary summary, const LoadOptions& options) {
  LoadPlan plan;
  plan.rows = summary.rows;
  plan.partition_rows = summary.partition_rows;
  plan.fingerprint = summary.fingerprint;
  plan.extent = planes_extent(summary.rows, summary.partition_rows, summary.attributes);
  BinPlan bins = plan_bins(std::move(summary.attributes), {options.max_bins, options.attribute_bins,
                                                           options.exact, options.labels});
  plan.attributes = std::move(bins.attributes);
  plan.bin_ends = std::move(bins.bin_ends);
  return plan;
}

}  // namespace atl::io
