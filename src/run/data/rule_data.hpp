#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/results/rule_file.hpp"
#include "io/run/run_folder.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/run/data/text_form.hpp"

namespace atl {

/// Expects that the data of a run have the attributes that --where names. Where the data cannot be
/// asked quickly, what no rule names is only a warning.
/// @param names  as a user has them
/// @param data   file of the run's data; it need not be there any more
/// @throws UsageError with the nearest names
void expect_attributes(std::span<const std::string> names, std::span<const WrittenRule> rules,
                       const io::RunPaths& run, const std::string& data, const Report& report);

/// A column as the rules of a run have it.
struct ColumnOfRules {
  std::string name;
  AttributeKind kind = AttributeKind::nominal;
  std::vector<std::string> labels = {};  ///< that they name
};

/// Makes columns of the kinds that the rules have. Where these have numbers, labels that are all
/// numbers become numbers; where they name labels that are all numbers, numbers become labels.
/// Other columns stay as they are.
/// @param data  exact
/// @param wanted  all columns that matter: if some are made anew, there are no others afterwards
Dataset with_kinds(Dataset data, const std::vector<ColumnOfRules>& wanted);

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
