#include "src/grammar/code_sampler.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace atl {
namespace {

constexpr double uniform_share = 0.25;

/// Moves a code within [lowest, highest] by a power of two, up to about a quarter of all codes.
bool step(std::uint32_t& code, std::uint32_t lowest, std::uint32_t highest, std::uint32_t distinct,
          RandomStream& stream) {
  if (lowest >= highest) return false;
  const auto sizes = static_cast<std::uint32_t>(std::bit_width(distinct / 8)) + 1;
  const std::uint32_t size = std::uint32_t{1} << stream.below(sizes);
  const bool up = code == lowest || (code != highest && stream.below(2) == 0);
  if (up)
    code += std::min(size, highest - code);
  else
    code -= std::min(size, code - lowest);
  return true;
}

}  // namespace

CodeSampler::CodeSampler(std::span<const Attribute> attributes)
    : attributes_(attributes), rows_up_to_(attributes.size()) {
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    const auto& counts = attributes[a].counts;
    if (counts.size() != attributes[a].distinct()) continue;
    rows_up_to_[a].resize(counts.size());
    std::partial_sum(counts.begin(), counts.end(), rows_up_to_[a].begin());
    if (!rows_up_to_[a].empty() && rows_up_to_[a].back() == 0) rows_up_to_[a].clear();
  }
}

std::uint32_t CodeSampler::draw_code(std::uint32_t attribute, RandomStream& stream) const {
  const auto& rows = rows_up_to_[attribute];
  if (rows.empty() || stream.chance(uniform_share))
    return static_cast<std::uint32_t>(stream.below(distinct(attribute)));
  const std::uint64_t row = stream.below(rows.back());
  return static_cast<std::uint32_t>(std::upper_bound(rows.begin(), rows.end(), row) - rows.begin());
}

std::uint32_t CodeSampler::other_code(std::uint32_t attribute, std::uint32_t code,
                                      RandomStream& stream) const {
  for (int attempt = 0; attempt < 4; ++attempt)
    if (const std::uint32_t drawn = draw_code(attribute, stream); drawn != code) return drawn;
  const std::uint32_t codes = distinct(attribute);
  return static_cast<std::uint32_t>((code + 1 + stream.below(codes - 1)) % codes);
}

Comparison CodeSampler::draw(BoundRelation relation, std::uint32_t attribute,
                             RandomStream& stream) const {
  const std::uint32_t last = distinct(attribute) - 1;
  const std::uint32_t code = draw_code(attribute, stream);
  switch (relation) {
    case BoundRelation::equal:
      return {attribute, code, code, false};
    case BoundRelation::not_equal:
      return {attribute, code, code, true};
    case BoundRelation::less_equal:
      return {attribute, 0, std::min(code, last - 1), false};
    case BoundRelation::greater:
      return {attribute, std::min(code, last - 1) + 1, last, false};
    case BoundRelation::missing:
    case BoundRelation::known:
    case BoundRelation::interval:
      break;
  }
  const std::uint32_t other = draw_code(attribute, stream);
  Comparison interval{attribute, std::min(code, other), std::max(code, other), false};
  if (interval.low == 0 && interval.high == last) {
    if (stream.below(2) == 0)
      ++interval.low;
    else
      --interval.high;
  }
  return interval;
}

void CodeSampler::draw_holding(BoundRelation relation, std::uint32_t code, Comparison& comparison,
                               RandomStream& stream) const {
  const std::uint32_t attribute = comparison.attribute;
  const std::uint32_t last = distinct(attribute) - 1;
  switch (relation) {
    case BoundRelation::equal:
      comparison.low = comparison.high = code;
      return;
    case BoundRelation::not_equal:
      comparison.low = comparison.high = other_code(attribute, code, stream);
      return;
    case BoundRelation::less_equal:
      if (code < last) {
        comparison.high = std::min(std::max(code, draw_code(attribute, stream)), last - 1);
      }
      return;
    case BoundRelation::greater:
      if (code > 0) comparison.low = std::max(std::min(code, draw_code(attribute, stream)), 1U);
      return;
    case BoundRelation::missing:
    case BoundRelation::known:
      return;
    case BoundRelation::interval:
      break;
  }
  // Any width is as likely on a scale of powers of two.
  const auto widths = static_cast<std::uint32_t>(std::bit_width(last)) + 1;
  const auto reach = [&](std::uint32_t most) {
    const std::uint64_t width = stream.below(std::uint64_t{1} << stream.below(widths));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(width, most));
  };
  comparison.low = code - reach(code);
  comparison.high = code + reach(last - code);
  if (comparison.low == 0 && comparison.high == last) {
    if (code == last)
      ++comparison.low;
    else
      --comparison.high;
  }
}

bool CodeSampler::perturb(BoundRelation relation, Comparison& comparison,
                          RandomStream& stream) const {
  const std::uint32_t codes = distinct(comparison.attribute);
  switch (relation) {
    case BoundRelation::equal:
    case BoundRelation::not_equal:
      if (attributes_[comparison.attribute].ordered())
        step(comparison.low, 0, codes - 1, codes, stream);
      else
        comparison.low = other_code(comparison.attribute, comparison.low, stream);
      comparison.high = comparison.low;
      return true;
    case BoundRelation::less_equal:
      return step(comparison.high, 0, codes - 2, codes, stream);
    case BoundRelation::greater:
      return step(comparison.low, 1, codes - 1, codes, stream);
    case BoundRelation::missing:
    case BoundRelation::known:
      return false;
    case BoundRelation::interval:
      break;
  }
  return perturb_interval(comparison, stream);
}

bool CodeSampler::perturb_interval(Comparison& comparison, RandomStream& stream) const {
  const std::uint32_t codes = distinct(comparison.attribute);
  const std::uint32_t last = codes - 1;
  const std::uint32_t width = comparison.high - comparison.low;
  const std::uint64_t first = stream.below(3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    switch ((first + i) % 3) {
      case 0:
        if (step(comparison.low, comparison.high == last ? 1 : 0, comparison.high, codes, stream))
          return true;
        break;
      case 1:
        if (step(comparison.high, comparison.low, comparison.low == 0 ? last - 1 : last, codes,
                 stream))
          return true;
        break;
      default:
        if (step(comparison.low, 0, last - width, codes, stream)) {
          comparison.high = comparison.low + width;
          return true;
        }
    }
  }
  return false;
}

bool CodeSampler::admits(BoundRelation relation, const Comparison& comparison) const noexcept {
  return comparison.attribute < attributes_.size() &&
         takes_codes(relation, comparison, distinct(comparison.attribute));
}

bool takes_codes(BoundRelation relation, const Comparison& comparison,
                 std::uint32_t codes) noexcept {
  if (codes < 2 || comparison.low > comparison.high || comparison.high >= codes) return false;
  if (comparison.negated != (relation == BoundRelation::not_equal)) return false;
  const bool from_first = comparison.low == 0;
  const bool to_last = comparison.high == codes - 1;
  switch (relation) {
    case BoundRelation::equal:
    case BoundRelation::not_equal:
      return comparison.low == comparison.high;
    case BoundRelation::less_equal:
      return from_first && !to_last;
    case BoundRelation::greater:
      return to_last && !from_first;
    case BoundRelation::missing:
    case BoundRelation::known:
      return false;
    case BoundRelation::interval:
      return !(from_first && to_last);
  }
  return false;
}

}  // namespace atl
