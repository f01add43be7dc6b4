// The run configuration as TOML.
#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "src/config/experiment.hpp"
#include "src/config/experiment_fields.hpp"
#include "src/config/experiment_settings.hpp"
#include "src/config/presets.hpp"
#include "src/config/toml_text.hpp"
#include "src/core/number.hpp"

namespace atl {

namespace {

/// Of a key that is younger than others and not written where all is as ever: the first choice.
template <typename T>
concept YoungChoice = std::is_same_v<T, Migration> || std::is_same_v<T, DefinitionChoice>;

struct Writer {
  std::string out;

  template <typename T>
  void operator()(const char* key, const T& value) {
    out += std::string(key) + " = " + text(value) + "\n";
  }

  template <typename T>
  void operator()(const char* key, const std::optional<T>& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (value) out += std::string(key) + " = " + toml_string(*value) + "\n";
    } else {
      if (value) (*this)(key, *value);
    }
  }
  template <YoungChoice T>
  void operator()(const char* key, const T& value) {
    if (value != T{}) out += std::string(key) + " = " + text(value) + "\n";
  }
  void operator()(const char* key, const std::vector<IslandSettings>& value) {
    if (!value.empty()) out += std::string(key) + " = " + text(value) + "\n";
  }

  static std::string text(std::uint64_t value) { return std::to_string(value); }
  static std::string text(std::uint32_t value) { return std::to_string(value); }
  static std::string text(bool value) { return value ? "true" : "false"; }
  static std::string text(const std::optional<bool>& value) {
    return value ? text(*value) : "auto";
  }
  static std::string text(double value) { return format_number(value); }
  static std::string text(const std::string& value) {
    const bool lines = value.find('\n') != std::string::npos;
    return toml_string(value, lines ? TomlLines::several : TomlLines::one);
  }
  static std::string text(const SupportThreshold& value) { return text(value.to_string()); }
  static std::string text(const CheckpointInterval& value) { return text(value.to_string()); }
  static std::string text(const IslandRange& value) { return text(value.to_string()); }
  template <typename Enum>
  static std::string text(Enum value) requires(std::is_enum_v<Enum>) {
    return text(std::string(names_of(value)[static_cast<std::size_t>(value)]));
  }
  static std::string text(const std::vector<Edge>& edges) {
    std::string list;
    for (const Edge& edge : edges) {
      list += (list.empty() ? "[" : ", [") + text(edge.from) + ", " + text(edge.to) + "]";
    }
    return "[" + list + "]";
  }
  static std::string text(const std::vector<std::string>& values) {
    std::string list;
    for (const auto& value : values) list += (list.empty() ? "" : ", ") + toml_string(value);
    return "[" + list + "]";
  }
  // Inline tables, which are to have no line breaks.
  static std::string text(const std::vector<IslandSettings>& values) {
    std::string list;
    for (const IslandSettings& settings : values) {
      Writer its;
      for_each_field(settings, its);
      its.out.pop_back();
      for (auto at = its.out.find('\n'); at != std::string::npos; at = its.out.find('\n', at)) {
        its.out.replace(at, 1, ", ");
      }
      list += (list.empty() ? "{ " : ", { ") + its.out + " }";
    }
    return "[" + list + "]";
  }
  static std::string text(const std::map<std::string, std::uint32_t>& values) {
    std::string list;
    for (const auto& [name, value] : values) {
      list += (list.empty() ? " " : ", ") + toml_string(name) + " = " + std::to_string(value);
    }
    return "{" + list + " }";
  }
};

/// The key that configurations of former versions lack; without it what it says is as it was.
constexpr std::string_view added_since = "device_memory";

/// Reads the fields of one table; each key must be there, but for that one, and no other.
class Reader {
 public:
  Reader(const toml::table& document, const char* section, const std::string& file)
      : section_(std::string("[") + section + "]"), file_(file) {
    const toml::node* node = document.get(section);
    if (node == nullptr || !node->is_table()) {
      throw BadData(file, "table " + section_ + " is missing");
    }
    table_ = node->as_table();
  }
  /// Of a preset: keys may be absent, and leave what is there.
  Reader(const toml::table& preset, const std::string& file)
      : table_(&preset), section_("a preset"), file_(file), partial_(true) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    known_.insert(key);
    const toml::node* node = table_->get(key);
    if (node == nullptr) {
      if (partial_ || YoungChoice<T> || key == added_since) return;
      throw BadToml(file_, table_->source(),
                    "key '" + std::string(key) + "' is missing in " + section_);
    }
    key_ = key;
    try {
      read(*node, value);
    } catch (const UsageError& error) {
      throw BadToml(file_, node->source(), "'" + key_ + "': " + error.what());
    }
  }

