// Decision lists on the rows of a table: which rows each rule covers and decides, by class.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/measures/confusion_matrix.hpp"
#include "src/rules/rule_set.hpp"

namespace atl {

/// The rows that a scorer looks at.
struct ClassifiedRows {
  std::uint32_t class_attribute = 0;  ///< rows where its value is missing count for nothing
  /// Rows are dealt to so many windows by class_folds(), so that every window has about the same
  /// share of each class. At least 1.
  std::uint32_t windows = 1;
  std::uint64_t seed = 0;  ///< of class_folds()
  friend auto operator<=>(const ClassifiedRows&, const ClassifiedRows&) = default;
};

/// A list puts rows into a class that its class attribute does not have, or asks for that class in
/// a rule.
struct UnfitList : InternalError {
  UnfitList(std::size_t list, const std::string& reason)
      : InternalError("list " + std::to_string(list) + " " + reason), list(list) {}
  std::size_t list;
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

/// Rows of a class that a rule decides, or the default class.
struct DecidedCount {
  std::uint32_t entry = 0;  ///< among the rules of all lists, each with its default behind them
  std::uint32_t label = 0;
  std::uint64_t rows = 0;  ///< not 0

  friend auto operator<=>(const DecidedCount&, const DecidedCount&) = default;
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
  /// @throws UnknownAttribute naming the list in place of the rule
  /// @throws UnfitList
  virtual void prepare(std::span<const RuleSet> lists, const ScoringOptions& options) = 0;
  /// Starts the scoring and does not wait for it, except on the reference device, which scores
  /// here. Stages on the CPU run in finish().
  /// @throws BackendUnavailable if the device fails; finish() may throw this, too
  virtual void start() = 0;
  /// Blocks until the counts are there.
  virtual void finish() = 0;
  /// Hands out the counts, once for each batch.
  /// @param out  [n] overwritten; out[i] belongs to lists[i]
  virtual void read(std::span<RuleSetCounts> out) = 0;
  /// Hands out, instead of that, the decided rows alone, where there are any.
  /// @param out  overwritten, in no order
  virtual void read_decided(std::vector<DecidedCount>& out) = 0;
  /// The times of the batch that was finished last. Nothing if it was not staged or the device has
  /// no clock.
  virtual std::optional<RuleSetStageSeconds> stage_seconds() const { return std::nullopt; }
};

/// @throws UnknownAttribute, UnfitList for the first list that cannot be scored
void expect_fit(std::span<const RuleSet> lists, std::span<const Attribute> attributes,
                std::uint32_t class_attribute);

/// The executable specification: plain loops over rows and rules. The dataset must outlive it.
std::unique_ptr<RuleSetScorer> make_reference_rule_set_scorer(const Dataset& dataset,
                                                              const ClassifiedRows& rows);

class ClassTiles;
/// Makes a scorer that works by bit slices.
/// @param tiles  shared by the scorers of the same rows, as wide as the CPU takes them
/// @param pool  whose threads score, among whatever else is submitted to it; null: the calling
///              thread does, in start(). It must outlive the scorer.
std::unique_ptr<RuleSetScorer> make_cpu_rule_set_scorer(std::shared_ptr<const ClassTiles> tiles,
                                                        ThreadPool* pool);

/// Confusion of a rule against all other classes; the rows of its own class are the positive ones.
struct RuleConfusion {
  std::uint64_t true_positives = 0, false_positives = 0, true_negatives = 0, false_negatives = 0;
  friend bool operator==(const RuleConfusion&, const RuleConfusion&) = default;
};

/// The confusion of the rule alone, whatever rules stand before it.
/// @param counts  of a list on any rows
/// @param label  of the rule
RuleConfusion confusion_of(const RuleSetCounts& counts, std::size_t rule, std::uint32_t label);

/// The confusion matrix of the rows that were counted.
/// @param counts  of the list, as many classes as the matrix is to have
ConfusionMatrix confusion_matrix(const RuleSet& list, const RuleSetCounts& counts);

}  // namespace atl
