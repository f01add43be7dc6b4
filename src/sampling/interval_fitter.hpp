// Fits comparisons to the rows of a table: which codes of an attribute part positive rows best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/bound_relation.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

/// Codes of a comparison, inclusive.
struct FittedInterval {
  std::uint32_t low = 0, high = 0;
  /// Chi-squared of the rows inside and outside against those that are positive and not.
  double chi_squared = 0;
  friend bool operator==(const FittedInterval&, const FittedInterval&) = default;
};

/// What a positive row has to make up for: `rows` rows weigh as much as `positives` positive ones.
struct PositiveShare {
  std::int64_t positives = 0, rows = 0;
};

/// One comparison to be fitted. An interval's gain is the number of positive rows in it beyond the
/// share of its rows that is asked for (Fukuda et al. 1996, "Mining optimized association rules for
/// numeric attributes"). Rows are those on which `rest` and the interval hold, positive those of
/// them on which all of `positives` hold.
struct IntervalTrial {
  std::uint32_t attribute = 0;
  BoundRelation relation = BoundRelation::interval;
  std::span<const Comparison> rest = {};  ///< those on this attribute are passed over
  std::span<const Comparison> positives = {};
  std::optional<PositiveShare> share =
      {};  ///< absent: that of the positive rows where `rest` holds
  /// Asks again for the share halfway between those inside and outside, until nothing moves: a
  /// bound goes where the share of positive rows changes, not as far as any are gained.
  bool refine_threshold = false;
  std::optional<std::uint32_t> through = {};  ///< a code that an interval is to take
  std::optional<std::uint32_t> only = {};     ///< the one code that the comparison may name
  /// First codes of bins, ascending, after the first bin's. A bound leaves the nearer edge of its
  /// bin only for a gain of more than one standard error of it: binomial, of the rows between, by
  /// the share that is asked for. Empty: it goes anywhere.
  std::span<const std::uint32_t> edges = {};
};

/// Trials of which the one that parts the rows best is wanted.
struct IntervalGroup {
  /// An empty one cannot be fitted and has a chi-squared of 0. What trials refer to must stay until
  /// finish().
  std::span<const std::optional<IntervalTrial>> trials;
  std::size_t rows = std::numeric_limits<std::size_t>::max();  ///< each looks at no more
  /// Not 0: all trials look at no more than so many rows, and only the best two at `rows`.
  std::size_t rows_to_compare = 0;
};

struct FittedGroup {
  std::size_t winner = 0;  ///< trial of greatest chi-squared, the first of equals; none gains: 0
  /// Codes that gain most, as the winner found them last; absent if nothing gains.
  std::optional<FittedInterval> interval;
};

/// The rows that fits look at: drawn once and for all, in an order of which every beginning is
/// spread over the dataset.
struct IntervalRows {
  std::uint64_t most = 0;    ///< to look at; fewer in wide datasets
  std::uint64_t enough = 0;  ///< rows on which the rest of a side holds, after which a fit ends
  friend auto operator<=>(const IntervalRows&, const IntervalRows&) = default;
};

/// Fits groups of trials on the rows of a Resident: prepare, start, finish, read, and again. For
/// one thread at a time; others have fitters of their own. Results are equal on every backend.
class IntervalFitter {
 public:
  virtual ~IntervalFitter() = default;

  /// @param groups  [n] must stay until finish()
  virtual void prepare(std::span<const IntervalGroup> groups) = 0;
  /// Does not block on a device. A fitter of the CPU fits here.
  virtual void start() = 0;
  /// Blocks until the groups are fitted.
  virtual void finish() = 0;
  /// @param out  [n] overwritten; out[i] belongs to groups[i]
  virtual void read(std::span<FittedGroup> out) = 0;

  /// Fits one group and waits for it.
  FittedGroup fit(const IntervalGroup& group);
};

/// The numbers of the rows that fits look at, in their order.
std::vector<std::uint64_t> rows_to_look_at(const Dataset& dataset, const IntervalRows& rows);

/// The executable specification: plain loops over rows and codes. The dataset must outlive it.
std::unique_ptr<IntervalFitter> make_reference_interval_fitter(const Dataset& dataset,
                                                               const IntervalRows& rows);

class IntervalFit;
/// On the calling thread. @param sample  shared by the fitters of all threads
std::unique_ptr<IntervalFitter> make_cpu_interval_fitter(std::shared_ptr<const IntervalFit> sample);

}  // namespace atl