  template <typename T>
  void operator()(const char* key, std::optional<T>& value) {
    if (table_->contains(key)) {
      (*this)(key, value.emplace());
    } else {
      known_.insert(key);
    }
  }
  void operator()(const char* key, std::vector<IslandSettings>& value) {
    known_.insert(key);
    const toml::node* node = table_->get(key);
    if (node == nullptr) return;
    key_ = key;
    if (!node->is_array()) fail(*node, "a list of tables");
    value.clear();
    for (const toml::node& element : *node->as_array()) {
      if (!element.is_table()) fail(element, "a list of tables");
      Reader reader(*element.as_table(), file_);
      reader.section_ = "island_settings";
      if (!element.as_table()->contains("islands")) {
        throw BadToml(file_, element.source(), "key 'islands' is missing in island_settings");
      }
      for_each_field(value.emplace_back(), reader);
      reader.reject_unknown();
    }
  }

  void reject_unknown() const {
    for (const auto& [key, node] : *table_) {
      if (known_.contains(std::string(key.str()))) continue;
      throw BadToml(file_, node.source(),
                    "unknown key '" + printable(std::string(key.str())) + "' in " + section_);
    }
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& expected) const {
    throw BadToml(file_, node.source(), "'" + key_ + "' must be " + expected);
  }
  void read(const toml::node& node, std::string& value) const {
    if (!node.is_string()) fail(node, "a string");
    value = node.as_string()->get();
  }
  void read(const toml::node& node, std::uint64_t& value) const {
    const auto* integer = node.as_integer();
    if (integer == nullptr || integer->get() < 0) fail(node, "a whole number, not negative");
    value = static_cast<std::uint64_t>(integer->get());
  }
  void read(const toml::node& node, std::uint32_t& value) const {
    std::uint64_t wide = 0;
    read(node, wide);
    if (wide > std::numeric_limits<std::uint32_t>::max()) fail(node, "below 2^32");
    value = static_cast<std::uint32_t>(wide);
  }
  void read(const toml::node& node, bool& value) const {
    if (!node.is_boolean()) fail(node, "true or false");
    value = node.as_boolean()->get();
  }
  void read(const toml::node& node, double& value) const {
    if (!node.is_number()) fail(node, "a number");
    value = node.is_integer() ? static_cast<double>(node.as_integer()->get())
                              : node.as_floating_point()->get();
  }
  void read(const toml::node& node, SupportThreshold& value) const {
    if (!node.is_string()) fail(node, "a string, such as \"0.01\", \"1%\" or \"500rows\"");
    value = SupportThreshold::parse(node.as_string()->get());
  }
  void read(const toml::node& node, CheckpointInterval& value) const {
    std::string text;
    read(node, text);
    value = CheckpointInterval::parse(text);
  }
  void read(const toml::node& node, IslandRange& value) const {
    std::uint32_t island = 0;
    if (node.is_string()) {
      value = IslandRange::parse(node.as_string()->get());
    } else if (node.is_integer()) {
      read(node, island);
      value = {island, island};
    } else {
      fail(node, "an island or a range of islands, such as 3 or \"4-7\"");
    }
  }
  template <typename Enum>
  void read(const toml::node& node, Enum& value) const requires(std::is_enum_v<Enum>) {
    const auto names = names_of(value);
    std::string text;
    read(node, text);
    std::string expected;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (text == names[i]) {
        value = static_cast<Enum>(i);
        return;
      }
      expected += (i == 0 ? "\"" : i + 1 == names.size() ? " or \"" : ", \"");
      expected.append(names[i]).append("\"");
    }
    fail(node, expected);
  }
  void read(const toml::node& node, std::vector<Edge>& edges) const {
    if (!node.is_array()) fail(node, "a list of pairs of islands, [[0, 1], [1, 2]]");
    edges.clear();
    for (const toml::node& element : *node.as_array()) {
      const toml::array* pair = element.as_array();
      if (pair == nullptr || pair->size() != 2) fail(element, "pairs of islands, [from, to]");
      Edge& edge = edges.emplace_back();
      read((*pair)[0], edge.from);
      read((*pair)[1], edge.to);
    }
    std::sort(edges.begin(), edges.end());
  }
  void read(const toml::node& node, std::vector<std::string>& values) const {
    if (!node.is_array()) fail(node, "a list of strings");
    values.clear();
    for (const toml::node& element : *node.as_array()) read(element, values.emplace_back());
  }
  void read(const toml::node& node, std::map<std::string, std::uint32_t>& values) const {
    if (!node.is_table()) fail(node, "a table of numbers");
    values.clear();
    for (const auto& [key, element] : *node.as_table()) {
      read(element, values[std::string(key.str())]);
    }
  }

  const toml::table* table_ = nullptr;
  std::string section_;
  const std::string& file_;
  bool partial_ = false;
  std::string key_;
  std::set<std::string> known_;
};

}  // namespace

