// Reads what a command takes for DATA: a dataset file, or a text table that is imported first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "io/run/run_folder.hpp"
#include "io/tables/import.hpp"
#include "src/core/report.hpp"
#include "src/run/data/text_form.hpp"
#include "src/run/job_settings.hpp"

namespace atl {

/// The name of standard input as DATA.
inline constexpr const char* standard_input = "-";

/// Is it a file of data, by HDF5's signature, and so no text? What is no regular file, such as
/// standard input or a pipe, is not opened. @throws MissingInput
bool is_hdf5(const std::string& path);

/// Options that the import of a text is to heed for an experiment: the class of one that learns it
/// is needed, as labels, and the columns that its aim names stay.
io::ImportOptions import_for(const Experiment& experiment);

/// The file of data to read: the machine's itself, or RUN/data.h5, to which a text is imported
/// unless that has been done. For rank 0 alone.
/// @param lock  of RUN
/// @throws as import_any and io::RunLock::require_held; BadData if RUN has checkpoints of other
///         data: nothing is left then
std::string dataset_of_run(const RunConfiguration& configuration, const io::RunLock& lock,
                           const Report& report);

/// Is there no checkpoint to go on from?
bool has_no_checkpoint(const io::Folder& run);

/// Gives, like dataset_of_run, the file for a run to go on with. Where neither RUN nor a checkpoint
/// tells which data they are, config.toml does. That may be another user's word, and the file one
/// that this user alone may read: what it holds would be in RUN then, for the other to see.
/// @param settings  of rank 0; notes whether a checkpoint is needed
/// @throws UsageError if another user has named data that the run has not read yet; MissingInput
std::string data_to_go_on_with(JobSettings& settings, const Report& report);

/// Imports a text table into a folder, as data.h5. @return its path
/// @param options  what else the import is to heed
/// @throws as io::import_tables
std::string import_into(const io::Folder& folder, const std::string& data, const Report& report,
                        io::ImportOptions options = {});

/// Imports like import_into, but transactions_in() the text become a file of transactions.
/// @throws as import_transactions, too; UsageError for a form that is none
std::string import_any(const io::Folder& folder, const std::string& data, const Report& report,
                       const TextForm& form = {}, io::ImportOptions options = {});

/// The table of a command that has no run: text is imported to a temporary folder (TMPDIR). For one
/// process.
/// @param import  what else the import of a text is to heed
/// @throws as io::import_tables and io::read_dataset; UsageError for a form that is no table's;
///         BadData if transactions_in() the text are some
Dataset read_data(const std::string& data, const io::LoadOptions& options, const Report& report,
                  io::ImportOptions import = {}, const TextForm& form = {});

/// Reads like read_data, where no other columns matter: the report has no word on them. All labels
/// stay.
/// @param opened  set: the text, which is open already, and known to be a table
Dataset read_columns(const std::string& data, const io::LoadOptions& options, const Report& report,
                     const std::vector<io::NeededColumn>& needed, const TextForm& form = {},
                     std::shared_ptr<const io::TextInput> opened = nullptr);

/// Warns of the numeric attributes of a table whose labels alone are looked at.
/// @param otherwise  how they need not be left out
/// @param but  attributes that are not left out
void tell_left_out(const Dataset& dataset, const Report& report, const std::string& otherwise,
                   const std::vector<std::string>& but = {});
/// Says how numeric attributes need not be left out: "--nominal takes labels" for a text, and for a
/// file the same option of the import.
std::string nominal_hint(const std::string& data);

}  // namespace atl
