// Recoding of numeric attributes with many values into bins, at load.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// The choice of which attributes of a table are binned, and how finely.
struct BinChoice {
  std::uint32_t max_bins = 256;                         ///< 0 = exact
  std::map<std::string, std::uint32_t> attribute_bins;  ///< max_bins of single attributes
  std::vector<std::string> exact;  ///< attributes that keep every value; need not exist
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

/// The same rows, in as many partitions, binned as a dataset file is when it is loaded. Counts are
/// those of these rows.
/// @param exact  not binned, all rows held: those of the plan, or some of them
Dataset with_bins(const Dataset& exact, const BinPlan& plan, ThreadPool& pool);

/// Last exact code of each bin, ascending; the final one is counts.size() - 1. At most max_bins
/// bins, ties together. Of the max_bins targets on the cumulative count, up to 8 divide the lowest
/// 1% of the rows evenly, up to 8 the highest 1% (max_bins / 8 each if that is less), and the rest
/// what lies between; a bin closes at the first value whose cumulative count reaches its target.
/// With t bins a tail and m = max_bins - 2 t the targets are, rounded up, k n / (100 t) for k
/// = 1..t, n / 100 + 98 k n / (100 m) for k = 1..m, 99 n / 100 + k n / (100 t) for k = 1..t;
/// without tails (max_bins < 8) k n / max_bins. A value that reaches several targets closes one
/// bin.
/// @param counts  rows of each exact code, none missing counted
/// @param max_bins  0 or counts.size() or more: every code its own bin
std::vector<std::uint32_t> bin_ends(std::span<const std::uint64_t> counts, std::uint32_t max_bins);

/// The attribute with its dictionary merged by the given bins.
Attribute apply_bins(const Attribute& exact, std::span<const std::uint32_t> ends);

}  // namespace atl
