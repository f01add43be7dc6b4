#include "src/app/algorithm_options.hpp"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/config/option_values.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/run/preset.hpp"

namespace atl {
namespace {

/// The keys of all algorithms, each once.
std::vector<AlgorithmKey> all_keys(AlgorithmTable algorithms) {
  std::vector<AlgorithmKey> keys;
  for (const AlgorithmDescription& algorithm : algorithms) {
    for (const AlgorithmKey& key : algorithm.keys) {
      const auto same = [&](const AlgorithmKey& one) { return one.name == key.name; };
      if (std::none_of(keys.begin(), keys.end(), same)) keys.push_back(key);
    }
  }
  return keys;
}

double key_value(const AlgorithmKey& key, const std::string& text) {
  const std::string option = key.option();
  if (key.kind == KeyKind::share) return option_value(option, [&] { return parse_share(text); });
  if (key.kind == KeyKind::cost) {
    if (const auto number = parse_number(text)) return *number;
    throw UsageError(option + ": '" + printable(text) + "' is no number");
  }
  if (key.kind == KeyKind::choice) try {
      return key.choice_called(text);
    } catch (const UsageError& error) {
      throw UsageError(option + " " + error.what());
    }
  return any_whole_number_option<std::uint32_t>(option, text);
}

}  // namespace

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

void add_algorithm_options(CLI::App& command, AlgorithmTable algorithms,
                           const std::map<std::string, std::string>& defaults) {
  for (const AlgorithmKey& key : all_keys(algorithms)) {
    const std::string takers =
        algorithms.size() == 1 ? "" : algorithm_names(algorithms, key.name) + ": ";
    const std::string help =
        takers + std::string(key.help) + " [" + defaults.at(std::string(key.name)) + "]";
    CLI::Option* const added =
        key.implied ? command.add_flag(key.option() + "{" + plain_number(*key.implied) + "}", help)
                    : command.add_option(key.option(), help);
    added->type_name(std::string(key.placeholder))->group("Experiment");
  }
}

void apply_algorithm_options(const CLI::App& command, AlgorithmTable algorithms,
                             Experiment& experiment) {
  for (const AlgorithmKey& key : all_keys(algorithms)) {
    const std::string option = key.option();
    if (command.count(option) == 0) continue;
    if (experiment.algorithm->find(key.name) == nullptr) {
      throw UsageError(option + " is for --preset " + algorithm_names(algorithms, key.name) + "; " +
                       std::string(experiment.algorithm->name) + " has no such option");
    }
    for (const std::string& text : command.get_option(option)->results()) {
      experiment.set(key.name, key_value(key, text));
    }
  }
}

}  // namespace atl
