// The rows that fits look at, as codes column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

/// The sample that intervals are fitted on. It depends on the dataset alone. Shared by the fitters
/// of all threads.
class IntervalSample {
 public:
  /// Rows of a block, which columns are filled up to with missing values.
  static constexpr std::size_t block_rows = 1024;

  IntervalSample(const Dataset& dataset, const IntervalRows& rows, ThreadPool* pool = nullptr);

  /// Rows that were drawn.
  std::size_t rows() const noexcept { return rows_; }
  /// Most rows that a fit looks at.
  std::size_t enough() const noexcept { return enough_; }
  /// Codes of an attribute. The next one stands for a missing value.
  std::uint32_t distinct(std::uint32_t attribute) const noexcept {
    return columns_[attribute].distinct;
  }
  /// Most codes of any attribute.
  std::uint32_t most_distinct() const noexcept { return most_distinct_; }
  /// Calls with the codes of an attribute, of the smallest type that holds them and the missing
  /// value's.
  template <typename Use>
  void with_codes(std::uint32_t attribute, const Use& use) const {
    const Column& column = columns_[attribute];
    const std::byte* const at = codes_.data() + column.begin;
    if (column.width == 1) {
      use(reinterpret_cast<const std::uint8_t*>(at));
    } else if (column.width == 2) {
      use(reinterpret_cast<const std::uint16_t*>(at));
    } else {
      use(reinterpret_cast<const std::uint32_t*>(at));
    }
  }

 private:
  struct Column {
    std::uint32_t distinct;
    std::uint32_t width;  // bytes of a code
    std::size_t begin;    // byte of codes_
  };

  std::size_t rows_ = 0;
  std::size_t enough_;
  std::uint32_t most_distinct_ = 0;
  std::vector<Column> columns_;
  std::vector<std::byte> codes_;  // [attribute][rows_ rounded up to blocks]
};

}  // namespace atl
