// Reading of what exhaustive searches have written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/tables/text/text_source.hpp"
#include "src/core/hash.hpp"
#include "src/measures/contingency_table.hpp"
#include "src/measures/measure.hpp"

namespace atl::io {

/// A rule as it is written.
struct RuleText {
  std::string antecedent, consequent;
  ContingencyTable table;
  std::string place;  ///< "line 3" or "rule 3"
};

struct TrueRules {
  std::vector<RuleText> rules;  ///< the best by the measure asked for, in the order of the file
  std::uint64_t all = 0;        ///< that the file has
  std::optional<std::string> fingerprint;  ///< of the data, where the file has it
  std::optional<Measure> best_by;          ///< of which the file has the best only
};

/// Reads rules of `atoll itemsets --rules` (CSV) or `atoll enumerate` (JSON).
/// @param most  rules that are kept, by the greatest values of the measure
/// @throws BadCell, BadData, IoError
TrueRules read_true_rules(const TextInput& input, Measure measure, std::size_t most);

}  // namespace atl::io
