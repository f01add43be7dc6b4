// Counts that judge classifiers: rows by the class that they have and the class that they are
// given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl {

/// Counts of rows; those of shards, folds or windows add up.
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(std::size_t classes) : classes_(classes), rows_(classes * classes) {}

  std::size_t classes() const noexcept { return classes_; }
  /// @pre both below classes()
  void add(std::size_t actual, std::size_t predicted, std::uint64_t rows = 1) noexcept {
    rows_[actual * classes_ + predicted] += rows;
  }
  /// @pre as many classes
  void add(const ConfusionMatrix& other) noexcept;
  std::uint64_t at(std::size_t actual, std::size_t predicted) const noexcept {
    return rows_[actual * classes_ + predicted];
  }
  std::uint64_t rows() const noexcept;
  std::uint64_t correct() const noexcept;
  std::uint64_t actual(std::size_t label) const noexcept;     ///< rows that are of the class
  std::uint64_t predicted(std::size_t label) const noexcept;  ///< rows that are given the class
  friend bool operator==(const ConfusionMatrix&, const ConfusionMatrix&) = default;

 private:
  std::size_t classes_;
  std::vector<std::uint64_t> rows_;  ///< [actual][predicted]
};

// Each is NaN, a value that does not exist, where its denominator is zero.

/// Share of the rows that are given their class, in [0, 1]. Needs a row.
double accuracy(const ConfusionMatrix& matrix) noexcept;
/// Share of the rows of a class that are given it, in [0, 1]. Needs a row of the class.
double recall(const ConfusionMatrix& matrix, std::size_t label) noexcept;
/// Share of the rows given a class that are of it, in [0, 1]. Needs a row that is given it.
double precision(const ConfusionMatrix& matrix, std::size_t label) noexcept;
/// Harmonic mean of both, 2 both / (actual + predicted), in [0, 1]. Needs a row of either kind;
/// zero, not NaN, if one kind alone is there.
double f1(const ConfusionMatrix& matrix, std::size_t label) noexcept;
/// Mean recall of the classes that have rows, in [0, 1]. Needs a row.
double balanced_accuracy(const ConfusionMatrix& matrix) noexcept;
/// Mean F1 of the classes that have rows or are given to some, in [0, 1]. Needs a row.
double macro_f1(const ConfusionMatrix& matrix) noexcept;
/// Agreement beyond what chance gives with the same totals, in [-1, 1] (Cohen 1960). Does not exist
/// where all rows are of one class and are given it: chance agrees as well.
double kappa(const ConfusionMatrix& matrix) noexcept;

}  // namespace atl
