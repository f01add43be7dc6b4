// The rows that antecedents cover, as bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// A set of rows.
using RowBits = std::vector<std::uint64_t>;

/// All rows of a dataset, or one drawn from each of `most` equal runs of rows. For one thread.
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

  /// The codes of an attribute. @return [rows()] valid until the next call or cover()
  std::span<const std::uint32_t> codes(std::uint32_t attribute) const;
  /// The rows that each side covers. @return [sides][words()]
  std::vector<RowBits> cover(std::span<const Expression* const> sides) const;

 private:
  using Codes = std::map<std::uint32_t, std::vector<std::uint32_t>>;

  std::size_t most_known() const noexcept;
  void know(std::span<const std::uint32_t> attributes) const;

  const Dataset& dataset_;
  ThreadPool& pool_;
  std::vector<std::uint64_t> drawn_;  // rows of the dataset, ascending
  mutable Codes known_;  // [attribute] of drawn rows: each consequent's rules ask for them anew
};

}  // namespace atl
