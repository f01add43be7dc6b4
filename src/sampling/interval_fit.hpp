// Fits one comparison of a rule to the data, the others being as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/bound_relation.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

/// Depends on the dataset alone. Looks at rows in an order of which every beginning is spread over
/// the dataset.
class IntervalFit {
 public:
  /// @param most_rows  to look at; fewer in wide datasets
  /// @param enough     rows on which the rest of a side holds, after which a fit looks no further
  IntervalFit(const Dataset& dataset, std::uint64_t most_rows, std::uint64_t enough);

  struct Codes {
    std::uint32_t low, high;
    /// Chi-squared of the rows inside and outside against those that are positive and not.
    double chi_squared;
  };
  /// What a positive row has to make up for: `rows` rows weigh as much as `positives` positive
  /// ones.
  struct Share {
    std::int64_t positives, rows;
  };
  /// Working memory, of one thread and one fit. Keeps which rows the last task looked at: the next
  /// one often asks the same of another attribute.
  struct Scratch {
    explicit Scratch(const IntervalFit& fit);

    std::vector<Comparison> rest, goal, asked;  // those of the last task; rest of this one
    bool asked_before = false;
    std::vector<std::uint32_t>
        picked;                  // 2 r + 1 where row r is positive, else 2 r; of the last task
    std::int64_t positives = 0;  // rows of them
    std::vector<std::uint32_t> counts;  // [2 code + 1] rows that are positive, [2 code] others
    std::vector<std::int64_t> gains;    // [code]
  };

  /// What is asked of a fit.
  struct Task {
    std::uint32_t attribute;
    BoundRelation relation;
    std::span<const Comparison> rest;  ///< those on this attribute are passed over
    std::span<const Comparison> positives;
    std::optional<Share> share = {};  ///< if absent, that of the positive rows where `rest` holds
    /// Then asks again for the share halfway between those inside and outside, until nothing moves:
    /// a bound goes where the share of positive rows changes, not as far as any are gained.
    bool refine_threshold = false;
    std::size_t rows = std::numeric_limits<std::size_t>::max();  ///< looks at no more
    std::optional<std::uint32_t> through = {};  ///< a code that an interval is to take
    std::optional<std::uint32_t> only = {};     ///< the one code that the comparison may name
    /// First codes of bins, ascending, after the first bin's. A bound leaves the nearer edge of its
    /// bin only for a gain of more than one standard error of it: binomial, of the rows between, by
    /// the share that is asked for. Empty: it goes anywhere.
    std::span<const std::uint32_t> edges = {};
  };
  /// The codes of a comparison of this relation that gain most. An interval's gain is the number of
  /// positive rows in it beyond the share of its rows that is asked for: rows are those on which
  /// `rest` and it hold, positives those of them on which all of `positives` hold (Fukuda et al.
  /// 1996, "Mining optimized association rules for numeric attributes"). None if nothing gains.
  std::optional<Codes> best_codes(const Task& task, Scratch& scratch) const;

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
  void pick_rows(const Task& task, Scratch& scratch) const;
  std::optional<Codes> best_for(const Task& task, const Share& share, Scratch& scratch) const;
  /// Moves bounds back to the edges of their bins. @param scratch  with counts and gains of `share`
  static Codes at_edges(const Codes& best, const Task& task, const Share& share,
                        const Scratch& scratch);

  std::uint64_t enough_;
  std::size_t rows_ = 0;    // drawn
  std::size_t stride_ = 0;  // of a column: rows_ rounded up, the rest missing
  std::vector<Column> columns_;
  std::vector<std::byte> codes_;  // [attribute][stride_]
};

}  // namespace atl
