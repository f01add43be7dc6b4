#include "src/data/row_codes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "src/core/error.hpp"
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

/// Where fewer than one row of so many is asked for, rows are picked one by one. Otherwise it is
/// faster to decode all of them, 64 at a time.
constexpr std::uint64_t rows_for_one = 4;

/// Rows of a partition, one by one.
/// @param first  row of the dataset that the partition begins with
/// @param codes  [rows] zero at first
void pick(const Dataset& dataset, std::size_t partition, std::uint32_t attribute,
          std::span<const std::uint64_t> rows, std::span<std::uint32_t> codes) {
  const std::uint64_t first = dataset.partition_first_row(partition);
  const auto bit = [&](std::span<const std::uint64_t> plane, std::size_t i) {
    const std::uint64_t row = rows[i] - first;
    return static_cast<std::uint32_t>(plane[row / 64] >> row % 64 & 1);
  };
  const std::uint32_t planes = dataset.attributes()[attribute].planes();
  for (std::uint32_t b = 0; b < planes; ++b) {
    const auto plane = dataset.plane(partition, attribute, b);
    for (std::size_t i = 0; i < rows.size(); ++i) codes[i] |= bit(plane, i) << b;
  }
  const auto present = dataset.present(partition, attribute);
  if (present.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (bit(present, i) == 0) codes[i] = missing_code;
  }
}

/// Codes of rows of a partition that is not here.
std::vector<std::uint32_t> kept_codes(const Dataset& dataset, std::uint32_t attribute,
                                      std::span<const std::uint64_t> rows) {
  const KeptRows* const kept = dataset.kept_rows();
  const std::span<const std::uint64_t> known =
      kept != nullptr ? std::span(kept->rows) : std::span<const std::uint64_t>();
  std::vector<std::uint64_t> places;
  for (const std::uint64_t row : rows) {
    const auto place = std::lower_bound(known.begin(), known.end(), row);
    if (place == known.end() || *place != row) {
      throw InternalError("row " + std::to_string(row) +
                          " was asked for, which this host does not hold");
    }
    places.push_back(static_cast<std::uint64_t>(place - known.begin()));
  }
  return codes_of(kept->table, attribute, places);
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

std::vector<std::uint32_t> codes_of(const Dataset& dataset, std::uint32_t attribute,
                                    std::span<const std::uint64_t> rows) {
  std::vector<std::uint32_t> codes(rows.size());
  std::vector<std::uint32_t> decoded;  // of a partition
  auto begin = rows.begin();
  for (std::size_t p = 0; p < dataset.partitions() && begin != rows.end(); ++p) {
    const std::uint64_t first = dataset.partition_first_row(p);
    const std::uint64_t count = dataset.partition_rows(p);
    const auto end = std::lower_bound(begin, rows.end(), first + count);
    const std::span<const std::uint64_t> here(begin, end);
    const auto out =
        std::span(codes).subspan(static_cast<std::size_t>(begin - rows.begin()), here.size());
    begin = end;
    if (here.empty()) continue;
    if (!dataset.holds(p)) {
      const std::vector<std::uint32_t> kept = kept_codes(dataset, attribute, here);
      std::copy(kept.begin(), kept.end(), out.begin());
      continue;
    }
    if (here.size() < count / rows_for_one) {
      pick(dataset, p, attribute, here, out);
      continue;
    }
    decoded.resize(count);
    dataset.codes(p, attribute, decoded);
    for (std::size_t i = 0; i < here.size(); ++i) out[i] = decoded[here[i] - first];
  }
  return codes;
}

}  // namespace atl
