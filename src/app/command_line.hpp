// Parts that the command line needs beyond its parser: a configuration file that holds options, and
// help with misspelt ones.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace atl {

/// An option whose text is converted when the command runs. Its default, if it has one, stands
/// behind the help.
CLI::Option* add_text(CLI::App& command, const char* name, std::string& value, const char* type,
                      const std::string& help);

/// Names of the command's long options, "--seed".
std::vector<std::string> long_options(const CLI::App& command);

/// "; did you mean --seed?" if a candidate begins with the word or is near to it. The dashes that
/// all of them begin with say nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

/// `help` as the first word means --help, of the command after it if there is one.
std::vector<std::string> with_help_option(std::vector<std::string> arguments);

/// The innermost subcommand that the arguments name; the program if none.
CLI::App* selected_command(CLI::App& program, const std::vector<std::string>& arguments);

/// @throws UsageError with the nearest known name if an argument stands where a subcommand should,
///         and names none
void reject_unknown_command(CLI::App& program, const std::vector<std::string>& arguments);

/// Is it a flag that a value may follow, as in --balance=0.5? It then is not that of "--flag".
bool may_have_value(const CLI::Option& option);

/// @throws UsageError if a number follows such a flag as an argument of its own, and if another
/// flag
///         has a value, as in --force=no, or stands beside its opposite
void reject_odd_flags(const CLI::App& program, const CLI::App& command,
                      const std::vector<std::string>& arguments);

/// If `--config FILE` is among the arguments, adds the options of that TOML file which are not
/// given on the command line. A key is a long option's name without dashes; its value a string, a
/// number, a truth value for a flag, or a list of these.
/// @throws MissingInput, BadData, UsageError for unknown keys
std::vector<std::string> with_config_file(CLI::App& command, std::vector<std::string> arguments);

/// The values of a TOML text by their keys, also of its sections, as they would be typed: lists
/// with commas. Inline tables are left out. @throws BadData, UsageError
std::map<std::string, std::string> typed_values(std::string_view toml, const std::string& file);

/// @throws UsageError with the nearest known name if a long option is unknown
void reject_unknown_options(CLI::App& program, CLI::App& command,
                            const std::vector<std::string>& arguments);

}  // namespace atl
