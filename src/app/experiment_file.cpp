#include "src/app/experiment_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include <CLI/CLI.hpp>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "io/run/run_folder.hpp"
#include "src/app/experiment_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/text_options.hpp"
#include "src/app/toml_option.hpp"
#include "src/batch/grid.hpp"
#include "src/batch/toml_section.hpp"
#include "src/config/option_values.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/text/near_names.hpp"
#include "src/grammar/aim.hpp"
#include "src/grammar/grammar.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/data/named_attributes.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/lists/classified_data.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

constexpr const char* machine_options[] = {
    "--backend",       "--threads",          "--team",
    "--split",         "--device-memory",    "--migration-log",
    "--write-holdout", "--checkpoint-every", "--checkpoints-kept"};

/// Options that name a file beside the data.
constexpr std::string_view input_options[] = {"schema", "probabilities"};

/// Files that options name are relative to the experiment's.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) : former_(fs::current_path()) {
    fs::current_path(folder);
  }
  ~WorkingFolder() {
    std::error_code ignored;
    fs::current_path(former_, ignored);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path former_;
};

/// Can a path stand in the script? A line of #SBATCH holds no line feed, and Slurm takes a
/// backslash in the path of the output for a word about patterns.
bool stands_in_script(const std::string& path) {
  return std::none_of(path.begin(), path.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || c == '"' || c == '\\';
  });
}

/// Reads one file; `name` is what messages call it.
class ExperimentReader {
 public:
  /// @param report  gets each line once
  ExperimentReader(std::string name, std::span<const Submittable> commands, Submission& submission,
                   const Report& report)
      : name_(std::move(name)),
        commands_(commands),
        document_(parse_toml(io::read_file(name_), name_)),
        submission_(submission),
        report_([this, report](Severity severity, const std::string& line) {
          if (report && told_.insert(line).second) report(severity, line);
        }) {}

  void read();

 private:
  std::string path(TomlSection& top, const char* key);
  void read_data(TomlSection& top);
  void find_command(TomlSection& top);
  void check_bound_folders(const TomlSection& job);
  SubmittedRun read_run(const std::vector<Setting>& settings);
  std::string name_of(const CLI::App& options, const std::vector<Setting>& settings) const;
  std::vector<std::string> typed_options(const CLI::App& options,
                                         const std::vector<Setting>& settings);
  RunConfiguration configuration(CLI::App& options, const std::vector<Setting>& settings);
  std::string file_options(CLI::App& options, const std::function<void()>& check,
                           const std::string& output, const std::vector<Setting>& settings);
  bool learns() const { return command_->algorithms.front().traits.kind->classifies; }
  void check_with_data(const Experiment& experiment, const std::string& grammar);
  [[noreturn]] void fail_of_option(const UsageError& error, const std::vector<Setting>& settings);

  const std::string& section() const { return command_->batch.section; }
  std::string name_;
  std::span<const Submittable> commands_;
  const Submittable* command_ = nullptr;
  toml::table document_;
  Submission& submission_;
  std::set<std::string> told_;
  Report report_;
  const toml::table* options_ = nullptr;  // of the command, if its section is there
  std::optional<io::DatasetSummary> data_;
};

std::string ExperimentReader::path(TomlSection& top, const char* key) {
  const auto text = top.text(key);
  if (!text) throw BadData(name_, std::string("'") + key + "' is missing");
  if (!stands_in_script(*text)) {
    top.fail(key, std::string(key) + ": expected a path without \" and \\");
  }
  fs::path path = (fs::path(submission_.folder) / *text).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "runs/"
  return path.string();
}

void ExperimentReader::read_data(TomlSection& top) {
  submission_.data = path(top, "data");
  try {
    if (is_hdf5(submission_.data)) data_ = io::read_data_summary(submission_.data);
  } catch (const MissingInput& error) {
    throw MissingInput(top.place("data"), std::string("data: ") + error.what());
  }
}

/// Apptainer takes "FROM:TO:OPTIONS,FROM:TO".
void ExperimentReader::check_bound_folders(const TomlSection& job) {
  if (submission_.job.container.empty()) return;
  for (const std::string& folder : bound_folders(submission_)) {
    if (folder.find_first_of(",:") == std::string::npos) continue;
    job.fail("container", "container: the folder " + printable(folder, 200) +
                              " cannot be bound, expected a path without , and :");
  }
}

void ExperimentReader::find_command(TomlSection& top) {
  for (const Submittable& command : commands_) {
    const std::string& found = command.batch.section;
    const toml::table* const options = top.table(found);
    if (options == nullptr) continue;
    if (command_ != nullptr) {
      top.fail(found, "[" + found + "] and [" + section() + "]: a run has one of them");
    }
    options_ = options;
    command_ = &command;
  }
  if (command_ == nullptr) command_ = &commands_.front();
  submission_.command = command_->batch;
}

