// A sample of rows as columns of small codes, for searches that look at every value of an
// attribute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/comparison.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// One row drawn from each of up to `most_rows` equal runs of rows; the same for every seed. The
/// dataset must outlive it.
class RowSample {
 public:
  using Level = std::uint16_t;
  static constexpr Level missing = 0xFFFF;

  RowSample(const Dataset& dataset, std::size_t most_rows);

  std::size_t rows() const noexcept { return rows_; }
  std::span<const Attribute> attributes() const noexcept { return attributes_; }
  /// [rows()] of an attribute, `missing` where there is no value.
  std::span<const Level> levels(std::uint32_t attribute) const noexcept {
    return std::span(levels_).subspan(attribute * rows_, rows_);
  }
  /// Levels of an attribute: its codes, or, of an ordered one with very many, runs of codes of
  /// equal length. None of a nominal one with very many: all its rows are as if they were missing.
  std::uint32_t distinct(std::uint32_t attribute) const noexcept { return distinct_[attribute]; }
  using Part = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< attribute, low, high

  /// The canonical conjunction of parts.
  Expression conjunction(std::span<const Part> parts) const;
  /// The codes of levels. @pre low <= high < distinct(attribute)
  Comparison comparison(std::uint32_t attribute, std::uint32_t low,
                        std::uint32_t high) const noexcept;
  /// The level that holds a code. @pre distinct(attribute) > 0
  Level level_of(std::uint32_t attribute, std::uint32_t code) const noexcept {
    return static_cast<Level>(code / length_[attribute]);
  }

 private:
  std::span<const Attribute> attributes_;
  std::size_t rows_ = 0;
  std::vector<std::uint32_t> distinct_;  // [attribute] levels
  std::vector<std::uint32_t> length_;    // [attribute] codes of a level
  std::vector<Level> levels_;            // [attribute][row]
};

}  // namespace atl
