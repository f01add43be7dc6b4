#include "src/run/data/run_data.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "io/hdf5/data_file.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/core/files/input_file.hpp"
#include "src/grammar/split_attribute.hpp"
#include "src/rules/class_target.hpp"
#include "src/run/data/named_attributes.hpp"
#include "src/run/data/transaction_import.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {

namespace fs = std::filesystem;

bool is_hdf5(const std::string& path) {
  if (path == standard_input) return false;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) throw MissingInput(path, "is a folder, expected a file");
  // A pipe gives each of its bytes only once, and they are the import's.
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  return io::is_dataset_file(io::InputFile(path));
}

std::string import_into(const io::Folder& folder, const std::string& data, const Report& report,
                        io::ImportOptions options) {
  options.inputs = {data};
  options.output = folder.path_of(io::run_names::data);
  options.folder = &folder;
  io::import_tables(options, report);
  return options.output;
}

std::string import_any(const io::Folder& folder, const std::string& data, const Report& report,
                       const TextForm& form, io::ImportOptions options) {
  // The import keeps in this folder what can be read only once.
  options.opened = open_text(data, form, folder.path());
  const auto transactions = transactions_in(*options.opened, form, report);
  if (!transactions) {
    set_table_form(form, options);
    try {
      return import_into(folder, data, report, options);
    } catch (const BadCell&) {
      tell_of_baskets(*options.opened, form.options, report);
      throw;
    }
  }
  expect_of_transactions(form);
  const std::string output = folder.path_of(io::run_names::data);
  import_transactions(*options.opened,
                      {.form = *transactions,
                       .output = output,
                       .folder = &folder,
                       .before_output = options.before_output},
                      report);
  return output;
}

io::ImportOptions import_for(const Experiment& experiment) {
  io::ImportOptions import;
  import.kept = named_attributes(experiment);
  import.excluded = experiment.aim.exclude;
  if (const auto split = split_attribute(experiment)) std::erase(import.excluded, *split);
  if (!experiment.kind().classifies || experiment.aim.target.size() != 1) return import;
  const auto name = any_value_of(experiment.aim.target.front());
  if (name) {
    import.needed.push_back({.name = *name, .kind = AttributeKind::nominal, .is_class = true});
  }
  return import;
}

std::string dataset_of_run(const RunConfiguration& configuration, const io::RunLock& lock,
                           const Report& report) {
  const std::string& data = configuration.machine.data;
  const io::Folder& folder = lock.folder();
  const io::RunPaths run(folder.path());
  folder.require_in_place();
  if (folder.has(io::run_names::data)) return run.data;
  if (is_hdf5(data)) return data;
  report(Severity::info, "importing " + data + " into " + run.data);
  io::ImportOptions options = import_for(configuration.experiment);
  options.before_output = [&lock] { lock.require_held(); };
  import_any(folder, data, report, configuration.machine.text, std::move(options));
  folder.require_in_place();
  const Fingerprint fingerprint = io::read_data_summary(run.data, &folder).fingerprint;
  // Job tells of damaged checkpoints.
  const auto checkpoint =
      io::CheckpointStore(folder, 1, [](Severity, const std::string&) {
      }).latest_header([&](const RunStateHeader& of) { return of.dataset == fingerprint; });
  if (checkpoint && checkpoint->dataset != fingerprint) {
    // It would be taken for the run's from now on.
    folder.remove(io::run_names::data);
    throw BadData(data, "holds other data than those the run began with");
  }
  return run.data;
}

// Job tells of damaged checkpoints.
bool has_no_checkpoint(const io::Folder& run) {
  const auto silent = [](Severity, const std::string&) {};
  return !io::CheckpointStore(run, 1, silent).latest_header();
}

std::string data_to_go_on_with(JobSettings& settings, const Report& report) {
  const io::Folder& run = settings.lock->folder();
  const std::string imported = run.path_of(io::run_names::data);
  if (run.has(io::run_names::data)) return imported;
  const Machine& machine = settings.configuration.machine;
  const std::string& data = machine.data;
  const std::string config = run.path_of(io::run_names::config);
  if (machine.data_named_by_uid) {
    // A text is never imported; a dataset file has to be the one whose hash the checkpoint has.
    settings.needs_checkpoint = true;
    if (is_hdf5(data) && !has_no_checkpoint(run)) return data;
    throw UsageError(config + ": another user (uid " + std::to_string(*machine.data_named_by_uid) +
                     ") has named data that the run has not read yet, " + printable(data, 200) +
                     "; mine them into a run of your own");
  }
  std::error_code absent;
  if (data == standard_input || fs::is_fifo(data, absent)) {
    throw MissingInput(imported, "missing, and " +
                                     (data == standard_input ? "standard input" : data) +
                                     " cannot be read again");
  }
  if (!fs::exists(data, absent)) {
    throw MissingInput(
        data, "No such file or directory; if the data have moved, change `data` in [machine] of " +
                  config);
  }
  RunConfiguration configuration = settings.configuration;
  // The options of the command that began the run; this one has none of them.
  configuration.machine.text.options =
      std::string(configuration.experiment.kind().begin_command) + " --";
  return dataset_of_run(configuration, *settings.lock, report);
}

namespace {

Dataset read_dataset(const std::string& data, const io::LoadOptions& options, const Report& report,
                     const TextForm& form, io::ImportOptions import) {
  if (is_hdf5(data)) return io::read_dataset(data, options);
  const TemporaryFolder folder;
  set_table_form(form, import);
  if (!import.opened) {
    import.opened = open_text(data, form, temporary_place());
    if (transactions_in(*import.opened, form, report)) {
      throw BadData(import.opened->name(), "holds transactions, expected a table");
    }
  }
  io::LoadOptions imported = options;
  imported.folder = &folder.folder();
  return io::read_dataset(import_into(folder.folder(), data, report, std::move(import)), imported);
}

}  // namespace

Dataset read_data(const std::string& data, const io::LoadOptions& options, const Report& report,
                  io::ImportOptions import, const TextForm& form) {
  return read_dataset(data, options, report, form, std::move(import));
}

Dataset read_columns(const std::string& data, const io::LoadOptions& options, const Report& report,
                     const std::vector<io::NeededColumn>& needed, const TextForm& form,
                     std::shared_ptr<const io::TextInput> opened) {
  io::ImportOptions import;
  import.needed = needed;
  import.opened = std::move(opened);
  import.only_needed = true;
  import.max_categories = 0;  // what becomes of a row does not depend on the others
  return read_dataset(data, options, report, form, std::move(import));
}

std::string nominal_hint(const std::string& data) {
  const bool is_file = is_hdf5(data);
  return std::string(is_file ? "atoll import " : "") + "--nominal takes labels";
}

void tell_left_out(const Dataset& dataset, const Report& report, const std::string& otherwise,
                   const std::vector<std::string>& but) {
  std::string names;
  bool dates = false;
  for (const Attribute& attribute : dataset.attributes()) {
    if (!has_numbers(attribute.kind)) continue;
    if (std::find(but.begin(), but.end(), attribute.name) != but.end()) continue;
    names += (names.empty() ? "" : ", ") + printable(attribute.name);
    dates = dates || is_date(attribute.kind);
  }
  if (names.empty()) return;
  report(Severity::warning, std::string("numeric attributes ") + (dates ? "and dates " : "") +
                                "are left out: " + names + " (" + otherwise + ")");
}

}  // namespace atl
