#include "src/app/preset_option.hpp"

#include <filesystem>

#include "io/run/run_folder.hpp"
#include "src/app/command_line.hpp"
#include "src/config/presets.hpp"
#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/measures.hpp"

namespace atl {

namespace {

/// Presets need not have a grammar and measures, which are those of a higher layer than theirs.
constexpr const char* default_grammar = "association";

}  // namespace

bool is_builtin_grammar(const std::string& name) {
  return name == "association" || name == "association-full";
}

std::string read_named_file(const std::string& name, const std::string& otherwise) {
  std::error_code error;
  if (std::filesystem::status(name, error).type() == std::filesystem::file_type::not_found)
    throw MissingInput(name, "no such file, nor " + otherwise);
  return io::read_file(name);
}

std::vector<std::string> default_measure_names(bool of_means) {
  std::vector<std::string> names;
  for (const Measure measure : default_measures(of_means)) names.emplace_back(info(measure).name);
  return names;
}

std::map<std::string, std::string> defaults_by_key() {
  std::map<std::string, std::string> defaults = {{"grammar", default_grammar}, {"measures", ""}};
  for (const std::string& name : default_measure_names(false)) {
    defaults["measures"] += (defaults["measures"].empty() ? "" : ",") + name;
  }
  for (const BuiltinPreset& preset : builtin_presets()) {
    const std::string name(preset.name);
    for (const auto& [key, value] : typed_values(preset.toml, name)) {
      std::string& text = defaults[key];
      if (text.empty()) {
        text = value;
      } else if (text != value) {
        text.append("; ").append(name).append(": ").append(value);
      }
    }
  }
  return defaults;
}

Experiment preset_from(const std::string& name) {
  Experiment experiment;
  if (is_builtin_preset(name)) {
    experiment = Experiment::defaults(name);
  } else {
    experiment = parse_preset(read_named_file(name, "a built-in preset (niching, g3parm)"), name);
  }
  std::string& grammar = experiment.grammar;
  if (grammar.empty()) grammar = default_grammar;
  if (is_builtin_grammar(grammar)) grammar = Grammar::builtin(grammar);
  for (IslandSettings& settings : experiment.island_settings) {
    auto& its = settings.grammar;
    if (its && is_builtin_grammar(*its)) its = Grammar::builtin(*its);
  }
  if (experiment.measures.empty()) experiment.measures = default_measure_names(false);
  return experiment;
}

}  // namespace atl
