#include "src/data/bin_choice.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "src/core/error.hpp"
#include "src/data/binning.hpp"

namespace atl {
namespace {

void check_names(const BinChoice& choice, const std::vector<Attribute>& attributes) {
  for (const auto& entry : choice.attribute_bins) {
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

std::uint32_t max_bins(const BinChoice& choice, const std::string& name) {
  if (choice.exact == name) return 0;
  const auto found = choice.attribute_bins.find(name);
  return found == choice.attribute_bins.end() ? choice.max_bins : found->second;
}

bool is_to_be_labels(const BinChoice& choice, const Attribute& attribute) {
  const auto& names = choice.labels;
  const auto bins = choice.attribute_bins.find(attribute.name);
  const bool cut = bins != choice.attribute_bins.end() && bins->second != 0 &&
                   attribute.distinct() > bins->second;
  return !cut && can_be_labels(attribute) &&
         std::find(names.begin(), names.end(), attribute.name) != names.end();
}

}  // namespace

BinPlan plan_bins(std::vector<Attribute> exact, const BinChoice& choice) {
  check_names(choice, exact);
  BinPlan plan;
  for (Attribute& attribute : exact) {
    attribute.as_labels = is_to_be_labels(choice, attribute);
    const std::uint32_t bins = max_bins(choice, attribute.name);
    const bool binned = has_numbers(attribute.kind) && !attribute.as_labels && bins != 0 &&
                        attribute.distinct() > bins;
    plan.bin_ends.push_back(binned ? bin_ends(attribute.counts, bins)
                                   : std::vector<std::uint32_t>{});
    plan.attributes.push_back(binned ? apply_bins(attribute, plan.bin_ends.back())
                                     : std::move(attribute));
  }
  return plan;
}

Dataset with_bins(const Dataset& exact, const BinChoice& choice, ThreadPool& pool) {
  const auto before = exact.attributes();
  BinPlan plan = plan_bins({before.begin(), before.end()}, choice);
  std::size_t planes = 0;
  for (const Attribute& attribute : before) {
    assert(!attribute.binned());
    planes += attribute.planes() + (attribute.has_missing ? 1U : 0U);
  }
  const std::uint64_t rows = exact.partitions() == 0 ? 0 : exact.partition_rows(0);
  const std::uint64_t granules =
      std::max<std::uint64_t>(1, (rows + partition_granule - 1) / partition_granule);
  DatasetBuilder builder(std::move(plan.attributes),
                         static_cast<std::uint32_t>(granules * partition_granule));
  for (std::size_t p = 0; p < exact.partitions(); ++p) {
    const std::span words(exact.plane(p, 0, 0).data(), planes * exact.plane_stride(p));
    builder.append_planes(exact.partition_rows(p), words, plan.bin_ends, &pool);
  }
  return builder.finish(exact.fingerprint());
}

}  // namespace atl
