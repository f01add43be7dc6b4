#include "src/exhaustive/search_branch.hpp"

#include <algorithm>

namespace atl {

namespace {

template <typename T>
T* copied(const T* from, std::size_t count, WordStack& stack) {
  T* const to = stack.array<T>(count);
  std::copy_n(from, count, to);
  return to;
}

bool is_worth_sharing(const OpenLoop& loop) {
  return loop.rows != nullptr ? loop.rows->starts.back() >= SearchTrail::least_entries
                              : loop.columns->items >= SearchTrail::least_items;
}

std::shared_ptr<const SearchNode> copy_of(const OpenLoop& loop) {
  const auto node = std::make_shared<SearchNode>();
  if (loop.rows != nullptr) {
    const RankedRows& rows = *loop.rows;
    node->rows.starts = rows.starts;
    node->rows.entries.assign(rows.entries.begin(), rows.entries.begin() + rows.starts.back());
    node->rows.weights = rows.weights;
    node->rows.supports = rows.supports;
    node->rows.names = rows.names;
    node->index.set(node->rows, loop.with_ends);
    return node;
  }
  BitColumns columns = *loop.columns;
  columns.words = copied(columns.words, columns.word_rows * columns.stride, node->memory);
  columns.shifts = copied(columns.shifts, columns.word_rows, node->memory);
  columns.supports = copied(columns.supports, columns.items, node->memory);
  columns.names = copied(columns.names, columns.items, node->memory);
  node->columns = columns;
  return node;
}

}  // namespace

void RowIndex::set(const RankedRows& rows, bool with_ends) {
  const std::size_t entries = rows.starts.back();
  first.assign(rows.ranks() + 2, 0);
  for (std::size_t k = 0; k < entries; ++k) ++first[rows.entries[k] + 2];
  for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
  if (row.size() < entries) row.resize(entries);
  if (with_ends && end.size() < entries) end.resize(entries);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::uint32_t k = rows.starts[r]; k < rows.starts[r + 1]; ++k) {
      const std::uint32_t at = first[rows.entries[k] + 1]++;
      row[at] = {rows.starts[r], rows.weights[r]};
      if (with_ends) end[at] = rows.starts[r + 1];
    }
  }
}

OpenLoop loop_of(const Branch& branch) {
  const SearchNode& node = *branch.node;
  OpenLoop loop{branch.prefix, branch.first, branch.end};
  loop.node = branch.node;
  if (node.columns.words != nullptr) {
    loop.columns = &node.columns;
  } else {
    loop.rows = &node.rows;
    loop.with_ends = !node.index.end.empty();
  }
  return loop;
}

Branch SearchTrail::split(bool with_items) {
  Branch branch;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    OpenLoop& loop = *loops_[l];
    if (loop.next >= loop.end) continue;
    if (!is_worth_sharing(loop)) break;  // and what it has left comes behind all loops inside it
    if (with_items) {
      branch.items = base_;
      for (std::size_t k = 0; k < l; ++k) {
        const OpenLoop& outer = *loops_[k];
        branch.items.push_back(outer.name());
        branch.items.insert(branch.items.end(), outer.perfect, outer.perfect + outer.perfects);
      }
    }
    branch.prefix = loop.prefix;
    branch.node = loop.node ? loop.node : copy_of(loop);
    branch.end = loop.end;
    branch.first = loop.end = loop.next + (loop.end - loop.next) / 2;
    break;
  }
  return branch;
}

}  // namespace atl
