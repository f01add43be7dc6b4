#include "src/sampling/picked_rows.hpp"

#include <algorithm>
#include <array>

#include "src/sampling/code_filter.hpp"

namespace atl {

namespace {

constexpr std::size_t block = IntervalSample::block_rows;
static_assert(block == filter_rows);
constexpr std::size_t block_words = block / 64;

/// @param first  row
void limit(const IntervalSample& sample, const Comparison& c, std::size_t first,
           std::uint64_t* rows) {
  sample.with_codes(c.attribute, [&]<typename Code>(const Code* codes) {
    filter(CodeFilter<Code>{static_cast<Code>(c.low), static_cast<Code>(c.high), c.negated,
                            static_cast<Code>(sample.distinct(c.attribute))},
           codes + first, rows);
  });
}

std::size_t positives_of(std::span<const std::uint32_t> rows) {
  std::uint32_t positives = 0;
  for (const std::uint32_t row : rows) positives += row % 2;
  return positives;
}

}  // namespace

PickedRows::PickedRows(const IntervalSample& sample)
    : sample_(sample),
      rows_(std::make_unique_for_overwrite<std::uint32_t[]>(sample.enough() + block + spare_rows)) {
  constexpr std::size_t many = 64;
  for (auto* comparisons : {&rest_, &positives_}) comparisons->reserve(many);
}

bool PickedRows::are_of(const IntervalTrial& trial) const noexcept {
  if (!std::equal(trial.positives.begin(), trial.positives.end(), positives_.begin(),
                  positives_.end()))
    return false;
  std::size_t at = 0;
  for (const Comparison& c : trial.rest) {
    if (c.attribute == trial.attribute) continue;
    if (at == rest_.size() || !(rest_[at] == c)) return false;
    ++at;
  }
  return at == rest_.size();
}

void PickedRows::be_of(const IntervalTrial& trial) {
  rest_.clear();
  for (const Comparison& c : trial.rest) {
    if (c.attribute != trial.attribute) rest_.push_back(c);
  }
  positives_.assign(trial.positives.begin(), trial.positives.end());
  looked_at_ = picked_ = counted_ = 0;
  positives_picked_ = counted_positives_ = 0;
}

void PickedRows::pick(std::size_t count) {
  for (; picked_ < count && looked_at_ < sample_.rows(); looked_at_ += block) {
    std::array<std::uint64_t, block_words> among;
    among.fill(~std::uint64_t{0});
    if (const std::size_t left = sample_.rows() - looked_at_; left < block) {
      for (std::size_t w = 0; w < block_words; ++w) {
        const std::size_t beyond = std::min(left, w * 64);
        among[w] =
            left - beyond >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (left - beyond)) - 1;
      }
    }
    for (const Comparison& c : rest_) limit(sample_, c, looked_at_, among.data());
    auto hits = among;
    for (const Comparison& c : positives_) limit(sample_, c, looked_at_, hits.data());
    const ListedRows listed = list_rows(
        among.data(), hits.data(), static_cast<std::uint32_t>(looked_at_), rows_.get() + picked_);
    picked_ += listed.rows;
    positives_picked_ += listed.marked;
  }
}

PickedRows::Some PickedRows::first(std::size_t count) {
  count = std::min(count, sample_.enough());
  pick(count);
  const std::span<const std::uint32_t> picked(rows_.get(), picked_);
  const auto rows = picked.first(std::min(count, picked_));
  if (rows.size() != counted_) {
    const auto beyond = picked.subspan(rows.size());
    counted_positives_ =
        beyond.size() < rows.size() ? positives_picked_ - positives_of(beyond) : positives_of(rows);
    counted_ = rows.size();
  }
  return {rows, static_cast<std::int64_t>(counted_positives_)};
}

}  // namespace atl
