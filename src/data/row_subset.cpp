#include "src/data/row_subset.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "src/data/binning.hpp"
#include "src/data/bit_planes.hpp"

namespace atl {

namespace {

/// A column of the subset, and what its codes were.
struct Column {
  Attribute attribute;
  std::vector<std::uint32_t> codes;  // [rows of the subset]
};

/// The attribute with the values that some row has.
/// @param counts  [codes]
/// @param new_codes  [codes] set for these
Attribute with_values_of(const Attribute& exact, std::span<const std::uint64_t> counts,
                         std::vector<std::uint32_t>& new_codes) {
  Attribute attribute = exact;
  attribute.low.clear();
  attribute.high.clear();
  attribute.labels.clear();
  attribute.counts.clear();
  new_codes.assign(counts.size(), missing_code);
  for (std::uint32_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0 && exact.kind != AttributeKind::ordinal) continue;
    new_codes[code] = static_cast<std::uint32_t>(attribute.counts.size());
    attribute.counts.push_back(counts[code]);
    if (has_numbers(exact.kind)) {
      attribute.low.push_back(exact.low[code]);
      attribute.high.push_back(exact.high[code]);
    } else {
      attribute.labels.push_back(exact.labels[code]);
    }
  }
  attribute.exact_distinct = attribute.counts.size();
  return attribute;
}

void bin(Column& column, std::uint32_t max_bins) {
  Attribute& attribute = column.attribute;
  if (max_bins == 0 || attribute.distinct() <= max_bins) return;
  const std::vector<std::uint32_t> ends = bin_ends(attribute.counts, max_bins);
  for (std::uint32_t& code : column.codes) {
    if (code == missing_code) continue;
    const auto its = std::lower_bound(ends.begin(), ends.end(), code);
    code = static_cast<std::uint32_t>(its - ends.begin());
  }
  attribute = apply_bins(attribute, ends);
}

Column column_of(const Dataset& exact, std::uint32_t index, std::span<const std::uint8_t> keep,
                 const std::function<std::uint32_t(const Attribute&)>& max_bins) {
  const Attribute& its = exact.attributes()[index];
  Column column;
  std::vector<std::uint64_t> counts(its.distinct(), 0);
  std::uint64_t missing = 0;
  const std::vector<std::uint32_t> codes = all_codes(exact, index);
  for (std::size_t row = 0; row < keep.size(); ++row) {
    if (keep[row] == 0) continue;
    column.codes.push_back(codes[row]);
    if (codes[row] == missing_code) {
      ++missing;
    } else {
      ++counts[codes[row]];
    }
  }
  std::vector<std::uint32_t> new_codes;
  column.attribute = with_values_of(its, counts, new_codes);
  column.attribute.missing = missing;
  column.attribute.has_missing = missing > 0;
  for (std::uint32_t& code : column.codes) {
    if (code != missing_code) code = new_codes[code];
  }
  if (has_numbers(its.kind) && its.ordered()) bin(column, max_bins(its));
  return column;
}

}  // namespace

Dataset row_subset(const Dataset& exact, std::span<const std::uint8_t> keep,
                   const std::function<std::uint32_t(const Attribute&)>& max_bins) {
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;
  for (std::uint32_t a = 0; a < exact.attributes().size(); ++a) {
    Column column = column_of(exact, a, keep, max_bins);
    attributes.push_back(std::move(column.attribute));
    columns.push_back(std::move(column.codes));
  }
  return make_dataset(std::move(attributes), columns);
}

}  // namespace atl
