// The coverages of a population's rules side by side, so that the one most like another is found
// without looking at most of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/eval/coverage_sample.hpp"

namespace atl {

class CoverageTable {
 public:
  std::size_t size() const noexcept { return rows_.size(); }
  void clear() noexcept;
  /// All are of the same sample.
  void push_back(const Coverage& coverage);
  void set(std::size_t slot, const Coverage& coverage);

  /// Bits of the rows of a side, 0 for the antecedent, 1 for the consequent.
  std::span<const std::uint64_t> side(std::size_t slot, std::size_t side) const noexcept {
    return std::span(bits_).subspan((2 * slot + side) * words_, words_);
  }

  /// Slot of greatest similarity(), the first of equal ones; none if all are below `least`.
  /// @pre least > 0
  std::optional<std::size_t> most_similar(const Coverage& coverage, double least) const;

 private:
  std::size_t words_ = 0;                           // of a side
  std::vector<std::uint64_t> bits_;                 // [slot][side][words]
  std::vector<std::array<std::uint32_t, 2>> rows_;  // [slot][side] how many
};

}  // namespace atl
