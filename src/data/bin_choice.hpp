// Which attributes of a table are binned, and how finely.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"

namespace atl {

struct BinChoice {
  std::uint32_t max_bins = 256;                         ///< 0 = exact
  std::map<std::string, std::uint32_t> attribute_bins;  ///< max_bins of single attributes
  std::optional<std::string> exact;  ///< an attribute that keeps every value; need not exist
  /// Attributes whose values are taken as labels where they can be, and then are not binned unless
  /// attribute_bins says so; need not exist.
  std::vector<std::string> labels;
};

struct BinPlan {
  std::vector<Attribute> attributes;                 ///< binned
  std::vector<std::vector<std::uint32_t>> bin_ends;  ///< [attributes] empty if not binned
};

/// @param exact  with the counts of all rows
/// @throws UsageError if attribute_bins names what is neither numeric nor a date
BinPlan plan_bins(std::vector<Attribute> exact, const BinChoice& choice);

/// The same rows, in as many partitions, binned as a dataset file is when it is loaded.
/// @param exact  not binned, all rows held
/// @throws as plan_bins()
Dataset with_bins(const Dataset& exact, const BinChoice& choice, ThreadPool& pool);

}  // namespace atl
