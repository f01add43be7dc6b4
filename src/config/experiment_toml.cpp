// The run configuration as TOML.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "src/config/algorithm.hpp"
#include "src/config/experiment.hpp"
#include "src/config/experiment_fields.hpp"
#include "src/config/experiment_settings.hpp"
#include "src/config/setting_reader.hpp"
#include "src/config/setting_writer.hpp"
#include "src/config/toml_text.hpp"
#include "src/core/error.hpp"
#include "src/core/report.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

// Names and places of settings in version 0.1 that are others now. The next version deletes what
// translates them.

/// Keys of algorithms that stood among the common ones.
constexpr std::array<std::string_view, 4> moved_keys = {"crossover", "mutation", "pool",
                                                        "max_consequent"};

using Tell = std::function<void(const std::string&)>;

void move_under_experiment(toml::table& document, const Tell& tell) {
  if (document.contains("experiment") || document.contains("machine")) return;
  toml::table experiment = std::move(document);
  document = toml::table();
  document.insert("experiment", std::move(experiment));
  tell("the keys of a preset belong under [experiment] now");
}

void rename_algorithm(toml::table& experiment, AlgorithmTable algorithms, const Tell& tell) {
  auto* const preset = experiment["preset"].as_string();
  const auto* const algorithm =
      preset == nullptr ? nullptr : algorithm_called(algorithms, preset->get());
  if (algorithm == nullptr || algorithm->name == preset->get()) return;
  tell("preset \"" + preset->get() + "\" is called \"" + std::string(algorithm->name) + "\" now");
  *preset = std::string(algorithm->name);
}

void move_to_section(toml::table& experiment, const AlgorithmDescription& algorithm,
                     const Tell& tell) {
  const std::string name(algorithm.name);
  std::string moved, dropped;
  for (const std::string_view key : moved_keys) {
    toml::node* const node = experiment.get(key);
    if (node == nullptr) continue;
    std::string& list = algorithm.find(key) == nullptr ? dropped : moved;
    list.append(list.empty() ? "" : ", ").append(key);
    if (algorithm.find(key) != nullptr) {
      experiment.insert(name, toml::table());
      if (auto* const section = experiment[name].as_table()) section->insert(key, std::move(*node));
    }
    experiment.erase(key);
  }
  if (!moved.empty()) tell("in [experiment." + name + "] now: " + moved);
  if (!dropped.empty()) tell("not for preset \"" + name + "\", ignored: " + dropped);
}

/// Brings a preset or a run's configuration into today's form: keys of a preset under [experiment],
/// today's name of the algorithm, and the algorithm's keys in its section. Keys of other
/// algorithms, which had no effect, go.
/// @param report  if any, gets a warning with the new name or place for each change
void translate_former_names(toml::table& document, const std::string& file,
                            AlgorithmTable algorithms, const Report& report) {
  const Tell tell = [&](const std::string& line) {
    if (report) report(Severity::warning, printable(file) + ": former version: " + line);
  };
  move_under_experiment(document, tell);
  toml::table* const experiment = document["experiment"].as_table();
  if (experiment == nullptr) return;
  rename_algorithm(*experiment, algorithms, tell);
  const auto name = (*experiment)["preset"].value<std::string>();
  const auto* const algorithm = name ? algorithm_called(algorithms, *name) : nullptr;
  if (algorithm != nullptr) move_to_section(*experiment, *algorithm, tell);
}

using Keys = SettingReader::Keys;

const toml::table& table_of(const toml::table& document, const char* section,
                            const std::string& file) {
  const toml::node* const node = document.get(section);
  if (node == nullptr || !node->is_table()) {
    throw BadData(file, std::string("table [") + section + "] is missing");
  }
  return *node->as_table();
}

void reject_others(const toml::table& document, const std::string& file) {
  for (const auto& [key, node] : document) {
    if (key == "experiment" || key == "machine") continue;
    throw BadToml(file, node.source(), "unknown key '" + printable(std::string(key.str())) + "'");
  }
}

/// @param experiment  of some keys, the defaults of the algorithm; keys that are absent stay
void read_experiment(const toml::table& document, const std::string& file,
                     AlgorithmTable algorithms, Keys keys, Experiment& experiment) {
  SettingReader reader(table_of(document, "experiment", file), "[experiment]", file, algorithms,
                       keys);
  for_each_field(experiment, reader);
  reader.read_section(*experiment.algorithm, experiment.settings);
  reader.reject_unknown();
}

RunConfiguration read_run_configuration(const toml::table& document, const std::string& file,
                                        AlgorithmTable algorithms) {
  reject_others(document, file);
  RunConfiguration configuration;
  try {
    read_experiment(document, file, algorithms, Keys::all, configuration.experiment);
    SettingReader machine(table_of(document, "machine", file), "[machine]", file, algorithms,
                          Keys::all);
    for_each_field(configuration.machine, machine);
    machine.reject_unknown();
    configuration.experiment.validate();
    const std::uint64_t memory = configuration.machine.device_memory;
    if (memory != 0 && (memory < least_device_memory || memory > most_device_memory)) {
      throw UsageError("device_memory is " + std::to_string(memory) + ", expected 0 or " +
                       std::to_string(least_device_memory) + " to " +
                       std::to_string(most_device_memory) + " bytes");
    }
    const std::uint32_t team = configuration.machine.team.value_or(1);
    if (team == 0 || team > most_team) {
      throw UsageError("team is " + std::to_string(team) + ", expected 1 to " +
                       std::to_string(most_team));
    }
    if (configuration.machine.threads > max_threads) {
      throw UsageError("threads is " + std::to_string(configuration.machine.threads) +
                       ", expected 0 to " + std::to_string(max_threads));
    }
  } catch (const UsageError& error) {
    throw BadData(file, error.what());
  }
  return configuration;
}

}  // namespace

