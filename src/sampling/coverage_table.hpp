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
  std::size_t size() const noexcept { return size_; }
  void clear() noexcept;
  /// @param coverage  of the same sample as all others
  void push_back(const Coverage& coverage);
  void set(std::size_t slot, const Coverage& coverage);

  /// [words] bits of the rows of a side.
  std::span<const std::uint64_t> antecedent(std::size_t slot) const noexcept {
    return std::span(antecedents_).subspan(slot * words_, words_);
  }
  std::span<const std::uint64_t> consequent(std::size_t slot) const noexcept {
    return std::span(consequents_).subspan(kinds_[slot] * words_, words_);
  }

  /// Slot of greatest similarity(), the first of equal ones; none if all are below `least`.
  /// @param likely  where to look first: the more similar this one is, the fewer others are looked
  /// at
  /// @pre least > 0, likely < size()
  std::optional<std::size_t> most_similar(const Coverage& coverage, double least,
                                          std::size_t likely);

 private:
  struct Search;

  void grow();
  void add(std::size_t slot, const Coverage& coverage);
  void remove(std::size_t slot) noexcept;
  std::optional<std::uint32_t> kind_of(const Coverage& coverage) const noexcept;
  std::uint32_t add_kind(const Coverage& coverage);
  std::uint16_t* common_with(std::uint32_t kind) noexcept {
    return common_.data() + kind * remembered_;
  }
  double alike(std::uint32_t kind, const Search& search) noexcept;
  void meet(std::size_t slot, double alike, Search& search) const noexcept;

  std::size_t words_ = 0;  // of a side
  std::size_t size_ = 0;
  // The arrays that follow have room for as many slots, and as many kinds, as are read at a time.
  std::vector<float> rows_;                 // [slot] of the antecedent; 0 beyond the last
  std::vector<std::uint32_t> kinds_;        // [slot] its consequent
  std::vector<float> kind_rows_;            // [kind] of the consequent; 0 where there is none
  std::vector<std::uint32_t> members_;      // [kind] slots of it
  std::vector<double> alike_;               // [kind] scratch: how alike a candidate's consequent is
  std::vector<float> factors_;              // [kind] likewise; zeros between searches
  std::vector<float> slot_factors_;         // [slot] scratch: that of its kind
  std::vector<std::uint64_t> near_;         // scratch: bits of the kinds, or slots, to look at
  std::size_t kind_end_ = 0;                // kinds that there have been at a time
  std::vector<std::uint32_t> free_;         // kinds below it
  std::vector<std::uint64_t> antecedents_;  // [slot][words]
  std::vector<std::uint64_t> consequents_;  // [kind][words]
  std::size_t remembered_ = 0;              // the first kinds, of which it is known what they share
  /// [remembered_][remembered_] rows that two consequents share, filled as they are asked for
  std::vector<std::uint16_t> common_;
};

}  // namespace atl
