#include "src/results/choice/antecedent_rows.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "src/data/drawn_row.hpp"
#include "src/data/row_codes.hpp"
#include "src/sampling/code_filter.hpp"

namespace atl {

namespace {

/// A comparison of a side, by its number there.
struct SidePlace {
  std::size_t side, comparison;
};

/// Clears the bits of rows that the comparison does not hold on.
void limit(const Comparison& comparison, std::span<const std::uint32_t> codes, RowBits& rows) {
  const bool asks = asks_missing(comparison);
  const CodeFilter<std::uint32_t> holds{asks ? missing_code : comparison.low,
                                        asks ? missing_code : comparison.high, comparison.negated,
                                        missing_code};
  constexpr std::size_t block_words = filter_rows / 64;
  const std::size_t blocks = codes.size() / filter_rows;
  for (std::size_t b = 0; b < blocks; ++b)
    filter(holds, codes.data() + b * filter_rows, rows.data() + b * block_words);
  if (codes.size() % filter_rows == 0) return;
  std::array<std::uint32_t, filter_rows> last;
  std::array<std::uint64_t, block_words> words = {};
  const auto left = codes.subspan(blocks * filter_rows);
  std::fill(std::copy(left.begin(), left.end(), last.begin()), last.end(), missing_code);
  const auto end = std::span(rows).subspan(blocks * block_words);
  std::copy(end.begin(), end.end(), words.begin());
  filter(holds, last.data(), words.data());
  std::copy_n(words.begin(), end.size(), end.begin());
}

/// All rows.
RowBits all_bits(std::size_t rows) {
  RowBits all((rows + 63) / 64, ~std::uint64_t{0});
  if (rows % 64 != 0) all.back() = (std::uint64_t{1} << rows % 64) - 1;
  return all;
}

/// @param of  [comparisons] rows of each
RowBits combined(const Expression& side, std::vector<RowBits> of, std::size_t rows) {
  std::vector<RowBits> stack;
  std::size_t next = 0;
  for (const Op op : side.program()) {
    if (op == Op::comparison) {
      stack.push_back(std::move(of[next++]));
      continue;
    }
    if (op == Op::negation) {
      for (std::uint64_t& word : stack.back()) word = ~word;
      if (rows % 64 != 0) stack.back().back() &= (std::uint64_t{1} << rows % 64) - 1;
      continue;
    }
    const RowBits right = std::move(stack.back());
    stack.pop_back();
    for (std::size_t w = 0; w < right.size(); ++w) {
      if (op == Op::conjunction) {
        stack.back()[w] &= right[w];
      } else {
        stack.back()[w] |= right[w];
      }
    }
  }
  return std::move(stack.back());
}

}  // namespace

AntecedentRows::AntecedentRows(const Dataset& dataset, std::uint64_t most, ThreadPool& pool)
    : dataset_(dataset), pool_(pool), drawn_(std::min(dataset.rows(), most)) {
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    drawn_[i] = drawn_row(i, drawn_.size(), dataset.rows());
  }
}

std::span<const std::uint32_t> AntecedentRows::codes(std::uint32_t attribute) const {
  know(std::span(&attribute, 1));
  return known_.at(attribute);
}

/// So many attributes have their codes kept: those of 64 MiB.
std::size_t AntecedentRows::most_known() const noexcept {
  constexpr std::size_t most_cells = std::size_t{1} << 24;
  return std::max<std::size_t>(1, most_cells / std::max<std::size_t>(rows(), 1));
}

/// @param attributes  each once, at most most_known()
void AntecedentRows::know(std::span<const std::uint32_t> attributes) const {
  std::vector<std::uint32_t> fresh;
  for (const std::uint32_t a : attributes) {
    if (known_.count(a) == 0) fresh.push_back(a);
  }
  if (fresh.empty()) return;
  if (known_.size() + fresh.size() > most_known()) {
    known_.clear();
    fresh.assign(attributes.begin(), attributes.end());
  }
  std::vector<std::vector<std::uint32_t>> codes(fresh.size());
  pool_.wait(pool_.submit(fresh.size(), [&](std::size_t i, unsigned) {
    codes[i] = codes_of(dataset_, fresh[i], drawn_);
  }));
  for (std::size_t i = 0; i < fresh.size(); ++i) known_[fresh[i]] = std::move(codes[i]);
}

std::vector<RowBits> AntecedentRows::cover(std::span<const Expression* const> sides) const {
  std::map<std::uint32_t, std::map<std::size_t, std::vector<std::size_t>>> of_attribute;
  std::vector<RowBits> covered(sides.size());
  std::vector<std::vector<RowBits>> parts(sides.size());  // of those that are no conjunctions
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const auto comparisons = sides[s]->comparisons();
    for (std::size_t c = 0; c < comparisons.size(); ++c) {
      of_attribute[comparisons[c].attribute][s].push_back(c);
    }
    if (!sides[s]->is_conjunction()) parts[s].resize(comparisons.size());
  }
  std::vector<std::uint32_t> named;
  for (const auto& of_one : of_attribute) named.push_back(of_one.first);
  std::size_t known = 0;  // of those named
  for (std::size_t at = 0; at < named.size(); ++at) {
    if (at == known) {
      known = std::min(named.size(), at + most_known());
      know(std::span(named).subspan(at, known - at));
    }
    const std::vector<std::uint32_t>& its = known_.at(named[at]);
    const auto& of_side = of_attribute.at(named[at]);
    const std::vector<std::pair<std::size_t, std::vector<std::size_t>>> all(of_side.begin(),
                                                                            of_side.end());
    pool_.wait(pool_.submit(all.size(), [&](std::size_t i, unsigned) {
      const auto& [s, numbers] = all[i];
      for (const std::size_t c : numbers) {
        RowBits& of = parts[s].empty() ? covered[s] : parts[s][c];
        if (of.empty()) of = all_bits(rows());
        limit(sides[s]->comparisons()[c], its, of);
      }
    }));
  }
  for (std::size_t s = 0; s < sides.size(); ++s) {
    if (!parts[s].empty()) covered[s] = combined(*sides[s], std::move(parts[s]), rows());
  }
  return covered;
}

}  // namespace atl
