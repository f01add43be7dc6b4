#include "src/config/setting_reader.hpp"

#include <limits>

#include "src/core/error.hpp"

namespace atl {

const toml::node* SettingReader::find(std::string_view key, bool optional) {
  known_.emplace(key);
  const toml::node* const node = table_.get(key);
  if (node == nullptr && !optional) {
    throw BadToml(file_, table_.source(),
                  "key '" + std::string(key) + "' is missing in " + section_);
  }
  return node;
}

void SettingReader::operator()(const char* key, std::vector<IslandSettings>& value) {
  const toml::node* const node = find(key, true);
  if (node == nullptr) return;
  key_ = key;
  if (!node->is_array()) fail(*node, "a list of tables");
  value.clear();
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_table()) fail(element, "a list of tables");
    read_island(element, value.emplace_back());
  }
}

void SettingReader::read_island(const toml::node& element, IslandSettings& settings) {
  const toml::table& table = *element.as_table();
  if (!table.contains("islands")) {
    throw BadToml(file_, element.source(), "key 'islands' is missing in island_settings");
  }
  SettingReader reader(table, "island_settings", file_, algorithms_, Keys::some);
  for_each_field(settings, reader);
  for (const AlgorithmKey& key : algorithm_->keys) {
    if (key.by_island) reader.read_key(key, settings.settings, true);
  }
  reader.reject_unknown();
}

void SettingReader::read_section(const AlgorithmDescription& algorithm,
                                 AlgorithmSettings& settings) {
  const std::string section = "[experiment." + std::string(algorithm.name) + "]";
  const toml::node* const node = table_.get(algorithm.name);
  known_.emplace(algorithm.name);
  if (node == nullptr && (partial_ || algorithm.keys.empty())) return;
  if (node == nullptr) throw BadToml(file_, table_.source(), "table " + section + " is missing");
  key_ = algorithm.name;
  if (!node->is_table()) fail(*node, "a table");
  SettingReader reader(*node->as_table(), section, file_, algorithms_,
                       partial_ ? Keys::some : Keys::all);
  for (const AlgorithmKey& key : algorithm.keys) reader.read_key(key, settings, partial_);
  reader.reject_unknown();
}

void SettingReader::read_key(const AlgorithmKey& key, AlgorithmSettings& settings, bool optional) {
  const toml::node* const node = find(key.name, optional || key.formerly);
  if (node == nullptr) {
    if (!optional) settings.set(key, *key.formerly);
    return;
  }
  double value = 0;
  if (key.kind == KeyKind::share || key.kind == KeyKind::cost) {
    read_checked(key.name, *node, value);
  } else if (key.kind != KeyKind::choice) {
    std::uint32_t whole = 0;
    read_checked(key.name, *node, whole);
    value = whole;
  }
  try {
    if (key.kind == KeyKind::choice) {
      std::string name;
      read_checked(key.name, *node, name);
      value = key.choice_called(name);
    }
    settings.set(key, value);
  } catch (const UsageError& error) {
    throw BadToml(file_, node->source(), "'" + std::string(key.name) + "' " + error.what());
  }
}

void SettingReader::reject_unknown() const {
  for (const auto& [key, node] : table_) {
    if (known_.contains(key.str())) continue;
    throw BadToml(
        file_, node.source(),
        "unknown key '" + printable(std::string(key.str())) + "' in " + section_ + hint(key.str()));
  }
}

/// Says what the key is, if another algorithm knows it.
std::string SettingReader::hint(std::string_view unknown) const {
  const auto named = std::find_if(algorithms_.begin(), algorithms_.end(),
                                  [&](const auto& one) { return one.name == unknown; });
  if (named != algorithms_.end()) return ", whose preset is another";
  const std::string takers = algorithm_names(algorithms_, unknown);
  return takers.empty() ? "" : "; it is a key of " + takers;
}

void SettingReader::fail(const toml::node& node, const std::string& expected) const {
  throw BadToml(file_, node.source(), "'" + key_ + "' must be " + expected);
}

void SettingReader::read(const toml::node& node, const AlgorithmDescription*& value) {
  std::string name;
  read(node, name);
  value = algorithm_called(algorithms_, name);
  if (value == nullptr) {
    throw BadToml(file_, node.source(),
                  "'" + key_ + "' must name the algorithm: " + algorithm_names(algorithms_));
  }
  algorithm_ = value;
}

void SettingReader::read(const toml::node& node, std::string& value) const {
  if (!node.is_string()) fail(node, "a string");
  value = node.as_string()->get();
}

void SettingReader::read(const toml::node& node, std::uint64_t& value) const {
  const auto* integer = node.as_integer();
  if (integer == nullptr || integer->get() < 0) fail(node, "a whole number, not negative");
  value = static_cast<std::uint64_t>(integer->get());
}

void SettingReader::read(const toml::node& node, std::uint32_t& value) const {
  std::uint64_t wide = 0;
  read(node, wide);
  if (wide > std::numeric_limits<std::uint32_t>::max()) fail(node, "below 2^32");
  value = static_cast<std::uint32_t>(wide);
}

void SettingReader::read(const toml::node& node, bool& value) const {
  if (!node.is_boolean()) fail(node, "true or false");
  value = node.as_boolean()->get();
}

void SettingReader::read(const toml::node& node, double& value) const {
  if (!node.is_number()) fail(node, "a number");
  value = node.is_integer() ? static_cast<double>(node.as_integer()->get())
                            : node.as_floating_point()->get();
}

void SettingReader::read(const toml::node& node, SupportThreshold& value) const {
  if (!node.is_string()) fail(node, "a string, such as \"0.01\", \"1%\" or \"500rows\"");
  value = SupportThreshold::parse(node.as_string()->get());
}

void SettingReader::read(const toml::node& node, HoldoutChoice& value) const {
  value = {};
  if (node.is_string()) {
    value = HoldoutChoice::parse_setting(node.as_string()->get());
  } else {
    read(node, value.share);
  }
}

void SettingReader::read(const toml::node& node, CheckpointInterval& value) const {
  std::string text;
  read(node, text);
  value = CheckpointInterval::parse(text);
}

void SettingReader::read(const toml::node& node, IslandRange& value) const {
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

void SettingReader::read(const toml::node& node, std::vector<Edge>& edges) const {
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

void SettingReader::read(const toml::node& node, std::vector<std::string>& values) const {
  if (!node.is_array()) fail(node, "a list of strings");
  values.clear();
  for (const toml::node& element : *node.as_array()) read(element, values.emplace_back());
}

void SettingReader::read(const toml::node& node,
                         std::map<std::string, std::uint32_t>& values) const {
  if (!node.is_table()) fail(node, "a table of numbers");
  values.clear();
  for (const auto& [key, element] : *node.as_table()) {
    read(element, values[std::string(key.str())]);
  }
}

}  // namespace atl
