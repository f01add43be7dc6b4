#include "src/app/algorithm_options.hpp"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>

#include "islands/algorithms.hpp"
#include "src/app/option_values.hpp"
#include "src/core/error.hpp"

namespace atl {

namespace {

/// The keys of all algorithms, each once.
std::vector<AlgorithmKey> all_keys() {
  std::vector<AlgorithmKey> keys;
  for (const AlgorithmDescription& algorithm : algorithms()) {
    for (const AlgorithmKey& key : algorithm.keys) {
      const auto same = [&](const AlgorithmKey& one) { return one.name == key.name; };
      if (std::none_of(keys.begin(), keys.end(), same)) keys.push_back(key);
    }
  }
  return keys;
}

}  // namespace

void add_algorithm_options(CLI::App& command, const std::map<std::string, std::string>& defaults) {
  for (const AlgorithmKey& key : all_keys()) {
    const std::string help = algorithm_names(algorithms(), key.name) + ": " +
                             std::string(key.help) + " [" + defaults.at(std::string(key.name)) +
                             "]";
    command.add_option(key.option(), help)
        ->type_name(std::string(key.placeholder))
        ->group("Experiment");
  }
}

void apply_algorithm_options(const CLI::App& command, Experiment& experiment) {
  for (const AlgorithmKey& key : all_keys()) {
    const std::string option = key.option();
    if (command.count(option) == 0) continue;
    if (experiment.algorithm->find(key.name) == nullptr) {
      throw UsageError(option + " is for --preset " + algorithm_names(algorithms(), key.name) +
                       "; " + std::string(experiment.algorithm->name) + " has no such option");
    }
    for (const std::string& text : command.get_option(option)->results()) {
      experiment.set(key.name, key.kind == KeyKind::share
                                   ? option_value(option, [&] { return parse_share(text); })
                                   : any_whole_number_option<std::uint32_t>(option, text));
    }
  }
}

}  // namespace atl
