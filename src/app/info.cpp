#include <filesystem>

#include <CLI/CLI.hpp>

#include "io/run/run_files.hpp"
#include "src/app/commands.hpp"
#include "src/app/text_options.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/info/dataset_report.hpp"
#include "src/run/info/output_report.hpp"
#include "src/run/info/run_report.hpp"
#include "src/work/standard_streams.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {
namespace {

std::string describe(const std::string& path, const TextForm& form, bool json,
                     const Report& report) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return run_report(path, json);
  if (!std::filesystem::exists(path, ignored)) {
    // What a task keeps lies beside the file that a link leads to.
    const bool leads_on = std::filesystem::is_symlink(path, ignored);
    const std::string place = leads_on ? io::written_place(path) : path;
    if (std::filesystem::is_directory(place + ".checkpoint", ignored)) {
      return task_report(place, json);
    }
  }
  if (is_hdf5(path)) return data_report(path, path, json, nullptr);
  const bool tells = form.format_name() == "auto" && !form.delimiter && !form.header;
  if (tells && std::filesystem::is_regular_file(path, ignored)) {
    if (const auto found = found_report(path, json)) return *found;
  }
  const TemporaryFolder folder;
  report(Severity::info,
         "importing " + path + " into " + folder.folder().path_of(io::run_names::data));
  const std::string data = import_any(folder.folder(), path, report, form);
  return data_report(data, path, json, &folder.folder());
}

}  // namespace

Command add_info(CLI::App& program) {
  struct Options {
    std::string path;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "info", "Tell what is in a dataset, transactions, a text table or a run");
  command
      ->add_option("PATH", options->path,
                   "Dataset file, file of transactions, text of either (- is standard input), or "
                   "folder of a run; also rules or sets that were found")
      ->required()
      ->type_name("");
  add_text_options(*command, TextKinds::any);
  command->add_flag("--json", options->json, "one JSON object instead of text");
  command->footer("A text is imported to a temporary folder (TMPDIR) first.");
  return {command, [command, options](const Context& context) {
            const TextForm form = text_form_from(*command, TextKinds::any, options->path);
            const std::string text = describe(options->path, form, options->json, context.report);
            write_stdout(options->json ? text : fitted(text, stdout_columns(), rule_indent));
            return ExitStatus::done;
          }};
}

}  // namespace atl
