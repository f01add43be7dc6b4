// What is said of rules that an exhaustive search found, and of what a run has of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/data/attribute.hpp"
#include "src/measures/measure.hpp"
#include "src/results/compare/truth.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl::io {

/// Must outlive what is made of it.
struct TrueRuleReport {
  Measure measure;                       ///< of the run's order
  std::span<const TrueRule> rules;       ///< as judge_true_rules() gives them; not empty
  std::span<const WrittenRule> written;  ///< that these refer to
  std::span<const Attribute> attributes;
  std::uint64_t rows = 0;
};

/// Counts of each fate among the first 10, 100 and all places, then the first rules that were
/// missed.
std::string true_rules_table(const TrueRuleReport& report);
/// A line for each rule.
std::string true_rules_csv(const TrueRuleReport& report);
std::string true_rules_json(const TrueRuleReport& report);

}  // namespace atl::io
