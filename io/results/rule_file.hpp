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
/// Aligned columns, long rules wrapped to `width` characters (0: not wrapped). The kind is a column
/// where not all are rules.
std::string rules_table(std::span<const WrittenRule> rules, std::size_t width,
                        const ColumnChoice& choice);

/// Measures are not read: they follow from the counts. Rules of former versions have no kind.
/// @throws BadData
std::vector<WrittenRule> parse_rules_json(std::string_view json, const std::string& file);
/// Of the run in a folder. @throws MissingInput, IoError, BadData, also if it has more than 2 GiB
std::vector<WrittenRule> read_rules(const Folder& run);

std::string history_csv(std::span<const HistoryRow> rows, std::span<const std::string> maximize);

}  // namespace atl::io
