#include "src/app/command_line.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include <CLI/CLI.hpp>

#include "io/run/run_folder.hpp"
#include "src/app/toml_option.hpp"
#include "src/config/toml_text.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

/// Names as typed, "--seed" and "-o".
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

bool is_given(const CLI::Option& option, const std::vector<std::string>& arguments) {
  const auto names = names_of(option);
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const bool is_short = !name.starts_with("--");
      return argument == name || argument.starts_with(is_short ? name : name + "=");
    });
  });
}

std::optional<std::string> value_of(const std::string& name,
                                    const std::vector<std::string>& arguments) {
  std::optional<std::string> value;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].starts_with(name + "=")) value = arguments[i].substr(name.size() + 1);
    if (arguments[i] == name && i + 1 < arguments.size()) value = arguments[i + 1];
  }
  return value;
}

/// The options that the configuration of a run stands for: its experiment is a preset, and its
/// machine but for the data is as good for another run.
std::vector<std::string> with_run_configuration(CLI::App& command,
                                                std::vector<std::string> arguments,
                                                const std::string& file,
                                                const toml::table& configuration) {
  const CLI::Option* const preset = command.get_option_no_throw("--preset");
  if (preset == nullptr) throw UsageError(file + " is the configuration of a run, for atoll mine");
  if (is_given(*preset, arguments)) {
    throw UsageError("--config " + file + " is a whole experiment; --preset does not go with it");
  }
  const std::vector<std::string> typed = arguments;
  arguments.push_back("--preset=" + file);
  for (const char* const key : {"backend", "threads", "device_memory", "checkpoint_every",
                                "checkpoints_kept", "migration_log", "write_holdout"}) {
    const auto value = configuration["machine"][key];
    std::string name = std::string("--") + key;
    std::replace(name.begin(), name.end(), '_', '-');
    if (!value || is_given(*command.get_option(name), typed)) continue;
    const auto flag = value.value<bool>();  // as options say it
    const std::string text =
        value.is_boolean() ? (*flag ? "yes" : "no") : typed_value(*value.node(), file);
    arguments.push_back(name.append("=").append(text));
  }
  return arguments;
}

}  // namespace

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool may_have_value(const CLI::Option& option) {
  if (option.get_expected_max() != 0 || option.get_lnames().empty()) return false;
  const std::string implied = option.get_flag_value(option.get_lnames().front(), "");
  return implied != "true" && implied != "false";
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::size_t dashes = word.find_first_not_of('-');
  if (dashes == std::string::npos) return "";
  const std::string bare = word.substr(dashes);
  std::vector<std::string> names, near;
  for (const std::string& candidate : candidates) names.push_back(candidate.substr(dashes));
  std::copy_if(names.begin(), names.end(), std::back_inserter(near),
               [&](const std::string& name) { return name.starts_with(bare); });
  if (near.empty()) near = near_names(bare, names);
  std::string text;
  for (const std::string& name : near) {
    text += (text.empty() ? "; did you mean " : " or ") + word.substr(0, dashes) + name;
  }
  return text.empty() ? text : text + "?";
}

CLI::Option* add_text(CLI::App& command, const char* name, std::string& value, const char* type,
                      const std::string& help) {
  const std::string otherwise = value.empty() ? "" : " [" + value + "]";
  return command.add_option(name, value, help + otherwise)->type_name(type);
}

std::vector<std::string> with_help_option(std::vector<std::string> arguments) {
  const auto word = std::find_if(arguments.begin(), arguments.end(),
                                 [](const std::string& a) { return !a.starts_with("-"); });
  if (word == arguments.end() || *word != "help") return arguments;
  arguments.erase(word);
  arguments.push_back("--help");
  return arguments;
}

CLI::App* selected_command(CLI::App& program, const std::vector<std::string>& arguments) {
  CLI::App* command = &program;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-")) continue;
    const auto matches = command->get_subcommands(
        [&](CLI::App* subcommand) { return subcommand->get_name() == argument; });
    if (matches.empty()) break;
    command = matches.front();
  }
  return command;
}

void reject_unknown_command(CLI::App& program, const std::vector<std::string>& arguments) {
  CLI::App* command = &program;
  std::string path;
  for (const std::string& word : arguments) {
    if (word.starts_with("-")) continue;
    std::vector<std::string> known;
    for (const CLI::App* part : command->get_subcommands([](CLI::App*) { return true; })) {
      known.push_back(part->get_name());
    }
    if (known.empty()) return;
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      throw UsageError("unknown command " + path + printable(word) + did_you_mean(word, known));
    }
    command = command->get_subcommand(word);
    path += word + " ";
  }
}

void reject_odd_flags(const CLI::App& program, const CLI::App& command,
                      const std::vector<std::string>& arguments) {
  std::map<const CLI::Option*, std::string> given;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    if (!name.starts_with("--")) continue;
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option == nullptr) option = program.get_option_no_throw(name);
    if (option == nullptr || option->get_expected_max() != 0) continue;
    const bool is_bare = name == arguments[i];
    if (!may_have_value(*option)) {
      if (!is_bare) throw UsageError(name + " takes no value: " + printable(arguments[i]));
      const std::string& other = given.emplace(option, name).first->second;
      if (other != name) throw UsageError(other + " and " + name + " contradict each other");
    } else if (is_bare && i + 1 < arguments.size() && parse_number(arguments[i + 1])) {
      throw UsageError(name + " has its value behind a =: " + name + "=" + arguments[i + 1]);
    }
  }
}

std::vector<std::string> with_config_file(CLI::App& command, std::vector<std::string> arguments) {
  const auto file = value_of("--config", arguments);
  if (!file) return arguments;
  const toml::table table = parse_toml(io::read_file(*file), *file);
  if (table.contains("experiment")) return with_run_configuration(command, arguments, *file, table);
  const std::vector<std::string> typed = arguments;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const std::string option = typed_option(command, name, node, *file);
    if (!option.empty() && !is_given(*command.get_option("--" + name), typed))
      arguments.push_back(option);
  }
  return arguments;
}

std::map<std::string, std::string> typed_values(std::string_view toml, const std::string& file) {
  std::map<std::string, std::string> values;
  const std::function<void(const toml::table&)> add = [&](const toml::table& table) {
    for (const auto& [key, node] : table) {
      const toml::table* const inner = node.as_table();
      if (inner != nullptr && !inner->is_inline()) add(*inner);
      if (inner == nullptr) values.emplace(key.str(), typed_value(node, file));
    }
  };
  add(parse_toml(toml, file));
  return values;
}

void reject_unknown_options(CLI::App& program, CLI::App& command,
                            const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (!argument.starts_with("--")) continue;
    const std::string name = argument.substr(0, argument.find('='));
    std::vector<std::string> known = long_options(program);
    const auto own = long_options(command);
    known.insert(known.end(), own.begin(), own.end());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw UsageError("unknown option " + printable(name) + did_you_mean(name, known));
  }
}

}  // namespace atl
