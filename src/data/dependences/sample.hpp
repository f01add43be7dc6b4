// The rows that dependences are looked for on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/portable_log.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// Is it more than what one table in a thousand shows by chance?
/// @param log_ways  ln of how many arrangements of the values are alike, one of which is there
/// @param looks  how many of its kind are looked at
inline bool beyond_chance(double log_ways, double looks) noexcept {
  constexpr double tables = 1000;
  return log_ways > portable_log(tables * looks);
}

/// An attribute on the sample's rows.
struct SampleColumn {
  static constexpr std::uint32_t no_label = 0xFFFFFFFF;

  std::vector<std::uint16_t> labels;       ///< [rows] numbered as the values come up first
  std::vector<std::uint32_t> codes;        ///< of each label; missing_code for missing_label
  std::vector<std::uint32_t> counts;       ///< rows of each label
  std::uint32_t missing_label = no_label;  ///< 0 if there are missing values in the sample
  std::uint32_t mode = no_label;           ///< most frequent label; the first one of several
  std::uint64_t rows = 0;                  ///< with a value
  std::uint64_t alone = 0;                 ///< rows whose value no other row of the sample has

  /// More than 5% of the rows are alone with their value.
  bool mostly_single() const noexcept { return alone * 20 > rows; }
  std::uint64_t off_mode() const noexcept { return mode == no_label ? 0 : rows - counts[mode]; }
  /// ln of the ways to deal out the values among the rows that have one.
  double log_ways() const noexcept;
};

/// The half of the rows that a row belongs to, 0 or 1. @param row  of the shard
unsigned half_of(const Dataset& dataset, std::uint64_t row) noexcept;

/// Rows drawn one from each of equal runs, in an order that looks random. Depends on the dataset
/// alone, which must outlive it.
class DependenceSample {
 public:
  /// @param attributes  whose columns are read
  DependenceSample(const Dataset& dataset, std::span<const std::uint32_t> attributes,
                   ThreadPool& pool);

  const Dataset& dataset() const noexcept { return dataset_; }
  std::size_t rows() const noexcept { return rows_.size(); }
  /// It has every row of the dataset.
  bool is_whole() const noexcept { return rows_.size() == dataset_.rows(); }
  std::span<const std::uint8_t> halves() const noexcept { return halves_; }
  const std::vector<std::uint32_t>& attributes() const noexcept { return attributes_; }
  /// @pre one of attributes()
  const SampleColumn& column(std::uint32_t attribute) const noexcept { return columns_[attribute]; }

 private:
  void read(std::uint32_t attribute);

  const Dataset& dataset_;
  std::vector<std::uint32_t> attributes_;
  std::vector<std::uint64_t> rows_;    // ascending
  std::vector<std::uint32_t> places_;  // of each of rows_ in the sample's order
  std::vector<std::uint8_t> halves_;   // in the sample's order
  std::vector<SampleColumn> columns_;  // [attributes of the dataset]
};

}  // namespace atl
