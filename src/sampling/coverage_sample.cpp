#include "src/sampling/coverage_sample.hpp"

#include <algorithm>
#include <utility>

#include "src/core/random.hpp"
#include "src/data/drawn_row.hpp"
#include "src/data/row_codes.hpp"

namespace atl {
namespace {

constexpr std::uint64_t most_rows = CoverageSample::most_words * 64;
constexpr std::uint64_t most_sampled_cells = std::uint64_t{1} << 24;  // of all attributes
constexpr std::uint64_t most_level_words = std::uint64_t{1} << 22;    // likewise, 32 MiB
constexpr std::uint64_t most_levels = 256;
constexpr std::array<std::uint64_t, CoverageSample::most_words> no_rows{};

}  // namespace

std::vector<std::uint64_t> CoverageSample::rows_of(const Dataset& dataset) {
  const std::uint64_t count = std::max<std::uint64_t>(dataset.attributes().size(), 1);
  const std::uint64_t limit = std::clamp<std::uint64_t>(most_sampled_cells / count, 64, most_rows);
  std::vector<std::uint64_t> drawn(std::min(dataset.rows(), limit));
  for (std::size_t i = 0; i < drawn.size(); ++i)
    drawn[i] = drawn_row(i, drawn.size(), dataset.rows());
  return drawn;
}

CoverageSample::CoverageSample(const Dataset& dataset, Detail detail)
    : detail_(detail), attributes_(dataset.attributes().size()) {
  const std::vector<std::uint64_t> drawn = rows_of(dataset);
  rows_ = drawn.size();
  words_ = (rows_ + 63) / 64;
  all_.assign(words_, ~std::uint64_t{0});
  if (rows_ % 64 != 0) all_.back() = (std::uint64_t{1} << rows_ % 64) - 1;
  codes_.resize(rows_ * attributes_.size());
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    const std::vector<std::uint32_t> codes = codes_of(dataset, a, drawn);
    for (std::size_t i = 0; i < rows_; ++i) codes_[i * attributes_.size() + a] = codes[i];
  }

  RandomStream stream({0, 0, 0, 0, Purpose::initialise});
  for (std::uint32_t row = 0; row < rows_; ++row) {
    order_.push_back(row);
    std::swap(order_[stream.below(row + 1)], order_.back());
  }

  const std::uint64_t count = std::max<std::uint64_t>(attributes_.size(), 1);
  const std::uint64_t levels = std::clamp<std::uint64_t>(
      most_level_words / (count * std::max<std::size_t>(words_, 1)), 2, most_levels);
  std::vector<std::uint32_t> sorted;
  for (std::size_t a = 0; a < attributes_.size(); ++a) {
    Levels& made = attributes_[a];
    const std::uint64_t distinct = dataset.attributes()[a].distinct();
    made.exact = distinct <= levels;
    if (made.exact) {
      for (std::uint32_t code = 0; code < distinct; ++code) made.ends.push_back(code + 1);
    } else {
      sorted.clear();
      for (std::size_t i = 0; i < rows_; ++i) {
        const std::uint32_t code = codes_[i * attributes_.size() + a];
        if (code != missing_code) sorted.push_back(code);
      }
      std::sort(sorted.begin(), sorted.end());
      for (std::uint64_t level = 1; level < levels && !sorted.empty(); ++level) {
        const std::uint32_t end = sorted[level * sorted.size() / levels];
        if (end > (made.ends.empty() ? 0 : made.ends.back())) made.ends.push_back(end);
      }
      made.ends.push_back(static_cast<std::uint32_t>(distinct));
    }
    made.up_to.resize(made.ends.size() * words_);
    if (!made.exact) made.rows.resize(made.ends.size());
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::uint32_t code = codes_[i * attributes_.size() + a];
      if (code == missing_code) continue;
      const std::size_t level = made.of(code);
      made.up_to[level * words_ + i / 64] |= std::uint64_t{1} << i % 64;
      if (!made.exact) made.rows[level].push_back(static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = words_; i < made.up_to.size(); ++i)
      made.up_to[i] |= made.up_to[i - words_];
  }
}

std::size_t CoverageSample::Levels::of(std::uint32_t code) const noexcept {
  if (exact) return code;
  const auto at = std::upper_bound(ends.begin(), ends.end(), code);
  return static_cast<std::size_t>(at - ends.begin());
}

const std::uint64_t* CoverageSample::present(std::uint32_t attribute) const noexcept {
  const Levels& levels = attributes_[attribute];
  return levels.ends.empty() ? no_rows.data()
                             : levels.up_to.data() + (levels.ends.size() - 1) * words_;
}

CoverageSample::Planes CoverageSample::planes(const Comparison& comparison) const noexcept {
  const Levels& levels = attributes_[comparison.attribute];
  const std::uint64_t* const up_to = levels.up_to.data();
  const std::size_t low = levels.of(comparison.low);
  return {up_to + levels.of(comparison.high) * words_,
          low == 0 ? no_rows.data() : up_to + (low - 1) * words_, present(comparison.attribute)};
}

std::optional<BitRange> CoverageSample::range(const Comparison& comparison) const noexcept {
  if (asks_missing(comparison)) {
    return BitRange{all_.data(), present(comparison.attribute)};
  }
  if (detail_ == Detail::every_code && !attributes_[comparison.attribute].exact) return {};
  const auto [upper, lower, present] = planes(comparison);
  if (!comparison.negated) return BitRange{upper, lower};
  if (lower == no_rows.data()) return BitRange{present, upper};
  return {};
}

