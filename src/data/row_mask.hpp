#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace atl {

/// A bit for each row of a dataset: row r is bit r % 64 of word r / 64. Bits beyond the rows are
/// zero.
class RowMask {
 public:
  RowMask() = default;
  explicit RowMask(std::uint64_t rows) : rows_(rows), words_((rows + 63) / 64) {}
  RowMask(std::initializer_list<bool> bits);

  std::uint64_t size() const noexcept { return rows_; }
  bool operator[](std::uint64_t row) const noexcept {
    return ((words_[row / 64] >> (row % 64)) & 1) != 0;
  }
  void set(std::uint64_t row) noexcept { words_[row / 64] |= std::uint64_t{1} << (row % 64); }
  std::uint64_t count() const noexcept;  ///< bits that are set
  std::span<const std::uint64_t> words() const noexcept { return words_; }
  std::span<std::uint64_t> words() noexcept { return words_; }

 private:
  std::uint64_t rows_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace atl
