// Decision lists on the rows of a table: which rows each rule covers and decides, by class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/rules/rule_set.hpp"

namespace atl {

/// What a scorer looks at.
struct ClassifiedRows {
  std::uint32_t class_attribute = 0;  ///< rows where its value is missing count for nothing
  /// Rows of each class are dealt out to so many windows in turn, so that every window has the same
  /// share of each class (Bacardit 2004, ILAS).
  std::uint32_t windows = 1;
};

/// Additive integers alone: the counts of shards, or of windows, add up.
struct RuleSetCounts {
  /// [rules][classes] rows of each class that the rule covers, whatever rules stand before it
  std::vector<std::uint64_t> covered;
  /// [rules + 1][classes] rows of each class that the rule decides, as no rule before it covers
  /// them; the default class's last
  std::vector<std::uint64_t> decided;

  friend bool operator==(const RuleSetCounts&, const RuleSetCounts&) = default;
};

/// The stages of the published pipeline (Cano et al. 2014).
struct RuleSetStageSeconds {
  double coverage = 0;        ///< of rules: which rows each covers
  double rule_fitness = 0;    ///< from there to `covered`
  double classification = 0;  ///< which rows each rule decides
  double set_fitness = 0;     ///< from there to `decided`
};

struct ScoringOptions {
  /// The window whose rows are counted; absent: all rows.
  std::optional<std::uint32_t> window = {};
  /// One stage after the other, each writing what the next one reads, and timed. Otherwise one pass
  /// over the rows does all, which is faster.
  bool staged = false;
};

/// Scores batches of decision lists: prepare, start, finish, read, and again, so that nothing is
/// allocated anew. Rules and comparisons that lists of a batch have in common are evaluated once.
/// Any number of scorers can be at work on as many threads; one is for one thread at a time. The
/// resident must outlive it. Counts are equal on every backend, with any number of threads, staged
/// or not.
class RuleSetScorer {
 public:
  virtual ~RuleSetScorer() = default;  ///< finishes what was started

  /// [classes] rows of each class among those that are counted.
  virtual std::vector<std::uint64_t> class_rows(std::optional<std::uint32_t> window) const = 0;
  /// Makes lists ready to be scored; they are copied. Blocks for no device.
  /// @param lists  [n] canonical or not; an empty antecedent covers every row
  /// @throws UnknownAttribute also for an antecedent that names the class, or an unknown label
  virtual void prepare(std::span<const RuleSet> lists, const ScoringOptions& options) = 0;
  /// Starts the scoring and does not wait for it, except on the reference device, which scores here.
  /// @throws BackendUnavailable if the device fails; finish() may throw this, too
  virtual void start() = 0;
  /// Blocks until the counts are there.
  virtual void finish() = 0;
  /// Once for each batch. @param out  [n] overwritten; out[i] belongs to lists[i]
  virtual void read(std::span<RuleSetCounts> out) = 0;
  /// Of the batch that was finished last. Nothing if it was not staged or the device has no clock.
  virtual std::optional<RuleSetStageSeconds> stage_seconds() const { return std::nullopt; }
};

}  // namespace atl
