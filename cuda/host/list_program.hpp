// Writes decision lists as the device evaluates them (list_format.hpp). Host code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/list_format.hpp"
#include "src/eval/list_batch.hpp"

namespace atl::cuda {

/// Reusable: build() keeps what was allocated.
class ListProgram {
 public:
  void build(const ListBatch& batch);

  std::span<const std::uint32_t> words() const noexcept { return words_; }
  /// Positions of the parts, in words; those of units first.
  std::size_t groups() const noexcept { return 0; }
  std::size_t operands() const noexcept { return operands_; }
  /// Position of the antecedents, which are as in the batch's stream. A unit of zeros is behind the
  /// last.
  std::size_t stream() const noexcept { return stream_; }
  /// [lists] unit of the stream in which each begins
  std::size_t list_units() const noexcept { return list_units_; }
  std::size_t first_entry() const noexcept { return first_entry_; }  ///< [lists + 1]
  std::size_t covered_by() const noexcept { return covered_by_; }    ///< [entries]
  /// Most of a group.
  std::uint32_t slots() const noexcept { return slots_; }

 private:
  void put_operand(const ListOperand& operand);
  void put_antecedents(std::span<const std::uint32_t> from, std::uint32_t count);

  std::vector<std::uint32_t> words_;
  std::size_t operands_ = 0, stream_ = 0, list_units_ = 0, first_entry_ = 0, covered_by_ = 0;
  std::uint32_t slots_ = 0;
  std::vector<std::uint32_t> units_;  // [lists]
};

}  // namespace atl::cuda