std::vector<ExperimentSetting> settings_of(const Experiment& experiment) {
  std::vector<ExperimentSetting> settings;
  for_each_field(experiment, [&](const char* key, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, HoldoutChoice>) {
      settings.push_back({key, value.rows.empty() ? SettingWriter::text(value) : value.summary()});
    } else {
      settings.push_back({key, SettingWriter::text(value)});
    }
  });
  for (const AlgorithmKey& key : experiment.algorithm->keys) {
    const double value = experiment.settings.at(key.name);
    settings.push_back({std::string(key.name), key.kind == KeyKind::choice
                                                   ? SettingWriter::text(key.chosen(value))
                                                   : SettingWriter::text(value)});
  }
  return settings;
}

std::string value_of(const std::vector<ExperimentSetting>& settings, const std::string& key) {
  const auto found =
      std::find_if(settings.begin(), settings.end(),
                   [&](const ExperimentSetting& setting) { return setting.key == key; });
  return found == settings.end() ? "" : found->value;
}

std::string option_of(const Experiment& experiment, const std::string& key) {
  if (key == "target") return std::string(experiment.kind().target_option);
  if (key == "attribute_bins") return "--max-bins";
  if (key == "edges") return "--topology";
  if (key == "island_settings") return "[[experiment.island_settings]]";
  std::string option = "--" + key;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

std::string differing_options(const Experiment& experiment, const Experiment& other) {
  if (experiment.algorithm->name != other.algorithm->name) return "another --preset";
  const auto here = settings_of(experiment), there = settings_of(other);
  std::vector<std::string> options;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const std::string option = "another " + option_of(experiment, here[i].key);
    const bool known = std::find(options.begin(), options.end(), option) != options.end();
    if (here[i] != there[i] && !known) options.push_back(option);
  }
  return first_three(options);
}

std::string to_toml(const Experiment& experiment) {
  SettingWriter writer;
  for_each_field(experiment, writer);
  const AlgorithmDescription& algorithm = *experiment.algorithm;
  if (!algorithm.keys.empty())
    writer.out.append("\n[experiment.").append(algorithm.name).append("]\n");
  for (const AlgorithmKey& key : algorithm.keys) {
    const std::string name(key.name);
    const double value = experiment.settings.at(key.name);
    if (key.kind == KeyKind::choice) {
      writer(name.c_str(), key.chosen(value));
    } else {
      writer(name.c_str(), value);
    }
  }
  return "[experiment]\n" + std::move(writer.out);
}

std::string to_toml(const RunConfiguration& configuration) {
  SettingWriter machine;
  for_each_field(configuration.machine, machine);
  return "# What decides the result; a run goes on only with exactly this.\n" +
         to_toml(configuration.experiment) +
         "\n# What the run works with; free to change.\n[machine]\n" + machine.out;
}

Experiment Experiment::defaults(const AlgorithmDescription& algorithm) {
  const std::string file = std::string(algorithm.name) + ".toml";
  Experiment experiment;
  read_experiment(parse_toml(algorithm.defaults, file), file, AlgorithmTable(&algorithm, 1),
                  Keys::some, experiment);
  return experiment;
}

Experiment parse_preset(std::string_view toml, const std::string& file, AlgorithmTable algorithms,
                        const Report& report) {
  toml::table document = parse_toml(toml, file);
  translate_former_names(document, file, algorithms, report);
  if (document.contains("machine"))
    return read_run_configuration(document, file, algorithms).experiment;
  reject_others(document, file);
  const toml::table& table = table_of(document, "experiment", file);
  const auto name = table["preset"].value<std::string>();
  const AlgorithmDescription* const algorithm =
      name ? algorithm_called(algorithms, *name) : nullptr;
  if (algorithm == nullptr) {
    const toml::node* const node = table.get("preset");
    throw BadToml(file, node == nullptr ? table.source() : node->source(),
                  "'preset' must name the algorithm: " + algorithm_names(algorithms));
  }
  Experiment experiment = Experiment::defaults(*algorithm);
  read_experiment(document, file, algorithms, Keys::some, experiment);
  if (experiment.time_limit > 0 && !table.contains("generations"))
    experiment.generations = endless_generations;
  return experiment;
}

RunConfiguration parse_run_configuration(std::string_view toml, const std::string& file,
                                         AlgorithmTable algorithms) {
  toml::table document = parse_toml(toml, file);
  translate_former_names(document, file, algorithms, {});
  return read_run_configuration(document, file, algorithms);
}

}  // namespace atl
