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

/// Times by a device's own clock.
struct KernelSeconds {
  double coverage = 0;   ///< only of a device that counts in stages
  double reduction = 0;  ///< likewise
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
  /// Does not block on the counting.
  virtual void start() = 0;
  /// Blocks until the counts are there.
  virtual void finish() = 0;
  /// @param out  [n] overwritten; out[i] belongs to rules[i]. Reuses what out has allocated.
  virtual void read(std::span<RuleCounts> out) = 0;
  /// What the kernels of the batch finished last took. None of an empty batch, of a device without
  /// a clock of its own, and unless the options ask for it. @pre nothing else was on the device
  virtual std::optional<KernelSeconds> kernel_seconds() const { return std::nullopt; }
};

}  // namespace atl
