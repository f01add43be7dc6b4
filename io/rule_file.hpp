// rules.csv, rules.json, history.csv and the table for people.
#pragma once

#include <cstddef>
#include <cstdint>
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

/// A rule by values, as it is written and read back; needs no dataset.
struct WrittenRule {
  std::uint64_t id = 0;  ///< from 1, in the order written
  std::string text;
  std::vector<WrittenComparison> antecedent, consequent;
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  std::uint32_t generation = 0, island = 0;
  std::vector<std::string> equivalents;
};

std::vector<WrittenRule> to_written(std::span<const RuleRecord> records,
                                    std::span<const Attribute> attributes);

/// @param measures  in the order of the columns
std::string rules_csv(std::span<const WrittenRule> rules,
                      std::span<const Measure> measures = default_measures());
std::string rules_json(std::span<const WrittenRule> rules,
                       std::span<const Measure> measures = default_measures());
/// @throws BadData
std::vector<WrittenRule> parse_rules_json(std::string_view json, const std::string& file);
/// The measures of a table for people.
std::span<const Measure> table_measures() noexcept;
/// Aligned columns, long rules wrapped to `width` characters (0: not wrapped).
std::string rules_table(std::span<const WrittenRule> rules, std::size_t width,
                        std::span<const Measure> measures = table_measures());

std::string history_csv(std::span<const HistoryRow> rows, std::span<const std::string> maximize);

}  // namespace atl::io
