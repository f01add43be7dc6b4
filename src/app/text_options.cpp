#include "src/app/text_options.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "src/core/error.hpp"
#include "src/run/run_data.hpp"

namespace atl {

namespace {

std::string name_of(const char* name, const std::string& option) {
  return (option.empty() ? "--" : "--" + option + "-") + name;
}

/// @param no_text  what the data are instead; empty: they are a text
std::optional<std::string> given(const CLI::App& command, const std::string& name,
                                 const std::string& no_text) {
  const CLI::Option* const option = command.get_option_no_throw(name);
  if (option == nullptr || option->count() == 0) return std::nullopt;
  if (!no_text.empty()) throw UsageError(name + " is of a text, not of " + no_text);
  return option->as<std::string>();
}

constexpr const char* a_file = "an HDF5 file";

std::string what_is(const std::string& data) {
  std::error_code ignored;
  if (data == standard_input) return "";
  if (std::filesystem::is_directory(data, ignored)) return "a folder";
  return is_hdf5(data) ? a_file : "";
}

}  // namespace

void add_text_options(CLI::App& command, TextKinds kinds, const std::string& option) {
  const bool tables = kinds == TextKinds::tables;
  const std::string format =
      "form of " + (option.empty() ? "a text" : "the text of --" + option) +
      (tables ? ": csv, arff or keel [auto]"
              : ": a table (csv, arff, keel), or transactions, which are lines of item numbers "
                "(fimi) or names (baskets), rows of a transaction and an item (long), or rows of 1 "
                "and "
                "0, yes and no, in columns of items (onehot) [auto]");
  const std::string delimiter =
      tables ? "what is between fields of CSV: a character or tab [detected]"
             : "what is between fields or names: a character, tab or, of baskets, blank [detected]";
  CLI::Option* const added[] = {
      command.add_option(name_of("format", option), format)->type_name("F"),
      command.add_option(name_of("delimiter", option), delimiter)->type_name("CHAR")};
  if (option.empty()) return;
  for (CLI::Option* const of_data : added) of_data->needs(command.get_option("--" + option));
}

TextForm text_form_from(const CLI::App& command, TextKinds kinds, const std::string& data,
                        const std::string& option) {
  const std::string format = name_of("format", option);
  const std::string delimiter = name_of("delimiter", option);
  if (command.count(format) == 0 && command.count(delimiter) == 0) return {};
  const std::string no_text = what_is(data);
  TextForm form;
  form.format = given(command, format, no_text).value_or(form.format);
  form.delimiter = given(command, delimiter, no_text).value_or(form.delimiter);
  try {
    expect_text_form(form, kinds);
  } catch (const UsageError& error) {  // which begins with the option's usual name
    throw UsageError(name_of(error.what() + std::string_view("--").size(), option));
  }
  return form;
}

void apply_text_options(const CLI::App& command, bool is_file, RunConfiguration& configuration) {
  Machine& machine = configuration.machine;
  machine.data_format = given(command, "--format", is_file ? a_file : "");
  machine.data_delimiter = given(command, "--delimiter", is_file ? a_file : "");
  const bool classifies = configuration.experiment.algorithm->traits.classifies;
  expect_text_form(text_form(machine), classifies ? TextKinds::tables : TextKinds::any);
}

std::vector<std::string> text_options(const Machine& machine) {
  std::vector<std::string> options;
  if (machine.data_format) options.push_back("--format=" + *machine.data_format);
  if (machine.data_delimiter) options.push_back("--delimiter=" + *machine.data_delimiter);
  return options;
}

}  // namespace atl
