// Data and rules that benchmarks evaluate: the same for a size on every machine
// (docs/benchmarks.md states how they are drawn).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/rule.hpp"

namespace atl {

struct WorkloadSize {
  std::uint64_t rows = 0;
  std::uint32_t rules = 0;
  std::uint32_t comparisons = 15;  ///< of a rule, on different attributes
  std::uint32_t attributes = 16;
  std::uint32_t planes = 8;  ///< of every attribute, each of whose 2^planes codes is as likely
};

/// Symbols of a rule as Cano et al. 2013 count them: three a comparison and the connectives within
/// antecedent and consequent.
constexpr std::uint64_t symbols_of(std::uint64_t comparisons) noexcept {
  return 3 * comparisons + comparisons - 2;
}

/// Without missing values. @pre rows, attributes and planes at least 1
Dataset workload_data(const WorkloadSize& size);

/// Conjunctions of one-sided comparisons, and of equalities on nominal attributes. A third of the
/// comparisons, rounded down but at least one, are the consequent's.
/// @pre 2 <= comparisons <= attributes
std::vector<Rule> workload_rules(std::span<const Attribute> attributes, std::uint32_t rules,
                                 std::uint32_t comparisons);

}  // namespace atl
