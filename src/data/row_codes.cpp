#include "src/data/row_codes.hpp"

#include <algorithm>
#include <string>

#include "src/core/error.hpp"

namespace atl {
namespace {

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
