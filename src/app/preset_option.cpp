#include "src/app/preset_option.hpp"

#include <filesystem>

#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/app/command_line.hpp"
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

std::map<std::string, std::string> defaults_by_key(AlgorithmTable algorithms) {
  std::map<std::string, std::string> defaults = {{"grammar", default_grammar}, {"measures", ""}};
  for (const std::string& name : default_measure_names(false)) {
    defaults["measures"] += (defaults["measures"].empty() ? "" : ",") + name;
  }
  std::map<std::string, std::string> usual;  // of the first algorithm that has the key
  for (const AlgorithmDescription& algorithm : algorithms) {
    const std::string name(algorithm.name);
    for (const auto& [key, value] : typed_values(algorithm.defaults, name)) {
      const auto [first, is_first] = usual.emplace(key, value);
      std::string& text = defaults[key];
      if (is_first) {
        text = value;
      } else if (first->second != value) {
        text.append("; ").append(name).append(": ").append(value);
      }
    }
  }
  return defaults;
}

Experiment preset_from(const std::string& name, AlgorithmTable algorithms, const Report& report) {
  Experiment experiment;
  if (const auto* const algorithm = algorithm_called(algorithms, name)) {
    if (algorithm->name != name && report) {
      report(Severity::warning, "--preset " + name + " is called " + std::string(algorithm->name) +
                                    " now; the former name goes with the next version");
    }
    experiment = Experiment::defaults(*algorithm);
  } else if (const auto* const other = algorithm_called(atl::algorithms(), name)) {
    const SearchKind& kind = *other->traits.kind;
    throw UsageError("--preset " + name + " " + std::string(kind.does) + ": " +
                     std::string(kind.begin_command));
  } else {
    const std::string text =
        read_named_file(name, "a built-in preset (" + algorithm_names(algorithms) + ")");
    experiment = parse_preset(text, name, algorithms, report);
  }
  if (!experiment.kind().single_rules) return experiment;
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
