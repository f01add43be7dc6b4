// rules.csv, rules.json, history.csv and the table for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "islands/run_state.hpp"
#include "src/rules/contingency_table.hpp"
#include "src/rules/measures.hpp"
#include "src/rules/rule_record.hpp"

namespace atl::io {

/// One comparison by values, as rules.json holds it.
struct WrittenComparison {
  std::string attribute;
  std::string relation;             ///< = != < <= > >= in "not in"
  std::vector<std::string> values;  ///< one, or two for intervals; labels or numbers as text
  bool numeric = false;
};

/// What rows that the search has not seen say of a rule. Each p is in [0, 1], and 0 if it is below
/// the least double.
struct HeldOut {
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  double p_value = 1;           ///< of antecedent and consequent, Fisher's exact test
  double p_productive = 1;      ///< the greatest of those that the rule beats its generalisations
  double p_holm = 1, p_bh = 1;  ///< of the greater of the two, adjusted over all rules tested
};

/// From the rows a rule was mined on to other data. By confidence, if it differs significantly.
enum class Drift : std::uint8_t { kept, fell, rose, gone };  ///< gone: the antecedent never holds
const char* to_string(Drift drift) noexcept;

/// A rule on other data.
struct Rescored {
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  double change = 0;    ///< of confidence; NaN if there is none
  double p_change = 1;  ///< of equal confidence on both data
  Drift drift = Drift::kept;
};

/// A rule by values, as it is written and read back; needs no dataset.
struct WrittenRule {
  std::uint64_t id = 0;  ///< from 1, in the order written
  std::string text;
  std::vector<WrittenComparison> antecedent, consequent;
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  std::uint32_t generation = 0, island = 0;
  std::vector<std::string> equivalents;
  std::optional<HeldOut> held_out;
  std::optional<Rescored> rescored;
};

std::vector<WrittenRule> to_written(std::span<const RuleRecord> records,
                                    std::span<const Attribute> attributes);

/// What is said of each rule.
struct RuleColumns {
  std::span<const Measure> measures = default_measures();  ///< in this order
  bool held_out = false;                                   ///< every rule has it
  bool rescored = false;                                   ///< likewise
};
/// The measures on rows that the search has not seen: with the interval of confidence.
std::vector<Measure> with_interval(std::span<const Measure> measures);
/// The measures of a table for people.
std::span<const Measure> table_measures() noexcept;

std::string rules_csv(std::span<const WrittenRule> rules, const RuleColumns& columns = {});
std::string rules_json(std::span<const WrittenRule> rules, const RuleColumns& columns = {});
/// Aligned columns, long rules wrapped to `width` characters (0: not wrapped).
std::string rules_table(std::span<const WrittenRule> rules, std::size_t width,
                        const RuleColumns& columns = {.measures = table_measures()});

/// Measures are not read: they follow from the counts.
/// @throws BadData
std::vector<WrittenRule> parse_rules_json(std::string_view json, const std::string& file);

std::string history_csv(std::span<const HistoryRow> rows, std::span<const std::string> maximize);

}  // namespace atl::io
