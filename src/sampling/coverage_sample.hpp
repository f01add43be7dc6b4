// Finds the rows of a small, fixed sample that a rule covers: a sketch by which rules are told
// apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/rule.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {

/// The rows of the sample that a rule's sides cover.
struct Coverage {
  std::vector<std::uint64_t> words;     ///< bits of the antecedent's rows, then the consequent's
  std::array<std::uint32_t, 2> rows{};  ///< how many
};

/// One row drawn from each of up to 4096 equal runs of rows; the same for every seed. Coverage of
/// it is exact for attributes of at most 256 codes, in a table of many attributes fewer (the bits
/// take at most 32 MiB); beyond, codes are rounded to quantiles of the sample, those of labels too.
/// Depends on the dataset alone.
class CoverageSample {
 public:
  static constexpr std::size_t most_words = 64;

  enum class Detail { quantiles, every_code };

  /// @param detail  every_code: exact for all bounds, too; slower, for few rules
  explicit CoverageSample(const Dataset& dataset, Detail detail = Detail::quantiles);

  /// The rows that it draws, ascending, each once. They depend on the dataset's size alone.
  static std::vector<std::uint64_t> rows_of(const Dataset& dataset);

  std::size_t rows() const noexcept { return rows_; }
  /// Words of one side.
  std::size_t words() const noexcept { return words_; }
  /// [attributes] codes of a row of the sample, missing_code where there is no value.
  std::span<const std::uint32_t> codes(std::size_t row) const noexcept {
    return std::span(codes_).subspan(row * attributes_.size(), attributes_.size());
  }
  /// The level that a code counts as: itself, or its quantile where bounds are rounded.
  std::size_t level(std::uint32_t attribute, std::uint32_t code) const noexcept {
    return attributes_[attribute].of(code);
  }
  /// [rows()] rows of the sample, in the order of first_row().
  std::span<const std::uint32_t> order() const noexcept { return order_; }
  void cover(const Rule& rule, Coverage& out) const;
  /// @param out  [words()]
  void cover(const Expression& side, std::uint64_t* out) const;
  /// The row that comes first, in an order drawn once and for all, of those that a side covers;
  /// rows() if it covers none. Two sides have it in common with the probability of the Jaccard
  /// index of their rows (Broder 1997, "On the resemblance and containment of documents").
  std::uint32_t first_row(const Expression& side) const;
  /// @param covered  [words()] bits of the rows that a side covers
  std::uint32_t first_row(const std::uint64_t* covered) const noexcept;

 private:
  struct Levels {
    std::size_t of(std::uint32_t code) const noexcept;

    bool exact = false;                // each code is a level
    std::vector<std::uint32_t> ends;   // first code beyond each level, ascending
    std::vector<std::uint64_t> up_to;  // [level][words] rows of this level or a lower one
    std::vector<std::vector<std::uint32_t>> rows;  // [level] unless exact
  };

  struct Planes {
    const std::uint64_t* upper;  // [words_] rows of codes up to the interval's highest
    const std::uint64_t* lower;  // of codes below it
    const std::uint64_t* present;
  };
  Planes planes(const Comparison& comparison) const noexcept;
  /// Rows on which the attribute has a value. [words_]
  const std::uint64_t* present(std::uint32_t attribute) const noexcept;
  /// The range of the rows on which the comparison holds, where it is so simple.
  std::optional<BitRange> range(const Comparison& comparison) const noexcept;
  void cover(std::span<const Comparison> conjunction, std::uint64_t* out) const;
  /// Removes the rows on which the comparison does not hold. @param rows  [words()]
  void narrow(const Comparison& comparison, std::uint64_t* rows) const;
  /// Rows with a code below this one, to the code. @param out  [words()]
  void below(std::uint32_t attribute, std::uint32_t code, std::uint64_t* out) const;
  void narrow_by_codes(const Comparison& comparison, std::uint64_t* rows) const;

  Detail detail_;
  std::size_t rows_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> all_;    // [words_] bits of all rows
  std::vector<std::uint32_t> codes_;  // [rows][attributes]
  std::vector<Levels> attributes_;
  std::vector<std::uint32_t> order_;  // of rows
};

/// Makes it that of the rule whose sides hold where they do not: NOT X => NOT Y.
/// @param rows  of the sample
void mirror(Coverage& coverage, std::size_t rows) noexcept;

/// The Jaccard index of two sets by their sizes and that of what they have in common; 0 if they are
/// empty.
constexpr double jaccard(std::uint32_t both, std::uint32_t a, std::uint32_t b) noexcept {
  return both == 0 ? 0 : static_cast<double>(both) / static_cast<double>(a + b - both);
}

/// Jaccard index of the antecedents times that of the consequents; 0 if either covers no row, and
/// 0 if it is found to be at most `beyond`.
double similarity(const Coverage& a, const Coverage& b, double beyond = 0) noexcept;

}  // namespace atl
