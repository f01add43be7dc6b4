// Makes the counts of each decision list from the counters of a batch.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "src/eval/list_batch.hpp"
#include "src/eval/rule_set_scorer.hpp"

namespace atl {

/// @param class_rows  [classes] among the rows that were counted
/// @param covered  [classes][counters of the batch]
/// @param decided  [classes][entries of the batch]
/// @param out  [lists] overwritten
template <typename Counts>
void read_list_counts(const ListBatch& batch, const std::vector<std::uint64_t>& class_rows,
                      const Counts& covered, const Counts& decided, std::span<RuleSetCounts> out) {
  const std::size_t classes = class_rows.size();
  assert(out.size() + 1 == batch.first_entry().size());
  for (std::size_t l = 0; l < out.size(); ++l) {
    const std::uint32_t first = batch.first_entry()[l];
    const std::size_t rules = batch.first_entry()[l + 1] - first;
    out[l].covered.resize(rules * classes);
    out[l].decided.resize((rules + 1) * classes);
    for (std::size_t c = 0; c < classes; ++c) {
      std::uint64_t left = class_rows[c];
      for (std::size_t r = 0; r < rules; ++r) {
        const std::uint64_t rows = decided[c * batch.entries() + first + r];
        out[l].covered[r * classes + c] =
            covered[c * batch.counters() + batch.covered_by()[first + r]];
        out[l].decided[r * classes + c] = rows;
        left -= rows;
      }
      out[l].decided[rules * classes + c] = left;
    }
  }
}

}  // namespace atl
