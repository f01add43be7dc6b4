#include "src/results/choice/front_extensions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace atl {
namespace {

constexpr std::size_t bound_bins = 64, interval_bins = 24;
constexpr double least_errors = 2;  // standard errors that a comparison is to gain

FrontSum between(const FrontSum& from, const FrontSum& to) {
  return {to.rows - from.rows, to.gain - from.gain, to.square - from.square};
}

/// Is the mean gain of some rows of a member above the member's by more than chance?
bool is_clear(const FrontSum& some, const FrontSum& all) {
  if (some.rows >= all.rows) return false;
  const double n = all.rows, m = some.rows;
  const double mean = all.gain / n;
  const double variance = std::max(all.square / n - mean * mean, 0.0);
  const double error = std::sqrt(variance * (1 / m - 1 / n) * (n / std::max(n - 1, 1.0)));
  return some.gain / m - mean > least_errors * error;
}

}  // namespace

bool is_surer(const FrontExtension& a, const FrontExtension& b) noexcept {
  if (a.certainty != b.certainty) return a.certainty > b.certainty;
  if (a.rows != b.rows) return a.rows > b.rows;
  return std::tie(a.parent, a.part) < std::tie(b.parent, b.part);
}

bool is_surer(const FrontMember& a, const FrontMember& b) noexcept {
  if (a.certainty != b.certainty) return a.certainty > b.certainty;
  if (a.sum.rows != b.sum.rows) return a.sum.rows > b.sum.rows;
  return a.parts.size() != b.parts.size() ? a.parts.size() < b.parts.size() : a.parts < b.parts;
}

FrontSizes::FrontSizes(std::span<const std::uint32_t> sizes, std::size_t rows)
    : count_(sizes.size()) {
  for (std::size_t r = 0; r <= rows; ++r) {
    const auto larger = std::upper_bound(sizes.begin(), sizes.end(), r);
    of_rows_.push_back(static_cast<std::uint8_t>(larger - sizes.begin()));
  }
}

void FrontExtender::begin(std::size_t wanted) {
  found_.clear();
  wanted_ = wanted;
  least_.assign(sizes_.count(), std::numeric_limits<double>::lowest());
  full_ = 2 * wanted * sizes_.count();
}

void FrontExtender::extend(const FrontMember& member, std::uint32_t parent,
                           std::uint32_t attribute) {
  const auto named = [&](const FrontPart& part) { return std::get<0>(part) == attribute; };
  if (std::any_of(member.parts.begin(), member.parts.end(), named)) return;
  const bool ordered = sample_.attributes()[attribute].ordered();
  if (!ordered && !grammar_.has(BoundRelation::equal, attribute, true)) return;
  const Looked at{member, parent, attribute, member.sum.gain / member.sum.rows};
  count_levels(at);
  best_.assign(sizes_.count(), std::nullopt);
  const auto presence = grammar_.presence(attribute);
  const auto offer_level = [&](std::uint32_t level) {
    offer_if_likely(at, levels_[level].sum(), level, level);
    emit();
  };
  if (!ordered) {
    for (std::uint32_t level = 0; level < sample_.distinct(attribute); ++level)
      if (presence.value_or(level) == level) offer_level(level);
  } else if (presence) {
    offer_level(sample_.level_of(attribute, *presence));
  } else {
    extend_bounds(at);
  }
  if (found_.size() >= full_) raise_least();
}

void FrontExtender::count_levels(const Looked& at) {
  const std::uint32_t distinct = sample_.distinct(at.attribute);
  levels_.assign(std::size_t{distinct} + 1, {});
  const auto levels = sample_.levels(at.attribute);
  for (const std::uint32_t row : at.member.rows) {
    const std::int64_t gain = task_.gains[row];
    levels_[std::min<std::uint32_t>(levels[row], distinct)].add({1, gain, gain * gain});
  }
  filled_.resize(distinct);
  std::size_t filled = 0;
  for (std::uint32_t level = 0; level < distinct; ++level) {
    filled_[filled] = level;  // no branch: which way it goes would be chance
    filled += levels_[level].rows != 0 ? 1 : 0;
  }
  filled_.resize(filled);
}

