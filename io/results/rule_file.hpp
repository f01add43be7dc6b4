// rules.csv, rules.json, history.csv and the table for people.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/files/folder.hpp"
#include "src/results/written/history.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl::io {

std::string rules_csv(std::span<const WrittenRule> rules, const ColumnChoice& choice = {});
std::string rules_json(std::span<const WrittenRule> rules, const ColumnChoice& choice = {});
/// Aligned columns for people. A consequent that all rules share stands above them, alone. Long
/// rules are wrapped before AND, so that lines have at most `width` characters (0: not wrapped).
/// Where columns have too little room, headings take several lines, then the figures of each rule
/// stand below it with their names. The kind is a column where not all are rules.
std::string rules_table(std::span<const WrittenRule> rules, std::size_t width,
                        const ColumnChoice& choice);
/// The same as a table of Markdown, and as one of LaTeX with the rules of the package booktabs;
/// what means something there is escaped.
std::string rules_markdown(std::span<const WrittenRule> rules, const ColumnChoice& choice);
std::string rules_latex(std::span<const WrittenRule> rules, const ColumnChoice& choice);
/// @param format  table, csv, json, markdown or latex
/// @param width   of a table
std::string rules_text(std::string_view format, std::span<const WrittenRule> rules,
                       std::size_t width, const ColumnChoice& choice);

/// Measures are not read: they follow from the counts. Rules of former versions have no kind.
/// @throws BadData
std::vector<WrittenRule> parse_rules_json(std::string_view json, const std::string& file);
/// Reads the rules of the run in a folder.
/// @throws MissingInput, IoError, BadData, also if it has more than 2 GiB
std::vector<WrittenRule> read_rules(const Folder& run);

std::string history_csv(std::span<const HistoryRow> rows, std::span<const std::string> maximize);

}  // namespace atl::io
