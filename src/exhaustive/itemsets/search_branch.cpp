#include "src/exhaustive/itemsets/search_branch.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace atl {
namespace {

constexpr const char* lost = "a search does not find the way to where it was stopped";

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

Bytes encode(const SearchRange& range) {
  ByteWriter out;
  out.put_all(std::span<const std::uint32_t>(range.way));
  out.put(range.first);
  out.put(range.end);
  return std::move(out).take();
}

SearchRange decode_range(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  SearchRange range;
  range.way = in.get_all<std::uint32_t>();
  range.first = in.get<std::uint32_t>();
  range.end = in.get<std::uint32_t>();
  in.expect_end();
  require_bytes(range.first <= range.end, "a part of a search ends before it begins");
  return range;
}

void put(ByteWriter& out, ItemsetTally& tally) {
  const std::vector<ItemsetTally::Entry> entries = tally.entries();
  out.put(std::uint64_t{entries.size()});
  for (const ItemsetTally::Entry& entry : entries) {
    out.put(entry.perfect);
    out.put(entry.length);
    out.put(entry.sets);
  }
}

void get_tally(ByteReader& in, ItemsetTally& tally, std::uint64_t items) {
  const std::size_t entries = in.get_count(24);
  for (std::size_t k = 0; k < entries; ++k) {
    const auto perfect = in.get<std::uint64_t>();
    const auto length = in.get<std::uint64_t>();
    require_bytes(perfect <= items && length <= items, "a set has more items than there are");
    tally.add(static_cast<std::size_t>(perfect), static_cast<std::size_t>(length),
              in.get<std::uint64_t>());
  }
}

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
  if (branch.far) {  // the search finds its way as it did before
    loop.next = 0;
    loop.end = loop.columns != nullptr ? loop.columns->items : loop.rows->ranks();
  }
  return loop;
}

std::uint64_t outermost_items(const std::vector<SearchRange>& parts) {
  std::uint64_t items = 0;
  const std::uint32_t* last = nullptr;  // of the parts inside one item
  for (const SearchRange& part : parts) {
    if (part.way.empty()) {
      items += part.end - part.first;
    } else if (last == nullptr || *last != part.way[0]) {
      last = &part.way[0];
      ++items;
    }
  }
  return items;
}

SearchRange range_of(const Branch& branch) {
  return {branch.way, static_cast<std::uint32_t>(branch.first),
          static_cast<std::uint32_t>(branch.end)};
}

void SearchTrail::begin(const Branch& branch) {
  base_ = branch.items;
  way_.clear();
  to_steer_ = 0;
  if (branch.far) {
    steer_to(range_of(branch));
  } else {
    way_ = branch.way;
  }
}

void SearchTrail::steer_to(SearchRange target) {
  target_ = std::move(target);
  to_steer_ = target_.way.size() + 1;
}

void SearchTrail::expect_arrived() const {
  if (to_steer_ != 0) throw BadBytes(lost);
}

void SearchTrail::steer(OpenLoop& loop) {
  if (loops_.size() < to_steer_) {
    if (target_.way[loops_.size() - 1] >= loop.end) throw BadBytes(lost);
    loop.next = target_.way[loops_.size() - 1];
    loop.end = loop.next + 1;
    return;
  }
  to_steer_ = 0;
  loop.next = target_.first;
  loop.end = std::min<std::size_t>(loop.end, target_.end);
  arrive(loop);
}

std::vector<std::uint32_t> SearchTrail::way_to(std::size_t loop) const {
  std::vector<std::uint32_t> way = way_;
  for (std::size_t k = 0; k < loop; ++k) {
    way.push_back(static_cast<std::uint32_t>(loops_[k]->next - 1));
  }
  return way;
}

std::vector<SearchRange> SearchTrail::left() const {
  std::vector<SearchRange> ranges;
  for (std::size_t l = loops_.size(); l-- > 0;) {
    const OpenLoop& loop = *loops_[l];
    if (loop.next >= loop.end) continue;
    ranges.push_back(
        {way_to(l), static_cast<std::uint32_t>(loop.next), static_cast<std::uint32_t>(loop.end)});
  }
  return ranges;
}

void RootTrail::arrive(OpenLoop& loop) {
  root_.prefix = loop.prefix;
  root_.node = loop.node ? loop.node : copy_of(loop);
  root_.end = loop.end;
  loop.next = loop.end;
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
    branch.way = way_to(l);
    branch.prefix = loop.prefix;
    branch.node = loop.node ? loop.node : copy_of(loop);
    branch.end = loop.end;
    branch.first = loop.end = loop.next + (loop.end - loop.next) / 2;
    break;
  }
  return branch;
}

}  // namespace atl
