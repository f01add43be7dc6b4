// The coverages of a population's rules side by side, so that the one most like another is found
// without looking at most of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/sampling/coverage_sample.hpp"

namespace atl {

/// Many rules have the same consequent: its rows are kept once, and compared once for all of them.
class CoverageTable {
 public:
  std::size_t size() const noexcept { return slots_.size(); }
  void clear() noexcept;
  /// @param coverage  of the same sample as all others
  void push_back(const Coverage& coverage);
  void set(std::size_t slot, const Coverage& coverage);

  /// [words] bits of the rows of a side.
  std::span<const std::uint64_t> antecedent(std::size_t slot) const noexcept {
    return std::span(antecedents_).subspan(slot * words_, words_);
  }
  std::span<const std::uint64_t> consequent(std::size_t slot) const noexcept {
    return std::span(consequents_).subspan(kinds_[slots_[slot].kind].position * words_, words_);
  }

  /// Slot of greatest similarity(), the first of equal ones; none if all are below `least`.
  /// @param likely  where to look first: the more similar this one is, the fewer others are looked
  /// at
  /// @pre least > 0, likely < size()
  std::optional<std::size_t> most_similar(const Coverage& coverage, double least,
                                          std::size_t likely);

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  struct Slot {
    std::uint32_t rows;  // of the antecedent
    std::uint32_t kind;  // its consequent
    std::uint32_t next;  // slot of this kind; none
  };
  struct Kind {
    std::uint32_t rows;      // of the consequent
    std::uint32_t first;     // slot
    std::uint32_t position;  // of its rows in consequents_
  };
  struct Search;

  void add(std::size_t slot, const Coverage& coverage);
  void remove(std::size_t slot) noexcept;
  std::optional<std::uint32_t> kind_of(const Coverage& coverage) const noexcept;
  double alike(const Kind& kind, const Coverage& coverage, const Kind* own);
  void meet(std::uint32_t slot, double alike, const Coverage& coverage,
            Search& found) const noexcept;
  void meet_all(const Kind& kind, double alike, const Coverage& coverage,
                Search& found) const noexcept;

  std::size_t words_ = 0;  // of a side
  std::vector<Slot> slots_;
  std::vector<Kind> kinds_;                 // of some slot each
  std::vector<std::uint32_t> free_;         // positions in consequents_
  std::vector<std::uint64_t> antecedents_;  // [slot][words]
  /// [position][position] rows that two consequents share, filled as they are asked for
  std::vector<std::uint16_t> common_;
  std::vector<std::uint64_t> consequents_;  // [position][words], as many as slots
};

}  // namespace atl
