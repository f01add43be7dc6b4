#include "src/rules/item_table.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "src/core/error.hpp"
#include "src/data/transactions/item_attribute.hpp"
#include "src/rules/item_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Less than what is asked for where the codes of a partition, which some readers of a table hold,
/// would take much memory.
std::uint32_t fitting(std::uint32_t partition_rows, std::size_t attributes) {
  constexpr std::size_t most_codes = std::size_t{1} << 26;
  const std::size_t granules =
      most_codes / std::max<std::size_t>(attributes, 1) / partition_granule;
  return std::min(partition_rows,
                  static_cast<std::uint32_t>(
                      std::clamp<std::size_t>(granules, 1, partition_rows / partition_granule) *
                      partition_granule));
}

}  // namespace

TransactionSet label_items(const Dataset& dataset) {
  if (dataset.rows() >= std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError("too many rows for itemsets: " + std::to_string(dataset.rows()));
  }
  const auto attributes = dataset.attributes();
  std::vector<std::string> names;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> kept;  // attribute, its first item
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    if (has_numbers(attributes[a].kind)) continue;
    kept.emplace_back(a, static_cast<std::uint32_t>(names.size()));
    const std::string name = quoted_if_needed(attributes[a].name, relation_characters);
    for (const std::string& label : attributes[a].labels) {
      names.push_back(name + '=' + quoted_if_needed(label, {}));
    }
  }
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  std::vector<std::vector<std::uint32_t>> codes(kept.size());
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      codes[k].resize(dataset.partition_rows(p));
      dataset.codes(p, kept[k].first, codes[k]);
    }
    for (std::size_t row = 0; row < dataset.partition_rows(p); ++row) {
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (codes[k][row] != missing_code) items.push_back(kept[k].second + codes[k][row]);
      }
      starts.push_back(items.size());
    }
  }
  return {std::move(names), std::move(starts), std::move(items)};
}

Dataset item_table(const TransactionSet& transactions, const std::vector<std::string>& names,
                   std::uint32_t partition_rows, Fingerprint fingerprint) {
  std::unordered_map<std::string, std::uint32_t> places;
  for (const std::string& name : names) {
    places.emplace(item_text(name), static_cast<std::uint32_t>(places.size()));
  }
  std::vector<std::uint32_t> attribute_of(transactions.item_count(), none);
  std::vector<std::uint64_t> supports(names.size(), 0);
  for (std::uint32_t item = 0; item < transactions.item_count(); ++item) {
    const auto place = places.find(transactions.name(item));
    if (place == places.end()) continue;
    attribute_of[item] = place->second;
    supports[place->second] = transactions.supports()[item];
  }
  std::vector<Attribute> attributes;
  for (std::size_t a = 0; a < names.size(); ++a) {
    attributes.push_back(item_attribute(names[a], supports[a], transactions.size()));
  }
  partition_rows = fitting(partition_rows, names.size());
  DatasetBuilder builder(std::move(attributes), partition_rows);
  std::vector<std::uint64_t> planes;
  for (std::uint64_t first = 0; first < transactions.size(); first += partition_rows) {
    const std::uint64_t rows = std::min<std::uint64_t>(partition_rows, transactions.size() - first);
    const std::size_t stride = words_for(rows);
    planes.assign(names.size() * stride, 0);
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::uint64_t bit = std::uint64_t{1} << (row % 64);
      for (const std::uint32_t item :
           transactions.transaction(static_cast<std::uint32_t>(first + row))) {
        if (attribute_of[item] != none) planes[attribute_of[item] * stride + row / 64] |= bit;
      }
    }
    builder.append_planes(rows, planes);
  }
  return builder.finish(fingerprint);
}

}  // namespace atl
