#include "src/measures/confusion_matrix.hpp"

#include <cassert>
#include <limits>
#include <numeric>

namespace atl {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) noexcept {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// The mean of the values that exist.
template <typename Value>
double mean_over_classes(const ConfusionMatrix& matrix, const Value& value) noexcept {
  double sum = 0, number = 0;
  for (std::size_t label = 0; label < matrix.classes(); ++label) {
    const double of_label = value(matrix, label);
    if (of_label != of_label) continue;
    sum += of_label;
    number += 1;
  }
  return number > 0 ? sum / number : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void ConfusionMatrix::add(const ConfusionMatrix& other) noexcept {
  assert(other.classes_ == classes_);
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] += other.rows_[i];
}

std::uint64_t ConfusionMatrix::rows() const noexcept {
  return std::accumulate(rows_.begin(), rows_.end(), std::uint64_t{0});
}

std::uint64_t ConfusionMatrix::correct() const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t label = 0; label < classes_; ++label) sum += at(label, label);
  return sum;
}

std::uint64_t ConfusionMatrix::actual(std::size_t label) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t other = 0; other < classes_; ++other) sum += at(label, other);
  return sum;
}

std::uint64_t ConfusionMatrix::predicted(std::size_t label) const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t other = 0; other < classes_; ++other) sum += at(other, label);
  return sum;
}

double accuracy(const ConfusionMatrix& matrix) noexcept {
  return ratio(matrix.correct(), matrix.rows());
}

double recall(const ConfusionMatrix& matrix, std::size_t label) noexcept {
  return ratio(matrix.at(label, label), matrix.actual(label));
}

double precision(const ConfusionMatrix& matrix, std::size_t label) noexcept {
  return ratio(matrix.at(label, label), matrix.predicted(label));
}

double f1(const ConfusionMatrix& matrix, std::size_t label) noexcept {
  return ratio(2 * matrix.at(label, label), matrix.actual(label) + matrix.predicted(label));
}

double balanced_accuracy(const ConfusionMatrix& matrix) noexcept {
  return mean_over_classes(matrix, recall);
}

double macro_f1(const ConfusionMatrix& matrix) noexcept {
  return mean_over_classes(matrix, f1);
}

double kappa(const ConfusionMatrix& matrix) noexcept {
  // Computes in integers up to the division, so that one and zero are exact.
  __extension__ using Wide = __int128;
  const Wide rows = matrix.rows();
  Wide chance = 0;
  for (std::size_t label = 0; label < matrix.classes(); ++label)
    chance += Wide{matrix.actual(label)} * Wide{matrix.predicted(label)};
  const Wide denominator = rows * rows - chance;
  if (denominator == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(rows * Wide{matrix.correct()} - chance) /
         static_cast<double>(denominator);
}

}  // namespace atl
