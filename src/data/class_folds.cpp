#include "src/data/class_folds.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>
#include <tuple>

#include "src/core/row_hash.hpp"

namespace atl {

namespace {

/// Equal rows have the same; others differ, but for a chance of 2^-64 for each pair.
std::vector<std::uint64_t> row_hashes(const Dataset& dataset) {
  const auto attributes = static_cast<std::uint32_t>(dataset.attributes().size());
  std::vector<std::uint64_t> hashes(dataset.rows(), 0);
  std::vector<std::uint32_t> codes;
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const auto its =
        std::span(hashes).subspan(dataset.partition_first_row(p), dataset.partition_rows(p));
    codes.resize(its.size());
    for (std::uint32_t a = 0; a < attributes; ++a) {
      dataset.codes(p, a, codes);
      for (std::size_t r = 0; r < its.size(); ++r) {
        its[r] = row_hash((its[r] ^ codes[r]) + 0x9e3779b97f4a7c15u);
      }
    }
  }
  return hashes;
}

/// Rows that are equal.
struct Group {
  std::uint32_t label;  // their class
  std::uint64_t drawn;  // by the seed
  std::uint64_t hash;
  std::vector<std::uint64_t>::const_iterator first, last;
};

}  // namespace

std::vector<std::uint8_t> class_folds(const Dataset& dataset, std::uint32_t class_attribute,
                                      std::uint32_t folds, std::uint64_t seed) {
  assert(folds >= 1 && folds <= most_folds);
  std::vector<std::uint8_t> fold(dataset.rows(), 0);
  if (folds == 1) return fold;
  const std::vector<std::uint64_t> hashes = row_hashes(dataset);
  std::vector<std::uint64_t> rows(hashes.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::sort(rows.begin(), rows.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::tie(hashes[a], a) < std::tie(hashes[b], b);
  });

  std::vector<Group> groups;
  for (auto first = rows.cbegin(); first != rows.cend();) {
    const std::uint64_t hash = hashes[*first];
    const auto last =
        std::find_if(first, rows.cend(), [&](std::uint64_t row) { return hashes[row] != hash; });
    groups.push_back({dataset.code(*first, class_attribute), row_hash(hash ^ row_hash(seed + 1)),
                      hash, first, last});
    first = last;
  }
  // The large ones first, so that the small ones make up for them.
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    const auto size_a = a.last - a.first, size_b = b.last - b.first;
    return std::tie(a.label, size_b, a.drawn, a.hash) < std::tie(b.label, size_a, b.drawn, b.hash);
  });

  std::vector<std::uint64_t> of_class(folds), of_all(folds, 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == 0 || groups[g].label != groups[g - 1].label) {
      std::fill(of_class.begin(), of_class.end(), 0);
    }
    std::uint32_t least = 0;
    for (std::uint32_t f = 1; f < folds; ++f) {
      if (std::tie(of_class[f], of_all[f]) < std::tie(of_class[least], of_all[least])) least = f;
    }
    for (auto row = groups[g].first; row != groups[g].last; ++row) {
      fold[*row] = static_cast<std::uint8_t>(least);
    }
    const auto size = static_cast<std::uint64_t>(groups[g].last - groups[g].first);
    of_class[least] += size;
    of_all[least] += size;
  }
  return fold;
}

}  // namespace atl
