// Rows by class, and for simple comparisons the rows on which they hold, as bits: what rules of
// decision lists are grown on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/aligned_words.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/expression.hpp"
#include "src/sampling/comparison_rows.hpp"

namespace atl {

/// Holds on rows whose code is at most this one, or of an attribute without an order is this one.
struct Literal {
  std::uint32_t attribute = 0;
  std::uint32_t code = 0;
};

/// The comparison in the form in which growth makes it. Labels that follow each other from the
/// first one on, or up to the last one, become what the attribute is not, if that is shorter to
/// say.
Comparison as_grown(const Comparison& comparison, const Attribute& attribute) noexcept;

/// Consecutive words of the sample that have the same share of each class, and each class's rows
/// one after another (Bacardit 2004, incremental learning by alternating strata). Rows of rare
/// classes are in every window.
struct SampleWindow {
  std::vector<std::size_t> classes;  ///< [classes + 1] first word of each, and the end

  std::size_t first() const noexcept { return classes.front(); }
  std::size_t end() const noexcept { return classes.back(); }
};

/// All rows that have a class, or of a large table so many of each class. Immutable; shared by all
/// islands of a rank.
class ClassSample {
 public:
  struct Options {
    std::vector<bool> usable = {};  ///< [attributes] by which rules may tell rows apart; empty: all
    std::span<const std::uint8_t> folds = {};  ///< [rows of the dataset]; empty: all are in fold 0
    std::uint32_t fold_count = 1;
    std::size_t most_bytes = std::size_t{128} << 20;  ///< of the bits of literals, about
    std::uint64_t most_rows = std::uint64_t{1} << 17;
    /// The cost of one look at all literals in a window, about: words of 64 rows for each, eight of
    /// them at once, or where that is less, rows for each attribute of numbers.
    std::size_t window_cost = std::size_t{1} << 18;
    ThreadPool* pool = nullptr;  ///< whose threads share the work; null: this one does it
  };

  ClassSample(const Dataset& dataset, std::uint32_t class_attribute, const Options& options);

  std::span<const Attribute> attributes() const noexcept { return attributes_; }
  std::uint32_t class_attribute() const noexcept { return class_attribute_; }
  std::uint32_t classes() const noexcept { return static_cast<std::uint32_t>(class_rows_.size()); }
  /// [classes] rows of the dataset that have it.
  std::span<const std::uint64_t> class_rows() const noexcept { return class_rows_; }
  /// Rows of the dataset for each row of this class in the sample.
  double scale(std::uint32_t label) const noexcept { return scales_[label]; }

  std::size_t words() const noexcept { return words_; }
  std::span<const SampleWindow> windows() const noexcept { return windows_; }

  /// Rows of the dataset in the sample, ascending, some in several windows.
  struct Place {
    std::uint64_t row;
    std::size_t position;  ///< bit of it in a row set
  };
  std::span<const Place> places() const noexcept { return places_; }

  /// Sets of rows, one behind the other, [words] bits each: those of literals, of attributes with
  /// missing values, of all rows, and of the rows that are not in a fold.
  std::span<const std::uint64_t> row_sets() const noexcept { return sets_.words(); }
  const std::uint64_t* row_set(std::size_t number) const noexcept {
    return sets_.data() + number * words_;
  }
  std::uint32_t set_of_rows() const noexcept { return first_without_ - 1; }
  std::uint32_t set_without(std::uint32_t fold) const noexcept { return first_without_ + fold; }
  /// Number of the set of rows on which the attribute has a value.
  std::uint32_t set_of_present(std::uint32_t attribute) const noexcept {
    return present_[attribute];
  }
  /// [words] bits of the rows that exist.
  const std::uint64_t* rows() const noexcept { return row_set(set_of_rows()); }
  /// [words] bits of those that are not in a fold.
  const std::uint64_t* rows_without(std::uint32_t fold) const noexcept {
    return row_set(set_without(fold));
  }

