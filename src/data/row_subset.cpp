#include "src/data/row_subset.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "src/data/binning.hpp"
#include "src/data/bit_planes.hpp"

namespace atl {
namespace {

constexpr std::uint32_t partition_rows = 65536;

/// An attribute as it becomes, and what becomes of its codes.
struct Recoding {
  Attribute attribute;
  std::vector<std::uint32_t> codes;  // [codes before] those of now
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

void bin(Recoding& recoding, std::uint32_t max_bins) {
  Attribute& attribute = recoding.attribute;
  if (max_bins == 0 || attribute.distinct() <= max_bins) return;
  const std::vector<std::uint32_t> ends = bin_ends(attribute.counts, max_bins);
  for (std::uint32_t& code : recoding.codes) {
    if (code == missing_code) continue;
    const auto its = std::lower_bound(ends.begin(), ends.end(), code);
    code = static_cast<std::uint32_t>(its - ends.begin());
  }
  attribute = apply_bins(attribute, ends);
}

Recoding recoding_of(const Attribute& exact, std::span<const std::uint64_t> counts,
                     std::uint64_t missing,
                     const std::function<std::uint32_t(const Attribute&)>& max_bins) {
  Recoding recoding;
  recoding.attribute = with_values_of(exact, counts, recoding.codes);
  recoding.attribute.missing = missing;
  recoding.attribute.has_missing = missing > 0;
  if (has_numbers(exact.kind) && exact.ordered()) bin(recoding, max_bins(exact));
  return recoding;
}

/// Hands on the cells of an attribute that are kept, partition by partition.
template <typename Take>
void for_each_cell(const Dataset& exact, std::size_t partition, std::uint32_t attribute,
                   std::span<const std::uint8_t> keep, std::vector<std::uint32_t>& codes,
                   Take&& take) {
  const std::uint64_t first = exact.partition_first_row(partition);
  codes.resize(exact.partition_rows(partition));
  exact.codes(partition, attribute, codes);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (keep[first + row] != 0) take(codes[row]);
  }
}

std::vector<Recoding> recodings_of(const Dataset& exact, std::span<const std::uint8_t> keep,
                                   const std::function<std::uint32_t(const Attribute&)>& max_bins) {
  std::vector<Recoding> recodings;
  std::vector<std::uint32_t> codes;
  for (std::uint32_t a = 0; a < exact.attributes().size(); ++a) {
    std::vector<std::uint64_t> counts(exact.attributes()[a].distinct(), 0);
    std::uint64_t missing = 0;
    for (std::size_t p = 0; p < exact.partitions(); ++p) {
      for_each_cell(exact, p, a, keep, codes,
                    [&](std::uint32_t code) { ++(code == missing_code ? missing : counts[code]); });
    }
    recodings.push_back(recoding_of(exact.attributes()[a], counts, missing, max_bins));
  }
  return recodings;
}

}  // namespace

Dataset row_subset(const Dataset& exact, std::span<const std::uint8_t> keep,
                   const std::function<std::uint32_t(const Attribute&)>& max_bins) {
  const std::vector<Recoding> recodings = recodings_of(exact, keep, max_bins);
  std::vector<Attribute> attributes;
  for (const Recoding& recoding : recodings) attributes.push_back(recoding.attribute);
  DatasetBuilder builder(std::move(attributes), partition_rows);
  std::vector<std::vector<std::uint32_t>> columns(recodings.size());  // rows that are not handed on
  std::vector<std::uint32_t> codes;
  std::uint64_t rows = 0;  // of the columns
  const auto hand_on = [&](std::uint64_t count) {
    std::vector<std::span<const std::uint32_t>> part;
    for (const auto& column : columns) part.push_back(std::span(column).first(count));
    builder.append(count, part);
    for (auto& column : columns) {
      column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(count));
    }
    rows -= count;
  };
  for (std::size_t p = 0; p < exact.partitions(); ++p) {
    for (std::uint32_t a = 0; a < columns.size(); ++a) {
      for_each_cell(exact, p, a, keep, codes, [&](std::uint32_t code) {
        columns[a].push_back(code == missing_code ? code : recodings[a].codes[code]);
      });
    }
    rows = columns.empty() ? 0 : columns.front().size();
    while (rows >= partition_rows) hand_on(partition_rows);
  }
  if (rows > 0) hand_on(rows);
  return builder.finish(exact.fingerprint());
}

}  // namespace atl
