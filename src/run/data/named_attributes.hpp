// The attributes that an experiment names, before and after the data are known.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "src/config/experiment.hpp"
#include "src/config/text_form.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Attributes that the search cannot do without: of targets, --antecedent, --consequent, --require
/// and --max-bins, also of single islands, and the one that says which rows are held out. Each
/// once.
std::vector<std::string> named_attributes(const Experiment& experiment);

/// Does the experiment name any, or exclude some?
bool names_attributes(const Experiment& experiment);

/// The experiment as it is meant for these data: a target that is a name alone, such as "income",
/// is any value of it ("income=*") where it has labels, and columns that the import has left out
/// need not be excluded any more.
/// @throws UsageError if a target is a number's name alone, or if the import has left out what is
///         named; names that the data never had are left to bind_aim()
Experiment fitted_to_data(Experiment experiment, const io::DatasetSummary& data,
                          const Report& report);

/// Expects that a text table has the columns that the experiment names, before it is imported. Says
/// nothing of transactions, of columns without names, and of what it cannot read: the import does.
/// @throws UsageError, which begins with the option, with the nearest name
void expect_columns(const Experiment& experiment, const std::string& data, const TextForm& form);

}  // namespace atl
