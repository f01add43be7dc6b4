#include "src/app/text_options.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>

#include "src/config/option_values.hpp"
#include "src/core/error.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/text/near_names.hpp"
#include "src/run/data/run_data.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

/// Parts with commas stand in double quotes, as list_option() reads them.
std::string as_list(const Names& names) {
  std::string list;
  for (const std::string& name : names) {
    const bool quote = name.empty() || name.find(',') != std::string::npos;
    if (&name != &names.front()) list += ',';
    list += quote ? '"' + name + '"' : name;
  }
  return list;
}

template <std::optional<std::string> TextForm::*Member>
void set_text(TextForm& form, const std::string& /*option*/, const std::string& text) {
  form.*Member = text;
}
template <std::optional<std::string> TextForm::*Member>
std::optional<std::string> text_of(const TextForm& form) {
  return form.*Member;
}
template <std::optional<Names> TextForm::*Member, bool MayBeEmpty>
void set_list(TextForm& form, const std::string& option, const std::string& text) {
  form.*Member = list_option(option, text, MayBeEmpty);
}
template <std::optional<Names> TextForm::*Member>
std::optional<std::string> list_of(const TextForm& form) {
  if (!(form.*Member)) return std::nullopt;
  return as_list(*(form.*Member));
}

void read_schema(TextForm& form, const std::string& /*option*/, const std::string& file) {
  form.schema = io::read_file(file);
  form.schema_file = file;
}
std::optional<std::string> schema_path(const TextForm& form) {
  if (!form.schema_file) return std::nullopt;
  return fs::absolute(*form.schema_file).lexically_normal().string();
}

struct TextOption {
  const char* name;
  const char* type;
  const char* help;  ///< empty: depends on the command
  void (*take)(TextForm& form, const std::string& option, const std::string& text);
  std::optional<std::string> (*typed)(const TextForm& form);
};

/// All but the flags --header and --no-header.
const TextOption reading_options[] = {
    {"format", "F", "", set_text<&TextForm::format>, text_of<&TextForm::format>},
    {"delimiter", "CHAR", "", set_text<&TextForm::delimiter>, text_of<&TextForm::delimiter>},
    {"encoding", "NAME",
     "of the text, such as latin1, cp1252, utf-16le or shift_jis (iconv --list) [UTF-8, or what "
     "its "
     "byte order mark says]",
     set_text<&TextForm::encoding>, text_of<&TextForm::encoding>},
    {"missing", "T,...",
     "words that mean \"no value\", beside the usual ones: an empty field, ?, NA, N/A, n/a, NaN, "
     "nan, NULL and null",
     set_list<&TextForm::missing, true>, list_of<&TextForm::missing>},
    {"missing-only", "T,...",
     "words that mean \"no value\", instead of the usual ones; a part may be empty",
     set_list<&TextForm::missing_only, true>, list_of<&TextForm::missing_only>},
    {"decimal", "auto|point|comma|plain",
     "how numbers are written: 1,234.5 (point), 1.234,5 (comma), or 1234.5 and nothing else "
     "(plain); auto: column by column, where one reading alone is possible [auto]",
     set_text<&TextForm::decimal>, text_of<&TextForm::decimal>},
    {"nominal", "A,B,...", "columns of labels even if they look like numbers",
     set_list<&TextForm::nominal, false>, list_of<&TextForm::nominal>},
    {"ignore", "A,B,...", "columns to leave out", set_list<&TextForm::ignore, false>,
     list_of<&TextForm::ignore>},
    {"schema", "FILE", "TOML file that says what the columns are", read_schema, schema_path}};

constexpr const char* header_flag = "header";
constexpr const char* no_header_flag = "no-header";

std::string prefix_of(const std::string& option) {
  return option.empty() ? "--" : "--" + option + "-";
}

std::string what_is(const std::string& data) {
  std::error_code ignored;
  if (data == standard_input) return "";
  if (fs::is_directory(data, ignored)) return "a folder";
  return is_hdf5(data) ? "an HDF5 file" : "";
}

std::string help_of(const TextOption& option, TextKinds kinds, const std::string& of) {
  if (*option.help != '\0') return option.help;
  const bool tables = kinds == TextKinds::tables;
  if (option.name == std::string("delimiter")) {
    return tables ? "what is between fields of CSV: a character or tab [detected]"
                  : "what is between fields or names: a character, tab or, of baskets, blank "
                    "[detected]";
  }
  return "form of " + (of.empty() ? "a text" : "the text of --" + of) +
         (tables
              ? ": csv, arff or keel [auto]"
              : ": a table (csv, arff, keel), or transactions, which are lines of item numbers "
                "(fimi) or names (baskets), rows of a transaction and an item (long), or rows of "
                "1 and 0, yes and no, in columns of items (onehot) [auto]");
}

