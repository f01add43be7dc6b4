// Reads an experiment's fields from TOML. Heavy: for .cpp files only.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/config/setting_writer.hpp"
#include "src/config/toml_text.hpp"

namespace atl {

/// Reads the fields of one table, each key once, and then refuses all other keys.
class SettingReader {
 public:
  enum class Keys { all, some };  ///< whether keys may be absent; their fields stay as they are

  /// @param section  what messages call the table
  SettingReader(const toml::table& table, std::string section, const std::string& file,
                AlgorithmTable algorithms, Keys keys)
      : table_(table),
        section_(std::move(section)),
        file_(file),
        algorithms_(algorithms),
        partial_(keys == Keys::some) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    const toml::node* const node = find(key, partial_ || LaterChoice<T> || key == added_later);
    if (node != nullptr) read_checked(key, *node, value);
  }
  template <typename T>
  void operator()(const char* key, std::optional<T>& value) {
    const toml::node* const node = find(key, true);
    if (node != nullptr) read_checked(key, *node, value.emplace());
  }
  /// @pre `preset`, the first of the fields, has been read
  void operator()(const char* key, std::vector<IslandSettings>& value);

  /// The section of the algorithm.
  void read_section(const AlgorithmDescription& algorithm, AlgorithmSettings& settings);
  void reject_unknown() const;

 private:
  /// Machines that former versions wrote lack this key; its default says the same.
  static constexpr std::string_view added_later = "device_memory";

  /// nullptr if the key is absent and may be
  const toml::node* find(std::string_view key, bool optional);
  template <typename T>
  void read_checked(std::string_view key, const toml::node& node, T& value) {
    key_ = key;
    try {
      read(node, value);
    } catch (const UsageError& error) {
      throw BadToml(file_, node.source(), "'" + key_ + "': " + error.what());
    }
  }
  void read_key(const AlgorithmKey& key, AlgorithmSettings& settings, bool optional);
  void read_island(const toml::node& element, IslandSettings& settings);
  std::string hint(std::string_view unknown) const;

  [[noreturn]] void fail(const toml::node& node, const std::string& expected) const;
  void read(const toml::node& node, const AlgorithmDescription*& value);
  void read(const toml::node& node, std::string& value) const;
  void read(const toml::node& node, std::uint64_t& value) const;
  void read(const toml::node& node, std::uint32_t& value) const;
  /// A number with a type of its own.
  template <typename Number>
  void read(const toml::node& node, Number& value) const
      requires(std::is_same_v<Number, HistoryInterval> || std::is_same_v<Number, Patience> ||
               std::is_same_v<Number, Repeats>) {
    std::uint32_t number = 0;
    read(node, number);
    value = Number{number};
  }
  void read(const toml::node& node, bool& value) const;
  void read(const toml::node& node, double& value) const;
  void read(const toml::node& node, SupportThreshold& value) const;
  void read(const toml::node& node, HoldoutChoice& value) const;
  void read(const toml::node& node, CheckpointInterval& value) const;
  void read(const toml::node& node, IslandRange& value) const;
  void read(const toml::node& node, std::vector<Edge>& edges) const;
  void read(const toml::node& node, std::vector<std::string>& values) const;
  void read(const toml::node& node, std::map<std::string, std::uint32_t>& values) const;
  template <typename Enum>
  void read(const toml::node& node, Enum& value) const requires requires {
    names_of(Enum{});
  }
  {
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

  const toml::table& table_;
  std::string section_;
  const std::string& file_;
  AlgorithmTable algorithms_;
  bool partial_;
  const AlgorithmDescription* algorithm_ = nullptr;
  std::string key_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace atl