void FrontExtender::offer(const Looked& at, const FrontSum& sum, std::uint32_t low,
                          std::uint32_t high) {
  if (!is_clear(sum, at.member.sum)) return;
  const FrontExtension e{
      certainty(sum, task_.of_mean), sum.rows, at.parent, {at.attribute, low, high}};
  for (std::size_t s = sizes_.of(sum.rows); s-- > 0;) {
    if (best_[s] && !is_surer(e, *best_[s])) break;
    best_[s] = e;
  }
  any_ = true;
}

void FrontExtender::extend_bounds(const Looked& at) {
  const std::uint32_t last = sample_.distinct(at.attribute) - 1;
  cut(at, bound_bins);
  const FrontSum all = before_.back();
  if (grammar_.has(BoundRelation::less_equal, at.attribute, true)) {
    for (std::size_t k = 1; k + 1 < cuts_.size(); ++k)
      offer_if_likely(at, before_[k], 0, cuts_[k] - 1);
    emit();
  }
  if (grammar_.has(BoundRelation::greater, at.attribute, true)) {
    for (std::size_t k = 1; k + 1 < cuts_.size(); ++k)
      offer_if_likely(at, between(before_[k], all), cuts_[k], last);
    emit();
  }
  if (!grammar_.has(BoundRelation::interval, at.attribute, true)) return;
  cut(at, interval_bins);
  for (std::size_t i = 1; i + 2 < cuts_.size(); ++i) {
    for (std::size_t k = i + 1; k + 1 < cuts_.size(); ++k)
      offer_if_likely(at, between(before_[i], before_[k]), cuts_[i], cuts_[k] - 1);
  }
  emit();
}

/// Cuts between levels so that about equally many rows lie between two; a level with the rows of a
/// bin is one by itself.
void FrontExtender::cut(const Looked& at, std::size_t bins) {
  cuts_.assign(1, 0);
  before_.assign(1, {});
  Counts sum;
  const std::uint32_t distinct = sample_.distinct(at.attribute);
  const auto rows = static_cast<std::int64_t>(at.member.sum.rows);
  const auto of_bins = static_cast<std::int64_t>(bins);
  std::int64_t in_bin = 0;
  const auto cut_at = [&](std::uint32_t level) {
    if (cuts_.back() == level) return;
    cuts_.push_back(level);
    before_.push_back(sum.sum());
    in_bin = 0;
  };
  for (const std::uint32_t level : filled_) {
    const Counts& own = levels_[level];
    const bool alone = of_bins * own.rows >= rows;
    if (alone && in_bin > 0) cut_at(level);
    sum.add(own);
    in_bin += own.rows;
    if (alone || of_bins * in_bin >= rows) cut_at(level + 1);
  }
  cut_at(distinct);
}

/// Takes the best of each size, once each.
void FrontExtender::emit() {
  if (!std::exchange(any_, false)) return;
  const std::size_t before = found_.size();
  for (const auto& best : best_) {
    if (best && (found_.size() == before || found_.back().part != best->part))
      found_.push_back(*best);
  }
  best_.assign(sizes_.count(), std::nullopt);
}

void FrontExtender::raise_least() {
  std::vector<double> certainties;
  for (std::size_t s = 0; s < sizes_.count(); ++s) {
    certainties.clear();
    for (const FrontExtension& e : found_)
      if (sizes_.of(e.rows) > s) certainties.push_back(e.certainty);
    if (certainties.size() < wanted_) break;  // and no more have a greater size
    const auto last = certainties.begin() + static_cast<std::ptrdiff_t>(wanted_) - 1;
    std::nth_element(certainties.begin(), last, certainties.end(), std::greater<>());
    least_[s] = *last;
  }
  std::erase_if(
      found_, [&](const FrontExtension& e) { return e.certainty < least_[sizes_.of(e.rows) - 1]; });
  full_ = 2 * std::max(found_.size(), wanted_);
}

}  // namespace atl
