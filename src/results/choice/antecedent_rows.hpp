// The rows that antecedents cover, as bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// A set of rows.
using RowBits = std::vector<std::uint64_t>;

/// All rows of a dataset, or one drawn from each of `most` equal runs of rows.
class AntecedentRows {
 public:
  /// The arguments must outlive it.
  AntecedentRows(const Dataset& dataset, std::uint64_t most, ThreadPool& pool);

  std::size_t rows() const noexcept { return drawn_.size(); }
  std::size_t words() const noexcept { return (rows() + 63) / 64; }
  /// Are they all rows of the dataset?
  bool is_whole() const noexcept { return rows() == dataset_.rows(); }
  std::span<const Attribute> attributes() const noexcept { return dataset_.attributes(); }
  ThreadPool& pool() const noexcept { return pool_; }

  /// The codes of an attribute. @return [rows()]
  std::vector<std::uint32_t> codes(std::uint32_t attribute) const;
  /// The rows that each side covers. @return [sides][words()]
  std::vector<RowBits> cover(std::span<const Expression* const> sides) const;

 private:
  const Dataset& dataset_;
  ThreadPool& pool_;
  std::vector<std::uint64_t> drawn_;  // rows of the dataset, ascending
};

}  // namespace atl
