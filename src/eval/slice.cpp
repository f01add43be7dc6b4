#include <algorithm>
#include <numeric>

#include "src/eval/slice_kernel.hpp"

namespace atl {
namespace {

void grow(AlignedWords& words, std::size_t size) {
  if (words.size() < size) words = AlignedWords(size);
}

template <typename Count>
void add_each(std::vector<Count>& to, const std::vector<Count>& from) noexcept {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

void BatchCounters::reset(const Batch& batch) {
  rules.assign(batch.rules().size() * 3, 0);
  present.assign(batch.present_sets(), 0);
  support_words =
      batch.options().comparison_supports ? batch.comparisons().size() * support_lanes : 0;
  grow(supports, support_words);
  std::fill_n(supports.data(), support_words, 0);
  const auto& mean = batch.options().mean;
  sums.assign(mean ? batch.rules().size() : 0, 0);
  squares.assign(mean && mean->deviations ? batch.rules().size() : 0, 0);
  hashes.assign(batch.options().coverage_hashes ? batch.rules().size() * 2 : 0, 0);
}

void BatchCounters::add(const BatchCounters& other) noexcept {
  add_each(rules, other.rules);
  add_each(present, other.present);
  add_each(hashes, other.hashes);
  add_each(sums, other.sums);
  add_each(squares, other.squares);
  for (std::size_t i = 0; i < support_words; ++i) supports.data()[i] += other.supports.data()[i];
}

std::uint64_t BatchCounters::support(std::uint32_t position) const noexcept {
  const std::uint64_t* const lanes = supports.data() + position * support_lanes;
  return std::accumulate(lanes, lanes + support_lanes, std::uint64_t{0});
}

void Slice::reserve(const Dataset& dataset, const Batch& batch) {
  const auto attributes = dataset.attributes();
  first_plane.assign(attributes.size(), nullptr);
  plane_count.assign(attributes.size(), 0);
  has_present.assign(attributes.size(), false);
  ahead.assign(attributes.size(), nullptr);
  std::size_t count = 0;
  for (const std::uint32_t a : batch.attributes()) {
    plane_count[a] = attributes[a].planes();
    has_present[a] = attributes[a].has_missing;
    count += plane_count[a] + (has_present[a] ? 1U : 0U);
  }
  grow(planes, count * slice_words);
  const std::uint64_t* next = planes.data();
  for (const std::uint32_t a : batch.attributes()) {
    first_plane[a] = next;
    next += (plane_count[a] + (has_present[a] ? 1U : 0U)) * slice_words;
  }
  std::size_t group_terms = 0;
  std::size_t group_rules = 0;
  for (const RuleGroup& group : batch.groups()) {
    group_terms = std::max<std::size_t>(group_terms, group.terms);
    group_rules = std::max<std::size_t>(group_rules, group.end_rule - group.first_rule);
  }
  grow(rows, slice_words);
  if (terms.size() < group_terms * tile_words) {
    terms = AlignedWords(group_terms * tile_words);
    std::fill_n(terms.data(), terms.size(), ~std::uint64_t{0});
  }
  grow(tallies, group_rules * tile_words);
  grow(bases, batch.present_sets() * slice_words);
  if (batch.options().coverage_hashes) row_hashes.resize(slice_words * 64);
}

void Slice::load(const Dataset& dataset, const Batch& batch, std::uint64_t number) {
  index = number;
  const std::uint64_t slices_per_partition =
      std::max<std::uint64_t>(1, words_for(dataset.partition_rows(0)) / slice_words);
  // Partitions are full but for the last.
  const std::size_t partition =
      std::min<std::size_t>(index / slices_per_partition, dataset.partitions() - 1);
  const std::size_t word = (index - partition * slices_per_partition) * slice_words;
  const std::size_t copied = std::min(slice_words, dataset.words(partition) - word);
  words = (copied + tile_words - 1) / tile_words * tile_words;
  const std::uint64_t row_in_shard = dataset.partition_first_row(partition) + word * 64;
  first_row = dataset.first_row() + row_in_shard;

  const std::uint64_t left = dataset.rows() - row_in_shard;
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t in_word = left > w * 64 ? left - w * 64 : 0;
    rows.data()[w] = in_word >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << in_word) - 1;
  }
  const std::size_t stride = dataset.plane_stride(partition);
  const bool has_next = word + 2 * slice_words <= dataset.words(partition);
  ahead_stride = stride;
  std::uint64_t* to = planes.data();
  for (const std::uint32_t a : batch.attributes()) {
    const std::uint64_t* from = dataset.plane(partition, a, 0).data() + word;
    ahead[a] = has_next ? from + slice_words : nullptr;
    const std::uint32_t count = plane_count[a] + (has_present[a] ? 1U : 0U);
    for (std::uint32_t plane = 0; plane < count; ++plane) {
      std::copy_n(from, copied, to);
      std::fill_n(to + copied, words - copied, 0);
      from += stride;
      to += slice_words;
    }
  }
}

std::uint64_t slices_of(const Dataset& dataset) noexcept {
  return (words_for(dataset.rows()) + slice_words - 1) / slice_words;
}

}  // namespace atl
