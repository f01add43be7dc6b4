#pragma once

#include <cstdint>
#include <vector>

#include "src/measures/contingency_table.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// The kind of what a rule tells.
enum class RuleKind : std::uint8_t {
  rule,        ///< news
  variant,     ///< like a better one, but covers its target's rows together with the others
  definition,  ///< how attributes depend on each other, whatever the rows
};

/// A rule as a result: its counts, where it was found, and the rules that say the same.
struct RuleRecord {
  Rule rule;
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  std::uint32_t generation = 0;    ///< first found there ...
  std::uint32_t island = 0;        ///< ... the lowest of several islands
  std::uint32_t bucket = 0;        ///< of its antecedent's rows (Archive); 0 where none matters
  std::vector<Rule> equivalents;   ///< same coverage on both sides; in the rules' order
  bool reversed = false;           ///< stands for its reversal, too, which was found as well
  RuleKind kind = RuleKind::rule;  ///< of a result that is to be written; in no checkpoint
};

}  // namespace atl
