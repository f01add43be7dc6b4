#include "io/tables/import.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "io/run/run_folder.hpp"
#include "io/tables/input_tables.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/config/option_values.hpp"
#include "src/core/files/input_file.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/data/text_form.hpp"
#include "src/run/data/transaction_import.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

/// The command line as it was typed, to be converted when the command runs.
struct ImportCommandLine {
  std::vector<std::string> inputs;
  TextForm form;
  std::string output, target;
  std::string max_categories, partition_rows, one_hot = "none", probabilities;
  std::optional<std::uint64_t> memory_limit;
  bool print_schema = false, force = false;
};

std::uint32_t number_or(const std::string& option, const std::string& text, std::uint32_t otherwise,
                        std::uint32_t lowest) {
  if (text.empty()) return otherwise;
  constexpr std::uint64_t most = std::uint32_t{1} << 31;
  return static_cast<std::uint32_t>(whole_number_option(option, text, lowest, most));
}

std::uint32_t partition_rows(const ImportCommandLine& typed, std::uint32_t otherwise) {
  const std::uint32_t rows = number_or("--partition-rows", typed.partition_rows, otherwise, 4096);
  if (rows % 4096 != 0) {
    throw UsageError("--partition-rows: " + typed.partition_rows + " is no multiple of 4096");
  }
  return rows;
}

io::ImportOptions options_from(const ImportCommandLine& typed) {
  io::ImportOptions options;
  options.inputs = typed.inputs;
  options.output = typed.output;
  if (!typed.form.names_transactions()) set_table_form(typed.form, options);
  options.target = typed.target;
  options.fold_one_hot = typed.one_hot == "auto";
  options.max_categories =
      number_or("--max-categories", typed.max_categories, options.max_categories, 2);
  options.partition_rows = partition_rows(typed, options.partition_rows);
  options.memory_limit = typed.memory_limit.value_or(options.memory_limit);
  return options;
}

/// @throws UsageError if an option is given that is a table's
void expect_transaction_options(const ImportCommandLine& typed) {
  expect_of_transactions(typed.form);
  for (const auto& [option, given] : {std::pair{"--print-schema", typed.print_schema},
                                      {"--class", !typed.target.empty()},
                                      {"--max-categories", !typed.max_categories.empty()},
                                      {"--one-hot", typed.one_hot != "none"}}) {
    if (given) throw UsageError(std::string(option) + " is of tables, not of transactions");
  }
  if (typed.inputs.size() != 1) throw UsageError("transactions are imported from one input");
}

ExitStatus import_as_transactions(const ImportCommandLine& typed, const io::TextInput& input,
                                  const TransactionForm& form, std::uint64_t memory_limit,
                                  const Report& report) {
  expect_transaction_options(typed);
  TransactionImport options;
  options.form = form;
  options.probabilities = typed.probabilities;
  options.output = typed.output;
  options.partition_rows = partition_rows(typed, options.partition_rows);
  io::refuse_to_overwrite(typed.inputs.front(), typed.output);
  options.memory_limit = memory_limit;
  const ImportedTransactions imported = import_transactions(input, options, report);
  report(Severity::info, typed.output + ": " + in_words(imported));
  return ExitStatus::done;
}

ExitStatus import(const ImportCommandLine& typed, const Context& context) {
  io::ImportOptions options = options_from(typed);
  for (const std::string& input : options.inputs) {
    if (is_hdf5(input)) {
      throw BadData(input, "is an HDF5 file, expected a text; a dataset needs no import");
    }
  }
  if (typed.form.names_transactions()) expect_transaction_options(typed);
  if (!typed.print_schema) {
    if (options.output.empty()) throw UsageError("-o is missing: where to write the dataset");
    refuse_standard_output(options.output,
                           "a dataset is an HDF5 file, which standard output cannot be; name one");
    refuse_existing(options.output, typed.force);
  }
  if (options.inputs.size() == 1) {
    options.opened = open_text(options.inputs.front(), typed.form, io::temporary_folder(options));
  }
  if (options.opened) {
    const auto form = transactions_in(*options.opened, typed.form, context.report);
    if (form) {
      return import_as_transactions(typed, *options.opened, *form, options.memory_limit,
                                    context.report);
    }
  }
  if (!typed.probabilities.empty()) {
    throw UsageError(
        "--probabilities is of transactions: where these are some, give --format fimi, baskets, "
        "long or onehot");
  }
  if (typed.print_schema) {
    write_stdout(io::to_toml(io::infer_schema(options, context.report)));
    return ExitStatus::done;
  }
  try {
    const io::ImportSummary summary = io::import_tables(options, context.report);
    context.report(Severity::info, options.output + ": " + io::to_text(summary));
  } catch (const BadCell&) {
    if (options.opened) tell_of_baskets(*options.opened, typed.form.options, context.report);
    throw;
  }
  return ExitStatus::done;
}

}  // namespace

Command add_import(CLI::App& program) {
  auto typed = std::make_shared<ImportCommandLine>();
  CLI::App* command = program.add_subcommand("import",
                                             "Turn text tables (CSV, ARFF, KEEL) or transactions, "
                                             "also .gz, .xz, .zst and .bz2, into a dataset file");
  command
      ->add_option("INPUT", typed->inputs,
                   "Files with the same columns, or one of transactions; - is standard input")
      ->required()
      ->type_name("");
  add_text(*command, "-o,--output", typed->output, "DATA.h5", "the dataset file to write");
  add_text_options(*command, TextKinds::any);
  command->add_flag("--print-schema", typed->print_schema,
                    "print the schema as inferred, to be edited for --schema; writes no dataset");
  add_text(*command, "--class", typed->target, "NAME",
           "the column that is the class: what rules conclude unless mine is told otherwise");
  add_text(*command, "--probabilities", typed->probabilities, "FILE",
           "transactions: the probability that each exists, a number a line");
  add_text(*command, "--max-categories", typed->max_categories, "N",
           "labels kept of a nominal column, the rest become \"other\" [1000]");
  command
      ->add_option("--one-hot", typed->one_hot,
                   "auto: columns of 0 and 1, or of no and yes, such as color_red, color_blue, "
                   "color_green, of which each row says yes in just one, become one nominal "
                   "attribute, color [none]")
      ->check(CLI::IsMember({"auto", "none"}))
      ->option_text("auto|none");
  add_text(*command, "--partition-rows", typed->partition_rows, "N",
           "rows read and written at once, a multiple of 4096 [65536]");
  add_memory_limit_option(*command,
                          "memory for names, dictionaries and buffers, such as 512M [1G]");
  command->add_flag("--force", typed->force, "replace an existing dataset file");
  return {command, [command, typed](const Context& context) {
            typed->memory_limit = memory_limit(*command);
            typed->form = text_form_from(*command, TextKinds::any, typed->inputs.front());
            return import(*typed, context);
          }};
}

}  // namespace atl
