#include "src/sampling/coverage_table.hpp"

#include <algorithm>

#include "src/sampling/common_bits.hpp"

namespace atl {

namespace {

// Can two sets of these sizes have a Jaccard index of `least` / `factor`? The index is at most the
// smaller size over the greater. True, too, where rounding leaves it open.
bool within_reach(std::uint32_t a, std::uint32_t b, double factor, double least) noexcept {
  const auto [fewer, more] = std::minmax(a, b);
  return fewer * factor * (1 + 1e-9) >= more * least;
}

constexpr std::uint16_t unknown = 0xFFFF;  // more than a sample has rows

}  // namespace

struct CoverageTable::Search {
  double most;  // found so far
  std::optional<std::size_t> slot;
};

void CoverageTable::clear() noexcept {
  slots_.clear();
  kinds_.clear();
  free_.clear();
  common_.clear();
  antecedents_.clear();
  consequents_.clear();
}

void CoverageTable::push_back(const Coverage& coverage) {
  words_ = coverage.words.size() / 2;
  free_.push_back(static_cast<std::uint32_t>(slots_.size()));
  slots_.push_back({});
  kinds_.reserve(slots_.capacity());
  free_.reserve(slots_.capacity());
  antecedents_.resize(antecedents_.size() + words_);
  consequents_.resize(consequents_.size() + words_);
  add(slots_.size() - 1, coverage);
}

void CoverageTable::set(std::size_t slot, const Coverage& coverage) {
  remove(slot);
  add(slot, coverage);
}

void CoverageTable::add(std::size_t slot, const Coverage& coverage) {
  const auto side = coverage.words.begin() + static_cast<std::ptrdiff_t>(words_);
  auto kind = kind_of(coverage);
  if (!kind) {
    kind = static_cast<std::uint32_t>(kinds_.size());
    kinds_.push_back({coverage.rows[1], none, free_.back()});
    free_.pop_back();
    const std::size_t position = kinds_.back().position;
    std::copy(side, coverage.words.end(), consequents_.data() + position * words_);
    const std::size_t size = slots_.size();
    for (std::size_t other = 0; other < size && common_.size() == size * size; ++other) {
      common_[position * size + other] = common_[other * size + position] = unknown;
    }
  }
  std::copy(coverage.words.begin(), side, antecedents_.data() + slot * words_);
  slots_[slot] = {coverage.rows[0], *kind, kinds_[*kind].first};
  kinds_[*kind].first = static_cast<std::uint32_t>(slot);
}

void CoverageTable::remove(std::size_t slot) noexcept {
  const std::uint32_t kind = slots_[slot].kind;
  std::uint32_t* at = &kinds_[kind].first;
  while (*at != slot) at = &slots_[*at].next;
  *at = slots_[slot].next;
  if (kinds_[kind].first != none) return;
  free_.push_back(kinds_[kind].position);
  kinds_[kind] = kinds_.back();
  kinds_.pop_back();
  if (kind == kinds_.size()) return;
  for (std::uint32_t s = kinds_[kind].first; s != none; s = slots_[s].next) slots_[s].kind = kind;
}

std::optional<std::uint32_t> CoverageTable::kind_of(const Coverage& coverage) const noexcept {
  const auto side = coverage.words.begin() + static_cast<std::ptrdiff_t>(words_);
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    const auto& [rows, first, position] = kinds_[kind];
    if (rows != coverage.rows[1]) continue;
    if (std::equal(side, coverage.words.end(), consequents_.data() + position * words_)) {
      return kind;
    }
  }
  return std::nullopt;
}

/// Jaccard index of the consequents. @param own  the coverage's; null if no slot has it
double CoverageTable::alike(const Kind& kind, const Coverage& coverage, const Kind* own) {
  const auto count = [&] {
    return static_cast<std::uint16_t>(common_bits(
        coverage.words.data() + words_, consequents_.data() + kind.position * words_, words_));
  };
  if (own == nullptr) return jaccard(count(), coverage.rows[1], kind.rows);
  std::uint16_t& common = common_[own->position * slots_.size() + kind.position];
  if (common == unknown) common = count();
  return jaccard(common, coverage.rows[1], kind.rows);
}

void CoverageTable::meet(std::uint32_t slot, double alike, const Coverage& coverage,
                         Search& found) const noexcept {
  const std::uint32_t rows = slots_[slot].rows;
  if (!within_reach(coverage.rows[0], rows, alike, found.most)) return;
  const auto both = common_bits(coverage.words.data(), antecedents_.data() + slot * words_, words_);
  const double index = jaccard(static_cast<std::uint32_t>(both), coverage.rows[0], rows) * alike;
  if (index < found.most || (index == found.most && found.slot && *found.slot < slot)) return;
  found = {index, slot};
}

void CoverageTable::meet_all(const Kind& kind, double alike, const Coverage& coverage,
                             Search& found) const noexcept {
  for (std::uint32_t slot = kind.first; slot != none; slot = slots_[slot].next) {
    meet(slot, alike, coverage, found);
  }
}

std::optional<std::size_t> CoverageTable::most_similar(const Coverage& coverage, double least,
                                                       std::size_t likely) {
  if (common_.size() != slots_.size() * slots_.size()) {
    common_.assign(slots_.size() * slots_.size(), unknown);
  }
  Search found{least, std::nullopt};
  const auto own_kind = kind_of(coverage);
  const Kind* const own = own_kind ? &kinds_[*own_kind] : nullptr;
  meet(static_cast<std::uint32_t>(likely), alike(kinds_[slots_[likely].kind], coverage, own),
       coverage, found);
  if (own != nullptr) meet_all(*own, coverage.rows[1] == 0 ? 0 : 1, coverage, found);
  for (const Kind& kind : kinds_) {
    if (&kind == own || !within_reach(coverage.rows[1], kind.rows, 1, found.most)) continue;
    const double index = alike(kind, coverage, own);
    if (index >= found.most) meet_all(kind, index, coverage, found);
  }
  return found.slot;
}

}  // namespace atl
