#include "src/eval/slice_kernel.hpp"

namespace atl {

namespace {

void grow(AlignedWords& words, std::size_t size) {
  if (words.size() < size) words = AlignedWords(size);
}

void add_each(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) noexcept {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

void BatchCounters::reset(const Batch& batch) {
  rules.assign(batch.rules().size() * 3, 0);
  present.assign(batch.present_sets(), 0);
  supports.assign(batch.options().comparison_supports ? batch.comparisons().size() : 0, 0);
  hashes.assign(batch.options().coverage_hashes ? batch.rules().size() * 2 : 0, 0);
}

void BatchCounters::add(const BatchCounters& other) noexcept {
  add_each(rules, other.rules);
  add_each(present, other.present);
  add_each(supports, other.supports);
  add_each(hashes, other.hashes);
}

void SliceScratch::reserve(const Batch& batch) {
  grow(slots, batch.slots() * slice_words);
  grow(stack, batch.stack() * slice_words);
  grow(bases, batch.present_sets() * slice_words);
  grow(covers, 2 * slice_words);
  if (batch.options().coverage_hashes) row_hashes.resize(slice_words * 64);
}

}  // namespace atl
