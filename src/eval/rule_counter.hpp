#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/core/error.hpp"
#include "src/core/small_vector.hpp"
#include "src/eval/counting_options.hpp"
#include "src/eval/target_values.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

/// The numbers that a device counts of one rule on its rows. Every number is an unsigned integer,
/// and the counts of a table are the sums (modulo 2^64) of the counts of its shards, so that
/// devices can share the rows among them. Whatever is no sum is derived afterwards: see
/// statistics_of().
struct RuleCounts {
  std::uint64_t n = 0;                   ///< rows, less those left out for a missing consequent
  std::uint64_t antecedent = 0;          ///< rows of them on which it holds
  std::uint64_t consequent = 0;          ///< likewise
  std::uint64_t both = 0;                ///< likewise
  std::uint64_t missing_consequent = 0;  ///< RuleStatistics
  /// For a mean target, over the rows of both: the sum of their levels (TargetScale), and the sum
  /// of the squares of these, squares_low + 2^32 squares_high. Zeros if they were not requested.
  std::uint64_t sum = 0;
  std::uint64_t squares_low = 0;
  std::uint64_t squares_high = 0;
  SmallVector<std::uint64_t, 8> comparison_supports = {};  ///< RuleStatistics
  std::array<std::uint64_t, 2> coverage_hash = {0, 0};     ///< RuleStatistics

  /// Adds the counts of the same rule on other rows. @pre both have the same options
  RuleCounts& operator+=(const RuleCounts& other) noexcept;
  friend bool operator==(const RuleCounts&, const RuleCounts&) = default;

  void set_squares(LevelSums::Wide squares) noexcept {
    squares_low = static_cast<std::uint64_t>(squares) & 0xFFFFFFFF;
    squares_high = static_cast<std::uint64_t>(squares >> 32);
  }
};

/// Derives a rule's statistics from its counts on all rows of the table.
/// @param options  that it was counted with
/// @param target  of the options' mean; null if there is none
RuleStatistics statistics_of(const RuleCounts& counts, const CountingOptions& options,
                             const TargetTotals* target);

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

/// Seconds that kernels took, by the device's own clock.
struct KernelSeconds {
  double coverage = 0;   ///< zero unless the device counts in stages
  double reduction = 0;  ///< zero unless the device counts in stages
  double total = 0;
};

/// Counts batches of rules on the rows of a Resident: prepare, start, finish, read, and again, so
/// that nothing is allocated anew. Any number of counters can be at work on as many threads; one
/// counter is for one thread at a time. The resident must outlive it. Counts are equal on every
/// backend, with any number of threads.
class RuleCounter {
 public:
  virtual ~RuleCounter() = default;  ///< finishes what was started

  /// Makes rules ready to be counted; they are copied.
  /// @param rules  [n] canonical or not; an empty expression holds on every row
  /// @throws UnknownAttribute
  virtual void prepare(std::span<const Rule> rules, const CountingOptions& options) = 0;
  /// Starts the counting and does not wait for it, except on the reference device, which counts
  /// here.
  /// @throws BackendUnavailable if the device fails; finish() may throw this, too
  virtual void start() = 0;
  /// False while finish() would certainly block. Cheap.
  virtual bool ready() const { return true; }
  /// Blocks until the counts are there.
  virtual void finish() = 0;
  /// Hands out the counts, once for each batch.
  /// @param out  [n] overwritten; out[i] belongs to rules[i]
  virtual void read(std::span<RuleCounts> out) = 0;
  /// The kernel times of the batch that was finished last. Returns nothing if the batch was empty,
  /// if the device has no clock of its own, or if the options did not ask for times.
  /// @pre nothing else ran on the device
  virtual std::optional<KernelSeconds> kernel_seconds() const { return std::nullopt; }
};

}  // namespace atl