void ExperimentReader::read() {
  TomlSection top(&document_, name_, "an experiment file");
  read_data(top);
  submission_.run = path(top, "run");
  find_command(top);
  const toml::table* const job = top.table("job");
  const toml::table* const array = top.table("array");
  top.reject_others();
  TomlSection section(job, name_, "[job]");
  submission_.job = read_job(section, submission_.folder);
  if (submission_.job.name.empty()) {
    submission_.job.name = fs::path(submission_.run).filename().string();
  }
  submission_.array = array != nullptr;
  std::vector<std::vector<Setting>> all(1);
  if (array != nullptr) all = combinations(*array, name_);
  std::set<std::string> names;
  for (const auto& settings : all) {
    submission_.runs.push_back(read_run(settings));
    const SubmittedRun& run = submission_.runs.back();
    if (names.insert(run.name).second) continue;
    throw BadToml(name_, array->source(), "the run " + printable(run.name) + " is there twice");
  }
  check_bound_folders(section);
}

/// The name of a run's files, and of an array's also of its folder.
std::string ExperimentReader::name_of(const CLI::App& options,
                                      const std::vector<Setting>& settings) const {
  if (!submission_.array) return "experiment";
  std::vector<std::string> varied;
  for (const Setting& setting : settings) {
    varied.push_back(setting.range_number.empty()
                         ? typed_option(options, setting.key, *setting.value, name_)
                         : "--" + setting.key + "=" + setting.range_number);
    if (varied.back().empty()) varied.back() = "--" + setting.key + "=false";  // a flag not typed
  }
  std::string name = combination_name(varied);
  if (name.size() > 200) {
    throw BadData(name_, "the values of [array] make the name of a folder longer than 200 bytes");
  }
  return name;
}

SubmittedRun ExperimentReader::read_run(const std::vector<Setting>& settings) {
  CLI::App options("", section());
  SubmittedRun run;
  run.folder = submission_.run;
  if (submission_.makes_files()) {
    const std::function<void()> check = command_->add_options(options);
    run.name = name_of(options, settings);
    if (submission_.array) run.folder += "/" + run.name;
    // What the task keeps, which its jobs look for, lies beside the file that a link leads to.
    if (fs::is_symlink(run.folder)) run.folder = io::written_place(run.folder);
    run.file_options = file_options(options, check, run.folder, settings);
    return run;
  }
  add_experiment_options(options, command_->algorithms);
  add_machine_options(options);
  add_text_options(options, learns() ? TextKinds::tables : TextKinds::any);
  if (!learns()) add_team_options(options);
  run.configuration = configuration(options, settings);
  run.name = name_of(options, settings);
  if (submission_.array) run.folder += "/" + run.name;
  for (const char* const option : machine_options) {
    const CLI::Option* const given = options.get_option_no_throw(option);
    if (given == nullptr || given->count() == 0) continue;  // not all jobs form teams
    const auto value = given->as<std::string>();
    // The script takes them apart at blanks.
    if (value.find_first_of(" \t\n\r\v\f\\") != std::string::npos) {
      fail_of_option(UsageError(std::string(option) + ": " + in_quotes(value) +
                                ", expected a value without blanks"),
                     settings);
    }
    if (!run.machine_options.empty()) run.machine_options += ' ';
    run.machine_options.append(option).append("=").append(value);
  }
  return run;
}

/// The options of a run as they would be typed.
std::vector<std::string> ExperimentReader::typed_options(const CLI::App& options,
                                                         const std::vector<Setting>& settings) {
  std::vector<std::string> typed;
  const auto add = [&](const std::string& key, const toml::node& node, const std::string& number) {
    if (key == "stop-after" || key == "print-preset") {
      throw BadToml(
          name_, node.source(),
          "--" + key + " is not for a batch job" + (key == "stop-after" ? "; [job] has time" : ""));
    }
    std::string option;
    try {
      option = typed_option(options, key, node, name_);
    } catch (const UsageError& error) {
      throw Error(ExitStatus::bad_data, error.what());
    }
    if (!number.empty()) option = "--" + key + "=" + number;
    if (std::ranges::find(input_options, key) != std::end(input_options)) {
      const std::string file = typed_value(node, name_);
      if (file.empty()) throw BadToml(name_, node.source(), "--" + key + ": there is no name");
      const std::string there = fs::absolute(file).lexically_normal().string();
      if (!fs::exists(there)) {
        const auto& place = node.source().begin;
        throw MissingInput(name_ + ':' + std::to_string(place.line) + ':' +
                               std::to_string(place.column) + ": " + key + ": " + there,
                           "No such file");
      }
      submission_.inputs.insert(there);
      option = "--" + key + "=" + there;
    }
    if (!option.empty()) typed.push_back(option);
  };
  if (options_ != nullptr) {
    for (const auto& [key, node] : *options_) add(std::string(key.str()), node, "");
  }
  for (const Setting& setting : settings) {
    if (options_ != nullptr && options_->contains(setting.key)) {
      throw BadToml(name_, setting.value->source(),
                    setting.key + " stands in [" + section() + "], too");
    }
    if (is_text_option(setting.key)) {
      throw BadToml(name_, setting.value->source(),
                    setting.key + " is of [" + section() + "], as all runs have the same data");
    }
    add(setting.key, *setting.value, setting.range_number);
  }
  return typed;
}