void CoverageSample::below(std::uint32_t attribute, std::uint32_t code, std::uint64_t* out) const {
  const Levels& levels = attributes_[attribute];
  const std::size_t level = levels.of(code);  // lower ones are whole
  const std::uint64_t* const whole =
      level == 0 ? no_rows.data() : levels.up_to.data() + (level - 1) * words_;
  std::copy_n(whole, words_, out);
  if (level == levels.ends.size()) return;
  for (const std::uint32_t row : levels.rows[level]) {
    const bool is_below = codes(row)[attribute] < code;
    out[row / 64] |= std::uint64_t{is_below} << row % 64;
  }
}

void CoverageSample::narrow_by_codes(const Comparison& comparison, std::uint64_t* rows) const {
  std::array<std::uint64_t, most_words> lower, upper;
  below(comparison.attribute, comparison.low, lower.data());
  below(comparison.attribute, comparison.high + 1, upper.data());
  const std::uint64_t* const present = planes(comparison).present;
  for (std::size_t w = 0; w < words_; ++w) {
    const std::uint64_t inside = upper[w] & ~lower[w];
    rows[w] &= comparison.negated ? present[w] & ~inside : inside;
  }
}

void CoverageSample::narrow(const Comparison& comparison, std::uint64_t* rows) const {
  if (detail_ == Detail::every_code && !attributes_[comparison.attribute].exact) {
    narrow_by_codes(comparison, rows);
    return;
  }
  const auto [upper, lower, present] = planes(comparison);
  for (std::size_t w = 0; w < words_; ++w) rows[w] &= present[w] & ~(upper[w] & ~lower[w]);
}

void CoverageSample::cover(std::span<const Comparison> conjunction, std::uint64_t* out) const {
  SmallVector<BitRange, 8> ranges;
  SmallVector<Comparison, 8> others;
  for (const Comparison& comparison : conjunction) {
    if (const auto one = range(comparison)) {
      ranges.push_back(*one);
    } else {
      others.push_back(comparison);
    }
  }
  if (ranges.empty()) ranges.push_back({planes(others.front()).present, no_rows.data()});
  intersect_bits({ranges.data(), ranges.size()}, out, words_);
  for (const Comparison& comparison : others) narrow(comparison, out);
}

void CoverageSample::cover(const Expression& side, std::uint64_t* out) const {
  const auto comparisons = side.comparisons();
  if (side.is_conjunction()) {
    cover(comparisons, out);
    return;
  }
  std::array<std::uint64_t, CoverageSample::most_words> next;
  std::vector<std::uint64_t> stack;
  auto comparison = comparisons.begin();
  const auto combine = [&](auto operation) {
    const std::size_t right = stack.size() - words_;
    for (std::size_t w = 0; w < words_; ++w) {
      stack[right - words_ + w] = operation(stack[right - words_ + w], stack[right + w]);
    }
    stack.resize(right);
  };
  for (const Op op : side.program()) {
    switch (op) {
      case Op::comparison:
        cover({&*comparison++, 1}, next.data());
        stack.insert(stack.end(), next.begin(), next.begin() + static_cast<std::ptrdiff_t>(words_));
        break;
      case Op::conjunction:
        combine([](std::uint64_t a, std::uint64_t b) { return a & b; });
        break;
      case Op::disjunction:
        combine([](std::uint64_t a, std::uint64_t b) { return a | b; });
        break;
      case Op::negation:
        for (std::size_t i = stack.size() - words_; i < stack.size(); ++i) stack[i] = ~stack[i];
        if (rows_ % 64 != 0) stack.back() &= (std::uint64_t{1} << rows_ % 64) - 1;
        break;
    }
  }
  std::copy(stack.begin(), stack.end(), out);
}

std::uint32_t CoverageSample::first_row(const Expression& side) const {
  std::array<std::uint64_t, most_words> rows;
  cover(side, rows.data());
  return first_row(rows.data());
}

std::uint32_t CoverageSample::first_row(const std::uint64_t* covered) const noexcept {
  for (const std::uint32_t row : order_) {
    if ((covered[row / 64] >> row % 64 & 1) != 0) return row;
  }
  return static_cast<std::uint32_t>(rows_);
}

void CoverageSample::cover(const Rule& rule, Coverage& out) const {
  out.words.resize(2 * words_);
  cover(rule.antecedent, out.words.data());
  cover(rule.consequent, out.words.data() + words_);
  for (std::size_t side = 0; side < 2; ++side) {
    const std::uint64_t* const words = out.words.data() + side * words_;
    out.rows[side] = static_cast<std::uint32_t>(common_bits(words, words, words_));
  }
}

void mirror(Coverage& coverage, std::size_t rows) noexcept {
  const std::size_t words = coverage.words.size() / 2;
  for (std::size_t w = 0; w < coverage.words.size(); ++w) {
    coverage.words[w] = ~coverage.words[w];
    const bool last = w % words + 1 == words;
    if (last && rows % 64 != 0) coverage.words[w] &= (std::uint64_t{1} << rows % 64) - 1;
  }
  for (std::uint32_t& count : coverage.rows) count = static_cast<std::uint32_t>(rows) - count;
}

double similarity(const Coverage& a, const Coverage& b, double beyond) noexcept {
  double index = 1;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto [fewer, more] = std::minmax(a.rows[side], b.rows[side]);
    if (fewer == 0) return 0;
    index *= static_cast<double>(fewer) / static_cast<double>(more);
  }
  if (index <= beyond) return 0;
  index = 1;
  const std::size_t words = a.words.size() / 2;
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t begin = side * words;
    const auto both = common_bits(a.words.data() + begin, b.words.data() + begin, words);
    index *= jaccard(static_cast<std::uint32_t>(both), a.rows[side], b.rows[side]);
    if (index <= beyond) return 0;
  }
  return index;
}

}  // namespace atl