std::vector<ExperimentSetting> settings_of(const Experiment& experiment) {
  std::vector<ExperimentSetting> settings;
  for_each_field(experiment, [&](const char* key, const auto& value) {
    settings.push_back({key, Writer::text(value)});
  });
  return settings;
}

std::string to_toml(const Experiment& experiment) {
  Writer writer;
  for_each_field(experiment, writer);
  return std::move(writer.out);
}

std::string to_toml(const RunConfiguration& configuration) {
  Writer machine;
  for_each_field(configuration.machine, machine);
  return "# What decides the result; a run goes on only with exactly this.\n[experiment]\n" +
         to_toml(configuration.experiment) +
         "\n# What the run works with; free to change.\n[machine]\n" + machine.out;
}

Experiment Experiment::defaults(std::string_view name) {
  const std::string file = std::string(name) + ".toml";
  const toml::table document = parse_toml(builtin_preset(name).toml, file);
  Experiment experiment;
  Reader reader(document, file);
  for_each_field(experiment, reader);
  reader.reject_unknown();
  return experiment;
}

Experiment parse_preset(std::string_view toml, const std::string& file) {
  const toml::table document = parse_toml(toml, file);
  if (document.contains("experiment")) return parse_run_configuration(toml, file).experiment;
  const auto name = document["preset"].value<std::string>();
  if (!name || !is_builtin_preset(*name)) {
    const toml::node* const node = document.get("preset");
    throw BadToml(file, node == nullptr ? document.source() : node->source(),
                  "'preset' must name the algorithm: niching or g3parm");
  }
  Experiment experiment = Experiment::defaults(*name);
  Reader reader(document, file);
  for_each_field(experiment, reader);
  reader.reject_unknown();
  return experiment;
}

RunConfiguration parse_run_configuration(std::string_view toml, const std::string& file) {
  const toml::table document = parse_toml(toml, file);
  for (const auto& [key, node] : document) {
    if (key == "experiment" || key == "machine") continue;
    throw BadToml(file, node.source(), "unknown key '" + printable(std::string(key.str())) + "'");
  }
  RunConfiguration configuration;
  try {
    Reader experiment(document, "experiment", file);
    for_each_field(configuration.experiment, experiment);
    experiment.reject_unknown();
    Reader machine(document, "machine", file);
    for_each_field(configuration.machine, machine);
    machine.reject_unknown();
    configuration.experiment.validate();
    const std::uint64_t memory = configuration.machine.device_memory;
    if (memory != 0 && (memory < least_device_memory || memory > most_device_memory)) {
      throw UsageError("device_memory is " + std::to_string(memory) + ", expected 0 or " +
                       std::to_string(least_device_memory) + " to " +
                       std::to_string(most_device_memory) + " bytes");
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

}  // namespace atl