RunConfiguration ExperimentReader::configuration(CLI::App& options,
                                                 const std::vector<Setting>& settings) {
  const std::vector<std::string> typed = typed_options(options, settings);
  RunConfiguration configuration;
  try {
    options.parse(std::vector<std::string>(typed.rbegin(), typed.rend()));
    configuration.experiment = experiment_from(options, command_->algorithms, report_);
    apply_machine_options(options, configuration.machine);
    apply_text_options(options, data_.has_value(), configuration);
    submission_.text_options = text_options(configuration.machine.text);
    expect_recordable(configuration);
    const std::uint32_t islands = configuration.experiment.islands;
    const bool in_teams = team_size(configuration, static_cast<int>(submission_.job.ranks())) > 1;
    if (!in_teams && submission_.job.ranks() > islands) {
      throw UsageError("--islands is " + std::to_string(islands) + ", fewer than the " +
                       std::to_string(submission_.job.ranks()) + " ranks of [job]");
    }
    if (learns()) {
      configuration.experiment =
          with_expected_class(configuration.experiment, data_, submission_.data);
      if (!data_)
        expect_columns(configuration.experiment, submission_.data, configuration.machine.text);
    } else if (!data_) {
      expect_columns(configuration.experiment, submission_.data, configuration.machine.text);
    } else {
      check_with_data(configuration.experiment, grammar_name(options, command_->algorithms));
    }
  } catch (const UsageError& error) {
    fail_of_option(error, settings);
  } catch (const CLI::ParseError& error) {
    fail_of_option(UsageError(error.what()), settings);
  }
  configuration.machine.data = submission_.data;
  return configuration;
}

/// As TOML that the command takes for --config, checked as it does first of all.
std::string ExperimentReader::file_options(CLI::App& options, const std::function<void()>& check,
                                           const std::string& output,
                                           const std::vector<Setting>& settings) {
  const std::vector<std::string> typed = typed_options(options, settings);
  std::string toml;
  try {
    for (const std::string& option : typed) {
      const std::size_t equal = std::min(option.find('='), option.size());
      const std::string key = option.substr(2, equal - 2);
      if (key == "output") throw UsageError("--output is not for a batch job; `run` is its file");
      if (key == "force") throw UsageError("--force is not for a batch job");
      toml += key + " = ";
      toml += equal == option.size() ? "true" : toml_string(option.substr(equal + 1));
      toml += '\n';
    }
    std::vector<std::string> words = {submission_.data, "--output=" + output};  // the last first
    words.insert(words.end(), typed.rbegin(), typed.rend());
    options.parse(words);
    check();
  } catch (const UsageError& error) {
    fail_of_option(error, settings);
  } catch (const CLI::ParseError& error) {
    fail_of_option(UsageError(error.what()), settings);
  }
  return toml;
}

/// Checks as a job does first of all. Of a text table only the names are known before it is
/// imported. @pre data_
void ExperimentReader::check_with_data(const Experiment& experiment, const std::string& grammar) {
  const std::vector<Attribute> attributes = option_value(
      "--max-bins", [&] { return io::make_load_plan(*data_, search_bins(experiment)).attributes; });
  const auto silent = [](Severity, const std::string&) {};
  bind_grammars(fitted_to_data(experiment, *data_, silent), attributes, grammar);
}

/// Fails with the place of the option that the message begins with, if it stands in the file.
void ExperimentReader::fail_of_option(const UsageError& error,
                                      const std::vector<Setting>& settings) {
  const std::string message = error.what();
  const std::string name = message.substr(0, message.find_first_of(": ,="));
  if (name.starts_with("--")) {
    const std::string key = name.substr(2);
    for (const Setting& setting : settings) {
      if (setting.key == key) throw BadToml(name_, setting.value->source(), message);
    }
    const toml::node* const node = options_ == nullptr ? nullptr : options_->get(key);
    if (node != nullptr) throw BadToml(name_, node->source(), message);
  }
  throw BadData(name_, message);
}

}  // namespace

Submission read_experiment_file(const std::string& path, std::span<const Submittable> commands,
                                const Report& report) {
  if (path.empty()) throw MissingInput("FILE", "has no name");
  Submission submission;
  submission.file = fs::absolute(path).lexically_normal().string();
  submission.folder = fs::path(submission.file).parent_path().string();
  if (!stands_in_script(submission.folder)) {
    throw BadData(printable(path, 200),
                  "lies in " + printable(submission.folder, 200) +
                      ", expected a folder without control characters, \" and \\ in its name");
  }
  ExperimentReader reader(path, commands, submission, report);
  const WorkingFolder folder(submission.folder);
  reader.read();
  return submission;
}

}  // namespace atl
