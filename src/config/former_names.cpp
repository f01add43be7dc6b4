#include "src/config/former_names.hpp"

#include <array>
#include <utility>

#include "src/core/error.hpp"

namespace atl {
namespace {

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

}  // namespace

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

}  // namespace atl
