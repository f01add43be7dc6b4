#include "src/eval/coverage_sample.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "src/eval/overlap.hpp"
#include "src/rules/contingency_table.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_rows = 4096;
constexpr std::uint64_t most_cells = std::uint64_t{1} << 24;        // of all attributes
constexpr std::uint64_t most_level_words = std::uint64_t{1} << 22;  // likewise, 32 MiB
constexpr std::uint64_t most_levels = 256;

/// A row of run i of n / runs rows each, at a place that looks random.
std::uint64_t drawn_row(std::uint64_t i, std::uint64_t runs, std::uint64_t n) {
  const auto begin = static_cast<std::uint64_t>(static_cast<unsigned __int128>(n) * i / runs);
  const auto end = static_cast<std::uint64_t>(static_cast<unsigned __int128>(n) * (i + 1) / runs);
  return begin + row_hash(i) % (end - begin);
}

}  // namespace

CoverageSample::CoverageSample(const Dataset& dataset) : attributes_(dataset.attributes().size()) {
  const std::uint64_t count = std::max<std::uint64_t>(attributes_.size(), 1);
  const std::uint64_t limit = std::clamp<std::uint64_t>(most_cells / count, 64, most_rows);
  rows_ = static_cast<std::size_t>(std::min(dataset.rows(), limit));
  words_ = (rows_ + 63) / 64;
  codes_.resize(rows_ * attributes_.size());
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::uint64_t row = drawn_row(i, rows_, dataset.rows());
    for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
      codes_[i * attributes_.size() + a] = dataset.code(row, a);
    }
  }

  const std::uint64_t levels = std::clamp<std::uint64_t>(
      most_level_words / (count * std::max<std::size_t>(words_, 1)), 2, most_levels);
  std::vector<std::uint32_t> sorted;
  for (std::size_t a = 0; a < attributes_.size(); ++a) {
    Levels& made = attributes_[a];
    const std::uint64_t distinct = dataset.attributes()[a].distinct();
    if (distinct <= levels) {
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
    for (std::uint32_t i = 0; i < rows_; ++i) {
      if (codes_[i * attributes_.size() + a] != missing_code) made.sorted.push_back(i);
    }
    std::stable_sort(made.sorted.begin(), made.sorted.end(), [&](std::uint32_t x, std::uint32_t y) {
      return codes_[x * attributes_.size() + a] < codes_[y * attributes_.size() + a];
    });
    distinct_.push_back(static_cast<std::uint32_t>(distinct));
    made.up_to.resize(made.ends.size() * words_);
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::uint32_t code = codes_[i * attributes_.size() + a];
      if (code == missing_code) continue;
      const auto at = std::upper_bound(made.ends.begin(), made.ends.end(), code);
      const auto level = static_cast<std::size_t>(at - made.ends.begin());
      made.up_to[level * words_ + i / 64] |= std::uint64_t{1} << i % 64;
    }
    for (std::size_t i = words_; i < made.up_to.size(); ++i)
      made.up_to[i] |= made.up_to[i - words_];
  }
}

std::optional<CoverageSample::Codes> CoverageSample::best_codes(
    std::uint32_t attribute, BoundRelation relation, std::span<const std::uint64_t> among,
    std::span<const std::uint64_t> wanted) const {
  std::int64_t all = 0;
  std::int64_t hits = 0;
  for (std::size_t w = 0; w < words_; ++w) {
    all += std::popcount(among[w]);
    hits += std::popcount(among[w] & wanted[w]);
  }
  std::optional<Codes> best;
  std::int64_t best_gain = 0;
  std::int64_t run = 0;  // gain of the interval that ends here
  std::uint32_t run_low = 0;
  std::int64_t before = 0;  // gain of all codes before
  const auto offer = [&](std::int64_t gain, std::uint32_t low, std::uint32_t high) {
    if (gain <= best_gain) return;
    best_gain = gain;
    best = Codes{low, high};
  };
  const std::uint32_t last = distinct_[attribute] - 1;
  const auto& sorted = attributes_[attribute].sorted;
  const std::size_t stride = attributes_.size();
  for (std::size_t i = 0; i < sorted.size();) {
    const std::uint32_t code = codes_[sorted[i] * stride + attribute];
    std::int64_t gain = 0;  // of this code, times all
    for (; i < sorted.size(); ++i) {
      const std::uint32_t row = sorted[i];
      if (codes_[row * stride + attribute] != code) break;
      const auto in = static_cast<std::int64_t>(among[row / 64] >> row % 64 & 1);
      const auto hit = static_cast<std::int64_t>(wanted[row / 64] >> row % 64 & 1);
      gain += in * (hit * all - hits);
    }
    switch (relation) {
      case BoundRelation::equal:
        offer(gain, code, code);
        break;
      case BoundRelation::not_equal:
        offer(-gain, code, code);
        break;
      case BoundRelation::less_equal:
        if (code < last) offer(before + gain, 0, code);
        break;
      case BoundRelation::greater:
        if (code > 0) offer(-before, code, last);
        break;
      case BoundRelation::interval:
        if (run <= 0) {
          run = 0;
          run_low = code;
        }
        run += gain;
        if (run_low > 0 || code < last) offer(run, run_low, code);
        break;
    }
    before += gain;
  }
  return best;
}

void CoverageSample::cover(const Comparison& comparison, std::uint64_t* out) const {
  const Levels& levels = attributes_[comparison.attribute];
  const auto level_of = [&](std::uint32_t code) {
    const auto at = std::upper_bound(levels.ends.begin(), levels.ends.end(), code);
    return static_cast<std::size_t>(at - levels.ends.begin());
  };
  const std::size_t low = level_of(comparison.low);
  const std::size_t high = level_of(comparison.high);
  const std::uint64_t* const up_to = levels.up_to.data();
  const std::uint64_t* const upper = up_to + high * words_;
  if (low == 0) {
    std::copy_n(upper, words_, out);
  } else {
    const std::uint64_t* const lower = up_to + (low - 1) * words_;
    for (std::size_t w = 0; w < words_; ++w) out[w] = upper[w] & ~lower[w];
  }
  if (comparison.negated) {
    const std::uint64_t* const present = up_to + (levels.ends.size() - 1) * words_;
    for (std::size_t w = 0; w < words_; ++w) out[w] = present[w] & ~out[w];
  }
}

void CoverageSample::cover(const Expression& side, std::uint64_t* out) const {
  const auto comparisons = side.comparisons();
  std::array<std::uint64_t, most_rows / 64> next;
  if (side.is_conjunction()) {
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
      cover(comparisons[i], i == 0 ? out : next.data());
      for (std::size_t w = 0; w < words_ && i > 0; ++w) out[w] &= next[w];
    }
    return;
  }
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
        cover(*comparison++, next.data());
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

void CoverageSample::cover(const Rule& rule, Coverage& out) const {
  out.resize(2 * words_);
  cover(rule.antecedent, out.data());
  cover(rule.consequent, out.data() + words_);
}

double similarity(const Coverage& a, const Coverage& b, std::size_t words) noexcept {
  const Overlap left = overlap(a.data(), b.data(), words);
  if (left.both == 0) return 0;
  const Overlap right = overlap(a.data() + words, b.data() + words, words);
  if (right.both == 0) return 0;
  return static_cast<double>(left.both) / static_cast<double>(left.either) *
         (static_cast<double>(right.both) / static_cast<double>(right.either));
}

}  // namespace atl
