#include "src/rules/label_items.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/core/error.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

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

}  // namespace atl
