// Writes an experiment's fields as TOML. For experiment_toml.cpp alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/config/experiment_fields.hpp"
#include "src/config/toml_text.hpp"
#include "src/core/text/number.hpp"

namespace atl {

/// Type of a key that was added later. It is omitted at its default, so that older files are read.
template <typename T>
concept LaterChoice = std::is_same_v<T, Migration> || std::is_same_v<T, DefinitionChoice> ||
    std::is_same_v<T, ListOrder> || std::is_same_v<T, HistoryInterval> ||
    std::is_same_v<T, Patience> || std::is_same_v<T, Repeats> || std::is_same_v<T, TeamSplit>;

/// Writes fields as lines of TOML.
struct SettingWriter {
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
  template <LaterChoice T>
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
  static std::string text(const std::optional<std::uint64_t>& value) {
    return value ? text(*value) : "none";
  }
  static std::string text(HistoryInterval value) { return text(static_cast<std::uint32_t>(value)); }
  static std::string text(Repeats value) { return text(static_cast<std::uint32_t>(value)); }
  static std::string text(Patience value) { return text(static_cast<std::uint32_t>(value)); }
  static std::string text(double value) { return plain_number(value); }
  static std::string text(const AlgorithmDescription* algorithm) {
    return text(std::string(algorithm->name));
  }
  static std::string text(const std::string& value) {
    const bool lines = value.find('\n') != std::string::npos;
    return toml_string(value, lines ? TomlLines::several : TomlLines::one);
  }
  static std::string text(const SupportThreshold& value) { return text(value.to_string()); }
  static std::string text(const HoldoutChoice& value) {
    return value.condition.empty() && value.rows.empty() ? text(value.share) : text(value.text());
  }
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
  // Inline tables, which must not have line breaks.
  static std::string text(const std::vector<IslandSettings>& values) {
    std::string list;
    for (const IslandSettings& settings : values) {
      SettingWriter its;
      for_each_field(settings, its);
      for (const auto& [key, value] : settings.settings) its(key.c_str(), value);
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

}  // namespace atl
