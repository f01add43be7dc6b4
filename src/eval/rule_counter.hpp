#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/core/error.hpp"
#include "src/eval/counting_options.hpp"
#include "src/eval/rule_counts.hpp"
#include "src/rules/rule.hpp"

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