  /// The literals by attribute, then code. An attribute of numbers has one for each bound between
  /// codes, one of labels one for each label, of the most frequent ones if they are very many.
  std::span<const Literal> literals() const noexcept { return literals_; }
  /// The first one of an attribute; that of the next one is behind its last.
  std::size_t first_literal(std::uint32_t attribute) const noexcept {
    return first_literal_[attribute];
  }
  std::size_t literals_of(std::uint32_t attribute) const noexcept {
    return first_literal_[attribute + 1] - first_literal_[attribute];
  }
  /// [words] rows on which it holds.
  const std::uint64_t* bits(std::size_t literal) const noexcept { return row_set(literal); }
  /// [words * 64] codes of the sample's rows, no_code where there is none; empty for attributes
  /// without an order and for those that have few literals, or too many codes.
  std::span<const std::uint16_t> codes(std::uint32_t attribute) const noexcept {
    return codes_[attribute];
  }
  static constexpr std::uint16_t no_code = 0xFFFF;
  /// So many literals of an attribute with an order, at most, are looked at first where there are
  /// many rows: every n-th, beginning at half of n.
  static constexpr std::size_t most_coarse_literals = 64;
  std::size_t stride(std::uint32_t attribute) const noexcept {
    const std::size_t literals = literals_of(attribute);
    if (!attributes_[attribute].ordered() || literals == 0) return 1;
    return (literals + most_coarse_literals - 1) / most_coarse_literals;
  }
  /// A copy of the rows of these literals, for RunMask::count_interleaved(): the rows themselves
  /// are far apart. Empty for attributes that have not very many literals.
  std::span<const std::uint64_t> coarse_bits(std::uint32_t attribute) const noexcept {
    return coarse_bits_[attribute].words();
  }
  /// [words] rows on which the attribute has a value.
  const std::uint64_t* present(std::uint32_t attribute) const noexcept {
    return row_set(present_[attribute]);
  }

  /// Can comparisons name this label of an attribute without an order? Others are on no row of
  /// rows_of() but on those of what they are not.
  bool knows(std::uint32_t attribute, std::uint32_t code) const noexcept;
  ComparisonRows rows_of(const Comparison& comparison) const noexcept;
  /// @param out  [words] overwritten
  void cover(const Expression& expression, std::uint64_t* out) const;
  /// Takes away the rows on which a comparison does not hold, in words from `first` up to `end`.
  /// @param rows  [words]
  void narrow(const ComparisonRows& comparison, std::size_t first, std::size_t end,
              std::uint64_t* rows) const;

 private:
  void choose_literals(const Options& options);
  void place_rows(const Dataset& dataset, const Options& options);
  std::size_t cost_of(std::size_t rows) const noexcept;
  bool keeps_codes(std::uint32_t attribute) const noexcept;
  bool keeps_coarse_bits(std::uint32_t attribute) const noexcept;
  void copy_coarse_bits(std::uint32_t attribute);
  void add_window(std::span<const std::vector<std::uint64_t>> rows);
  void mark_rows(const Options& options);
  void fill(const Dataset& dataset, ThreadPool* pool);
  void fill(std::uint32_t attribute, std::span<const std::uint32_t> codes);
  std::uint64_t* set(std::size_t number) noexcept { return sets_.data() + number * words_; }
  /// The first literal of an attribute whose code is at least this one, or the attribute's end.
  std::uint32_t find(std::uint32_t attribute, std::uint32_t code) const noexcept;
  bool has_literal(std::uint32_t attribute, std::uint32_t code) const noexcept;

  std::vector<Attribute> attributes_;
  std::uint32_t class_attribute_;
  std::vector<std::uint64_t> class_rows_;  // [classes] of the dataset
  std::vector<double> scales_;             // [classes]
  std::size_t words_ = 0;
  std::vector<SampleWindow> windows_;
  std::vector<Place> places_;  // by row
  std::vector<Literal> literals_;
  std::vector<std::size_t> first_literal_;         // [attributes + 1]
  std::vector<std::vector<std::uint16_t>> codes_;  // [attributes]
  std::vector<AlignedWords> coarse_bits_;          // [attributes]
  AlignedWords sets_;                              // [row sets][words]
  std::vector<std::uint32_t> present_;             // [attributes] row set
  std::uint32_t first_without_ = 0;                // row set of fold 0
};

}  // namespace atl
