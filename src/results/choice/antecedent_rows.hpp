// The rows that antecedents cover, as bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// All rows of a dataset, or one drawn from each of 2^20 equal runs of rows.
class AntecedentRows {
 public:
  static constexpr std::uint64_t most_rows = std::uint64_t{1} << 20;
  using Bits = std::vector<std::uint64_t>;  ///< [words()]

  /// The arguments must outlive it.
  AntecedentRows(const Dataset& dataset, ThreadPool& pool);

  std::size_t rows() const noexcept { return drawn_.size(); }
  std::size_t words() const noexcept { return (rows() + 63) / 64; }
  /// Are they all rows of the dataset?
  bool is_whole() const noexcept { return rows() == dataset_.rows(); }
  /// [rows()] codes of an attribute.
  std::vector<std::uint32_t> codes(std::uint32_t attribute) const;
  /// @return [sides]
  std::vector<Bits> cover(std::span<const Expression* const> sides) const;

 private:
  const Dataset& dataset_;
  ThreadPool& pool_;
  std::vector<std::uint64_t> drawn_;  // rows of the dataset, ascending
};

}  // namespace atl
