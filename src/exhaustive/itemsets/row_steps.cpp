#include "src/exhaustive/itemsets/row_steps.hpp"

#include <algorithm>
#include <limits>

#include "src/exhaustive/itemsets/bit_columns.hpp"

namespace atl {
namespace {

constexpr std::uint32_t left_out = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <RowPart part>
void RowSteps<part>::make_room(std::size_t ranks) {
  counts_.assign(std::max(counts_.size(), ranks), 0);
  new_rank_.assign(std::max(new_rank_.size(), ranks), left_out);
}

/// Calls use(rank) with the items of the index's row k, which has the item.
template <RowPart part>
template <typename Use>
void RowSteps<part>::for_each_rank(const RankedRows& rows, const RowIndex& index,
                                   std::uint32_t item, std::uint32_t k, const Use& use) {
  const std::uint32_t* const entries = rows.entries.data();
  const std::uint32_t* at = entries + index.row[k].start;
  if constexpr (part == RowPart::before_item) {
    for (; *at != item; ++at) use(*at);
  } else {
    for (const std::uint32_t* const end = entries + index.end[k]; at != end; ++at) use(*at);
  }
}

/// Ranks from this one on have no counts.
template <RowPart part>
std::uint32_t RowSteps<part>::ranks_counted(const RankedRows& rows, std::uint32_t item) noexcept {
  return part == RowPart::before_item ? item : static_cast<std::uint32_t>(rows.ranks());
}

template <RowPart part>
void RowSteps<part>::count_with(const RankedRows& rows, const RowIndex& index, std::uint32_t item,
                                std::uint64_t min_count, std::vector<std::uint32_t>& frequent) {
  constexpr std::uint32_t ahead = 8;  // rows lie anywhere
  const std::uint32_t* const entries = rows.entries.data();
  std::uint32_t* const counts = counts_.data();
  const std::uint32_t end = index.first[item + 1];
  for (std::uint32_t k = index.first[item]; k < end; ++k) {
    if (k + ahead < end) __builtin_prefetch(entries + index.row[k + ahead].start);
    const std::uint32_t weight = index.row[k].weight;
    for_each_rank(rows, index, item, k, [&](std::uint32_t rank) { counts[rank] += weight; });
  }
  frequent.resize(rows.ranks() + frequent_slack);
  frequent.resize(find_frequent({counts, ranks_counted(rows, item)}, min_count, frequent.data()));
}

template <RowPart part>
void RowSteps<part>::clear_counts(const RankedRows& rows, const RowIndex& index,
                                  std::uint32_t item) {
  const std::uint32_t ranks = ranks_counted(rows, item);
  if (ranks / 64 <= index.first[item + 1] - index.first[item]) {
    std::fill_n(counts_.begin(), ranks, 0U);
    return;
  }
  for (std::uint32_t k = index.first[item]; k < index.first[item + 1]; ++k) {
    for_each_rank(rows, index, item, k, [&](std::uint32_t rank) { counts_[rank] = 0; });
  }
}

template <RowPart part>
void RowSteps<part>::project(const RankedRows& rows, const RowIndex& index, std::uint32_t item,
                             const std::vector<std::uint32_t>& kept, RankedRows& below) {
  std::uint32_t ranks = 0;
  for (const std::uint32_t rank : kept) new_rank_[rank] = ranks++;
  std::uint64_t most = 0;
  for (const std::uint32_t support : below.supports) most += support;
  most = std::min<std::uint64_t>(most, rows.starts.back());
  if (below.entries.size() <= most) below.entries.resize(most + 1);  // one is written too many
  const std::uint32_t* const new_rank = new_rank_.data();
  std::uint32_t* const to = below.entries.data();
  const std::size_t rows_of_item = index.first[item + 1] - index.first[item];
  below.starts.resize(rows_of_item + 1);
  below.weights.resize(rows_of_item);
  std::uint32_t size = 0;
  std::size_t kept_rows = 0;
  for (std::uint32_t k = index.first[item]; k < index.first[item + 1]; ++k) {
    for_each_rank(rows, index, item, k, [&](std::uint32_t rank) {
      to[size] = new_rank[rank];
      size += new_rank[rank] != left_out ? 1 : 0;
    });
    if (size == below.starts[kept_rows]) continue;
    below.weights[kept_rows] = index.row[k].weight;
    below.starts[++kept_rows] = size;
  }
  below.starts.resize(kept_rows + 1);
  below.weights.resize(kept_rows);
  for (const std::uint32_t rank : kept) new_rank_[rank] = left_out;
}

template class RowSteps<RowPart::before_item>;
template class RowSteps<RowPart::whole>;

}  // namespace atl
