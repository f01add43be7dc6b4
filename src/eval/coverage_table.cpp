#include "src/eval/coverage_table.hpp"

#include <algorithm>
#include <cmath>

#include "src/eval/overlap.hpp"

namespace atl {

namespace {

double jaccard(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) noexcept {
  const auto [both, either] = overlap(a, b, words);
  return static_cast<double>(both) / static_cast<double>(either);
}

// The Jaccard index of two sets is at most the smaller's size over the greater's: this many rows
// must another set have for an index of `least`, and may it have.
struct Window {
  Window(std::uint32_t rows, double least)
      : lowest(static_cast<std::uint32_t>(std::ceil(rows * least * (1 - slack)))),
        highest(static_cast<std::uint32_t>(rows / least * (1 + slack))) {}
  bool holds(std::uint32_t rows) const noexcept { return rows - lowest <= highest - lowest; }

  static constexpr double slack = 1e-9;  // for rounding
  std::uint32_t lowest, highest;
};

double size_ratio(std::uint32_t a, std::uint32_t b) noexcept {
  const auto [fewer, more] = std::minmax(a, b);
  return static_cast<double>(fewer) / static_cast<double>(more);
}

}  // namespace

void CoverageTable::clear() noexcept {
  bits_.clear();
  rows_.clear();
}

void CoverageTable::push_back(const Coverage& coverage) {
  words_ = coverage.words.size() / 2;
  bits_.insert(bits_.end(), coverage.words.begin(), coverage.words.end());
  rows_.push_back(coverage.rows);
}

void CoverageTable::set(std::size_t slot, const Coverage& coverage) {
  const auto place = bits_.begin() + static_cast<std::ptrdiff_t>(2 * slot * words_);
  std::copy(coverage.words.begin(), coverage.words.end(), place);
  rows_[slot] = coverage.rows;
}

std::optional<std::size_t> CoverageTable::most_similar(const Coverage& coverage,
                                                       double least) const {
  std::optional<std::size_t> found;
  if (coverage.rows[0] == 0 || coverage.rows[1] == 0) return found;
  const std::uint64_t* const antecedent = coverage.words.data();
  const std::uint64_t* const consequent = antecedent + words_;
  Window of_antecedent(coverage.rows[0], least);
  Window of_consequent(coverage.rows[1], least);
  for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
    const auto& rows = rows_[slot];
    if (!of_antecedent.holds(rows[0]) || !of_consequent.holds(rows[1])) continue;
    const double at_most = size_ratio(coverage.rows[0], rows[0]);
    if (at_most * size_ratio(coverage.rows[1], rows[1]) < least) continue;
    const std::uint64_t* const other = bits_.data() + 2 * slot * words_;
    const double alike = jaccard(consequent, other + words_, words_);
    if (at_most * alike < least) continue;
    const double index = jaccard(antecedent, other, words_) * alike;
    if (index < least || (index == least && found)) continue;
    found = slot;
    least = index;
    of_antecedent = Window(coverage.rows[0], least);
    of_consequent = Window(coverage.rows[1], least);
  }
  return found;
}

}  // namespace atl
