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

/// The share of positive rows that is asked for: positives / rows.
struct PositiveShare {
  std::int64_t positives = 0, rows = 0;
  friend auto operator<=>(const PositiveShare&, const PositiveShare&) = default;
};

/// One comparison to be fitted. An interval's gain is the number of positive rows in it beyond the
/// share of its rows that is asked for (Fukuda et al. 1996, "Mining optimized association rules for
/// numeric attributes"). Rows are those on which `rest` and the interval hold, positive those of
/// them on which all of `positives` hold.
struct IntervalTrial {
  std::uint32_t attribute = 0;
  BoundRelation relation = BoundRelation::interval;
  std::span<const Comparison> rest = {};  ///< those on the trial's own attribute are ignored
  std::span<const Comparison> positives = {};
  /// If absent: the share of positives among the rows on which `rest` holds.
  std::optional<PositiveShare> share = {};
  /// Fits again after a first fit, with the share halfway between the shares inside and outside,
  /// until nothing moves, for at most threshold_rounds rounds. The bound then lies where the share
  /// of positive rows changes.
  bool refine_threshold = false;
  /// A code that must lie in the interval. Other relations ignore it.
  std::optional<std::uint32_t> through = {};
  std::optional<std::uint32_t> only = {};  ///< the one code that the comparison may name
  /// First codes of the bins, ascending, without the first bin's. A bound moves to that edge of its
  /// bin which costs fewer positive rows, unless this costs more than one standard error (binomial,
  /// over the rows between, by the share that is asked for). If empty, bounds may lie anywhere.
  std::span<const std::uint32_t> edges = {};
};

/// Trials of which the one that parts the rows best is wanted.
struct IntervalGroup {
  /// An empty optional stands for what cannot be fitted; its chi-squared is 0. What trials refer to
  /// must stay until finish().
  std::span<const std::optional<IntervalTrial>> trials;
  /// A trial uses at most so many rows on which its rest holds.
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  /// If not 0, all trials first use at most so many rows, and only the best two are fitted again on
  /// `rows`.
  std::size_t rows_to_compare = 0;
};

struct FittedGroup {
  /// The trial whose last fit has the greatest chi-squared, the first of equals. A fit that gains
  /// nothing has a chi-squared of 0.
  std::size_t winner = 0;
  /// The winner's codes, from the last of its fits that gained; absent if none gained.
  std::optional<FittedInterval> interval;
};

/// The number of rows that fits may use. They are drawn once, in an order in which the first n are
/// spread over the dataset for every n.
struct IntervalRows {
  std::uint64_t most = 0;    ///< drawn at most; fewer in wide datasets
  std::uint64_t enough = 0;  ///< a fit ends once it has found so many rows on which rest holds
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
  /// False while finish() would certainly block. Cheap.
  virtual bool ready() const { return true; }
  /// Blocks until the groups are fitted.
  virtual void finish() = 0;
  /// @param out  [n] overwritten; out[i] belongs to groups[i]
  virtual void read(std::span<FittedGroup> out) = 0;

  /// Fewer groups than this take it about as long.
  virtual std::size_t least_groups() const noexcept { return 1; }

  /// Fits one group and waits for it.
  FittedGroup fit(const IntervalGroup& group);
};

/// The numbers of the rows that are drawn, in their order.
std::vector<std::uint64_t> rows_to_look_at(const Dataset& dataset, const IntervalRows& rows);

/// The same rows in the order of the dataset.
struct SpreadRows {
  std::vector<std::uint64_t> rows;    ///< ascending
  std::vector<std::uint32_t> places;  ///< [rows] of each in rows_to_look_at()
};
SpreadRows spread_rows(const Dataset& dataset, const IntervalRows& rows);

/// The executable specification: plain loops over rows and codes. The dataset must outlive it.
std::unique_ptr<IntervalFitter> make_reference_interval_fitter(const Dataset& dataset,
                                                               const IntervalRows& rows);

class IntervalSample;
/// Makes a fitter that works on the calling thread.
/// @param sample  shared by the fitters of all threads
std::unique_ptr<IntervalFitter> make_cpu_interval_fitter(
    std::shared_ptr<const IntervalSample> sample);

}  // namespace atl
