#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_counts.hpp"

namespace atl {

/// A rule names an attribute that the dataset does not have.
struct UnknownAttribute : InternalError {
  UnknownAttribute(std::uint64_t rule, std::uint32_t attribute)
      : InternalError("rule " + std::to_string(rule) + " names attribute " +
                      std::to_string(attribute) + " that the dataset does not have"),
        rule(rule),
        attribute(attribute) {}
  std::uint64_t rule;
  std::uint32_t attribute;
};

/// The numeric attribute that rules are about.
struct MeanTarget {
  std::uint32_t attribute = 0;
  bool low = false;         ///< TargetMoments::Side::low
  bool deviations = false;  ///< of the rows of each rule, too; costs a step for every one of them
};

struct EvaluateOptions {
  bool comparison_supports = false;
  bool coverage_hashes = false;  ///< of all rows, also of those left out of the table
  /// Leaves rows with a missing consequent out of all counts of the table.
  bool exclude_missing_consequent = false;
  /// Evaluates each distinct comparison of a group of rules (Batch) once. Off only to measure the
  /// raw rate.
  bool share_comparisons = true;
  /// Fills the tables' moments. @pre consequents hold where the attribute has a value
  std::optional<MeanTarget> mean = {};
};

/// A batch of rules on its way through an evaluator: prepare, start, finish, read, and again, so
/// that nothing is allocated anew. Any number of batches can be on their way on as many threads;
/// one batch is for one thread at a time. The evaluator must outlive it.
class EvaluatorBatch {
 public:
  virtual ~EvaluatorBatch() = default;  ///< finishes what was started

  /// Makes rules ready for evaluation; they are copied.
  /// @param rules  [n] canonical or not; an empty expression holds on every row
  /// @throws UnknownAttribute
  virtual void prepare(std::span<const Rule> rules, const EvaluateOptions& options) = 0;
  /// Does not block on the evaluation.
  virtual void start() = 0;
  /// Blocks until the counts are there.
  virtual void finish() = 0;
  /// @param out  [n] overwritten; out[i] belongs to rules[i]. Reuses what out has allocated.
  virtual void read(std::span<RuleCounts> out) = 0;
};

using BatchId = std::uint64_t;

/// Counts rules on the rows of one dataset shard; one per device. One thread makes batches, or
/// submits and waits. Batches that were started may be finished in any order. The dataset must
/// outlive it. Results are equal on every backend, with any number of threads.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  virtual std::unique_ptr<EvaluatorBatch> make_batch() = 0;
  /// "reference", "cpu" or "cuda".
  virtual std::string name() const = 0;
  /// For which its device has had batches so far; none of an evaluator without a device.
  virtual std::optional<double> device_seconds() { return std::nullopt; }

  /// Prepares and starts a batch of the evaluator's own.
  /// @throws UnknownAttribute before anything is started
  BatchId submit(std::span<const Rule> rules, const EvaluateOptions& options);
  /// Finishes and reads it. Each batch is waited for once.
  void wait(BatchId batch, std::span<RuleCounts> out);

 protected:
  /// For destructors of evaluators whose batches use more than the dataset.
  void finish_batches() noexcept {
    running_.clear();
    spare_.clear();
  }

 private:
  struct Running {
    BatchId id;
    std::unique_ptr<EvaluatorBatch> batch;
  };
  std::vector<Running> running_;
  std::vector<std::unique_ptr<EvaluatorBatch>> spare_;
  BatchId last_ = 0;
};

/// Counts rules and waits for it. @return [rules]
inline std::vector<RuleCounts> count(std::span<const Rule> rules, const EvaluateOptions& options,
                                     Evaluator& evaluator) {
  std::vector<RuleCounts> counts(rules.size());
  evaluator.wait(evaluator.submit(rules, options), counts);
  return counts;
}

/// The executable specification: loops over rows and codes. Evaluates inside start, which blocks.
std::unique_ptr<Evaluator> make_reference_evaluator(const Dataset& dataset);

/// Bit-sliced evaluation by the pool's threads, among whatever else is submitted to it. Batches are
/// for the thread that waits for the pool, and for its tasks.
std::unique_ptr<Evaluator> make_cpu_evaluator(const Dataset& dataset, ThreadPool& pool);

}  // namespace atl
