#include "src/eval/coverage_table.hpp"

#include <algorithm>

#include "src/eval/common_bits.hpp"

namespace atl {

namespace {

// What the Jaccard index of two sets can be at most, going by their sizes.
double size_ratio(std::uint32_t a, std::uint32_t b) noexcept {
  const auto [fewer, more] = std::minmax(a, b);
  return more == 0 ? 0 : static_cast<double>(fewer) / static_cast<double>(more);
}

}  // namespace

struct CoverageTable::Search {
  double most;  // found so far
  std::optional<std::size_t> slot;
};

void CoverageTable::clear() noexcept {
  slots_.clear();
  kinds_.clear();
  antecedents_.clear();
  consequents_.clear();
}

void CoverageTable::push_back(const Coverage& coverage) {
  words_ = coverage.words.size() / 2;
  slots_.push_back({});
  kinds_.push_back({0, none});
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
    const auto free =
        std::find_if(kinds_.begin(), kinds_.end(), [](const Kind& k) { return k.first == none; });
    kind = static_cast<std::uint32_t>(free - kinds_.begin());
    free->rows = coverage.rows[1];
    std::copy(side, coverage.words.end(), consequents_.data() + *kind * words_);
  }
  std::copy(coverage.words.begin(), side, antecedents_.data() + slot * words_);
  slots_[slot] = {coverage.rows[0], *kind, kinds_[*kind].first};
  kinds_[*kind].first = static_cast<std::uint32_t>(slot);
}

void CoverageTable::remove(std::size_t slot) noexcept {
  std::uint32_t* at = &kinds_[slots_[slot].kind].first;
  while (*at != slot) at = &slots_[*at].next;
  *at = slots_[slot].next;
}

std::optional<std::uint32_t> CoverageTable::kind_of(const Coverage& coverage) const noexcept {
  const auto side = coverage.words.begin() + static_cast<std::ptrdiff_t>(words_);
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    if (kinds_[kind].rows != coverage.rows[1]) continue;
    if (std::equal(side, coverage.words.end(), consequents_.data() + kind * words_)) return kind;
  }
  return std::nullopt;
}

/// Among the slots of a kind. @param alike  Jaccard index of the consequents
void CoverageTable::search(std::uint32_t kind, double alike, const Coverage& coverage,
                           Search& found) const noexcept {
  for (std::uint32_t slot = kinds_[kind].first; slot != none; slot = slots_[slot].next) {
    if (size_ratio(coverage.rows[0], slots_[slot].rows) * alike < found.most) continue;
    const auto both =
        common_bits(coverage.words.data(), antecedents_.data() + slot * words_, words_);
    const double index =
        jaccard(static_cast<std::uint32_t>(both), coverage.rows[0], slots_[slot].rows) * alike;
    if (index < found.most || (index == found.most && found.slot && *found.slot < slot)) continue;
    found = {index, slot};
  }
}

std::optional<std::size_t> CoverageTable::most_similar(const Coverage& coverage,
                                                       double least) const noexcept {
  Search found{least, std::nullopt};
  const auto own = kind_of(coverage);
  if (own) search(*own, coverage.rows[1] == 0 ? 0 : 1, coverage, found);
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    if (kind == own || kinds_[kind].first == none) continue;
    if (size_ratio(coverage.rows[1], kinds_[kind].rows) < found.most) continue;
    const auto both =
        common_bits(coverage.words.data() + words_, consequents_.data() + kind * words_, words_);
    const double alike =
        jaccard(static_cast<std::uint32_t>(both), coverage.rows[1], kinds_[kind].rows);
    if (alike >= found.most) search(kind, alike, coverage, found);
  }
  return found.slot;
}

}  // namespace atl
