#include "src/sampling/row_sample.hpp"

#include <algorithm>

#include "src/data/drawn_row.hpp"
#include "src/data/row_codes.hpp"

namespace atl {
namespace {

constexpr std::uint32_t most_ordered = 4096;               // levels of an ordered attribute
constexpr std::uint32_t most_labels = RowSample::missing;  // likewise of a nominal one

}  // namespace

RowSample::RowSample(const Dataset& dataset, std::size_t most_rows)
    : attributes_(dataset.attributes()),
      rows_(static_cast<std::size_t>(std::min<std::uint64_t>(dataset.rows(), most_rows))),
      levels_(attributes_.size() * rows_, missing) {
  std::vector<std::uint64_t> drawn(rows_);  // ascending
  for (std::size_t i = 0; i < rows_; ++i) drawn[i] = drawn_row(i, rows_, dataset.rows());
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    const std::uint32_t of_attribute = std::max<std::uint32_t>(attributes_[a].distinct(), 1);
    const bool ordered = attributes_[a].ordered();
    const std::uint32_t length = ordered ? (of_attribute + most_ordered - 1) / most_ordered : 1;
    const bool fits = ordered || of_attribute <= most_labels;
    length_.push_back(length);
    distinct_.push_back(fits ? (of_attribute + length - 1) / length : 0);
    if (!fits) continue;
    const std::vector<std::uint32_t> codes = codes_of(dataset, a, drawn);
    Level* const out = levels_.data() + a * rows_;
    for (std::size_t i = 0; i < rows_; ++i) {
      if (codes[i] != missing_code) out[i] = static_cast<Level>(codes[i] / length);
    }
  }
}

Comparison RowSample::comparison(std::uint32_t attribute, std::uint32_t low,
                                 std::uint32_t high) const noexcept {
  const std::uint32_t length = length_[attribute];
  const std::uint32_t last = attributes_[attribute].distinct() - 1;
  return {attribute, low * length, std::min((high + 1) * length - 1, last)};
}

Expression RowSample::conjunction(std::span<const Part> parts) const {
  std::vector<Comparison> comparisons;
  for (const auto& [attribute, low, high] : parts) {
    comparisons.push_back(comparison(attribute, low, high));
  }
  return canonical(Expression::conjunction(comparisons), attributes_);
}

}  // namespace atl
