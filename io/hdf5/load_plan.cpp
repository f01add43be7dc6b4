#include "io/hdf5/load_plan.hpp"

#include <algorithm>
#include <utility>

#include "io/hdf5/dataset_tables.hpp"
#include "src/core/error.hpp"
#include "src/data/binning.hpp"

namespace atl::io {
namespace {

void check_names(const LoadOptions& options, const std::vector<Attribute>& attributes) {
  for (const auto& entry : options.attribute_bins) {
    const std::string& name = entry.first;
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& a) { return a.name == name; });
    if (found == attributes.end()) {
      throw UsageError("bins for attribute " + printable(name) + ", which the data do not have");
    }
    if (!has_numbers(found->kind)) {
      throw UsageError("bins for attribute " + printable(name) + ", which is " +
                       to_string(found->kind) + ", not numeric");
    }
  }
}

std::uint32_t max_bins(const LoadOptions& options, const std::string& name) {
  if (options.exact == name) return 0;
  const auto found = options.attribute_bins.find(name);
  return found == options.attribute_bins.end() ? options.max_bins : found->second;
}

bool is_to_be_labels(const LoadOptions& options, const Attribute& attribute) {
  const auto& names = options.labels;
  const auto bins = options.attribute_bins.find(attribute.name);
  const bool cut = bins != options.attribute_bins.end() && bins->second != 0 &&
                   attribute.distinct() > bins->second;
  return !cut && can_be_labels(attribute) &&
         std::find(names.begin(), names.end(), attribute.name) != names.end();
}

}  // namespace

LoadPlan make_load_plan(DatasetSummary summary, const LoadOptions& options) {
  check_names(options, summary.attributes);
  LoadPlan plan;
  plan.rows = summary.rows;
  plan.partition_rows = summary.partition_rows;
  plan.fingerprint = summary.fingerprint;
  plan.extent = planes_extent(summary.rows, summary.partition_rows, summary.attributes);
  for (Attribute& attribute : summary.attributes) {
    attribute.as_labels = is_to_be_labels(options, attribute);
    const std::uint32_t bins = max_bins(options, attribute.name);
    const bool binned = has_numbers(attribute.kind) && !attribute.as_labels && bins != 0 &&
                        attribute.distinct() > bins;
    plan.bin_ends.push_back(binned ? bin_ends(attribute.counts, bins)
                                   : std::vector<std::uint32_t>{});
    plan.attributes.push_back(binned ? apply_bins(attribute, plan.bin_ends.back())
                                     : std::move(attribute));
  }
  return plan;
}

}  // namespace atl::io
