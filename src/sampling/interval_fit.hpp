// Fits one comparison of a rule to the data, the others being as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/comparison.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

/// The codes of a sample of rows, and how one trial is fitted to them on the CPU. Depends on the
/// dataset alone.
class IntervalFit {
 public:
  IntervalFit(const Dataset& dataset, const IntervalRows& rows);

  /// Working memory, of one thread and one fit. Keeps which rows the last trial looked at: the next
  /// one often asks the same of another attribute.
  struct Scratch {
    explicit Scratch(const IntervalFit& fit);

    std::vector<Comparison> rest, goal, asked;  // those of the last trial; rest of this one
    bool asked_before = false;
    std::vector<std::uint32_t>
        picked;  // 2 r + 1 where row r is positive, else 2 r; of the last trial
    std::vector<std::uint32_t> counts;  // [2 code + 1] rows that are positive, [2 code] others
    std::vector<std::int64_t> gains;    // [code]
  };

  /// The codes of a comparison of the trial's relation that gain most. Of equals it takes those
  /// found first in ascending order of their last code. None if nothing gains.
  /// @param rows  to look at, at most
  std::optional<FittedInterval> best_codes(const IntervalTrial& trial, std::size_t rows,
                                           Scratch& scratch) const;

 private:
  struct Column {
    std::uint32_t distinct;
    std::uint32_t width;  // bytes of a code
    std::size_t begin;    // byte of codes_
  };

  /// Calls with the codes of a column, of their type.
  template <typename Use>
  void with_codes(const Column& column, const Use& use) const;
  void limit(const Comparison& c, std::size_t first, std::uint64_t* rows) const;
  void pick_rows(const IntervalTrial& trial, Scratch& scratch) const;
  std::optional<FittedInterval> best_for(const IntervalTrial& trial, const PositiveShare& share,
                                         Scratch& scratch) const;
  /// Moves bounds back to the edges of their bins. @param scratch  with counts and gains of `share`
  static FittedInterval at_edges(const FittedInterval& best, const IntervalTrial& trial,
                                 const PositiveShare& share, const Scratch& scratch);

  std::uint64_t enough_;
  std::size_t rows_ = 0;    // drawn
  std::size_t stride_ = 0;  // of a column: rows_ rounded up, the rest missing
  std::vector<Column> columns_;
  std::vector<std::byte> codes_;  // [attribute][stride_]
};

}  // namespace atl
