// Reading of what exhaustive searches have written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/text/text_source.hpp"
#include "src/core/hash.hpp"
#include "src/measures/contingency_table.hpp"
#include "src/measures/measure.hpp"

namespace atl::io {

/// What such a file holds: the JSON of `enumerate`, the CSV of `itemsets --rules`, sets, or those
/// of
/// `--algorithm probabilistic`.
enum class FoundKind : std::uint8_t {
  enumerated_rules,
  itemset_rules,
  itemsets,
  uncertain_itemsets
};

/// Tells by the beginning of a text; none for any other. Sets have no header: lines such as
/// "1 3 (12)" or "1 3 (0.750000000)" are taken for them where all items are numbers, or a set
/// follows upon another that it adds an item to.
std::optional<FoundKind> found_kind(std::string_view start);

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