/// Is it one of add_table_options()?
bool is_of_table(const TextOption& option) {
  return *option.help != '\0';
}

void add_reading_option(CLI::App& command, const TextOption& option, TextKinds kinds,
                        const std::string& of) {
  const std::string help = help_of(option, kinds, of);
  CLI::Option* const added = command.add_option(prefix_of(of) + option.name, help);
  added->type_name(option.type)->group(reading_group);
  if (!of.empty()) added->needs(command.get_option("--" + of));
}

bool is_given(const CLI::App& command, const std::string& name) {
  const CLI::Option* const option = command.get_option_no_throw(name);
  return option != nullptr && option->count() != 0;
}

/// @param no_text  what the data are instead; empty: they are a text
/// @param all  or only those of tables
TextForm form_from(const CLI::App& command, const std::string& of, const std::string& no_text,
                   bool all) {
  TextForm form;
  form.options = prefix_of(of);
  const auto take = [&](const std::string& name, const auto& use) {
    if (!is_given(command, name)) return;
    if (!no_text.empty()) throw UsageError(name + " is of a text, not of " + no_text);
    use();
  };
  for (const TextOption& option : reading_options) {
    const std::string name = form.options + option.name;
    if (!all && !is_of_table(option)) continue;
    take(name, [&] { option.take(form, name, command.get_option(name)->as<std::string>()); });
  }
  for (const char* const flag : {header_flag, no_header_flag}) {
    take(form.options + flag, [&] { form.header = std::string_view(flag) == header_flag; });
  }
  return form;
}

bool any_given(const CLI::App& command, const std::string& of) {
  const auto given = [&](const char* name) { return is_given(command, prefix_of(of) + name); };
  return given(header_flag) || given(no_header_flag) ||
         std::any_of(std::begin(reading_options), std::end(reading_options),
                     [&](const TextOption& option) { return given(option.name); });
}

}  // namespace

void add_table_options(CLI::App& command, const std::string& of) {
  const std::string prefix = prefix_of(of);
  CLI::Option* const with = command.add_flag(prefix + header_flag);
  with->description("CSV, long, onehot: the first row is names [detected]")->group(reading_group);
  CLI::Option* const without = command.add_flag(prefix + no_header_flag);
  without->description("CSV, long, onehot: the first row is data")->group(reading_group);
  without->excludes(with);
  if (!of.empty()) {
    for (CLI::Option* const flag : {with, without}) flag->needs(command.get_option("--" + of));
  }
  for (const TextOption& option : reading_options) {
    if (is_of_table(option)) add_reading_option(command, option, TextKinds::tables, of);
  }
}

void add_text_options(CLI::App& command, TextKinds kinds, const std::string& of) {
  for (const TextOption& option : reading_options) {
    if (!is_of_table(option)) add_reading_option(command, option, kinds, of);
  }
  add_table_options(command, of);
}

TextForm text_form_from(const CLI::App& command, TextKinds kinds, const std::string& data,
                        const std::string& of) {
  const std::string no_text = any_given(command, of) ? what_is(data) : "";
  TextForm form = form_from(command, of, no_text, true);
  expect_text_form(form, kinds);
  return form;
}

TextForm table_form_from(const CLI::App& command, const std::string& data) {
  return form_from(command, "", any_given(command, "") ? what_is(data) : "", false);
}

void apply_text_options(const CLI::App& command, bool is_file, RunConfiguration& configuration) {
  TextForm& form = configuration.machine.text;
  form = form_from(command, "", is_file ? "an HDF5 file" : "", true);
  expect_text_form(
      form, configuration.experiment.kind().transactions ? TextKinds::any : TextKinds::tables);
}

std::vector<std::string> text_options(const TextForm& form) {
  std::vector<std::string> typed;
  for (const TextOption& option : reading_options) {
    if (const auto text = option.typed(form)) {
      typed.push_back(std::string("--").append(option.name).append("=").append(*text));
    }
  }
  if (form.header)
    typed.push_back(std::string("--") + (*form.header ? header_flag : no_header_flag));
  return typed;
}

bool is_text_option(std::string_view name) {
  return name == header_flag || name == no_header_flag ||
         std::any_of(std::begin(reading_options), std::end(reading_options),
                     [&](const TextOption& option) { return name == option.name; });
}

}  // namespace atl
