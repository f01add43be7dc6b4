#pragma once

#include <span>
#include <string>

#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"
#include "src/data/dataset.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/run/data/text_form.hpp"

namespace atl {

/// Other data to count rules on: a table, with every value, or transactions, with the items that
/// the rules name. For one process.
/// @param data  a file of either, or a text, imported to a temporary folder
/// @param form  how the text is to be read
/// @param run  whose rules they are, with its data or without
/// @param data_of_run  what it was given as DATA
/// @throws as read_columns and read_transactions; BadData for transactions if the run is on a
///         table, and for a table if it is on transactions
Dataset read_data_of_rules(const std::string& data, std::span<const WrittenRule> rules,
                           const TextForm& form, const io::Folder& run,
                           const std::string& data_of_run, const Report& report);

}  // namespace atl
