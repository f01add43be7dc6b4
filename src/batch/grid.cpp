#include "src/batch/grid.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace atl {
namespace {

constexpr std::size_t most_runs = 10000;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// First and last of "1-4".
std::optional<std::pair<std::uint64_t, std::uint64_t>> range(const toml::node& node) {
  if (!node.is_string()) return {};
  const std::string& text = node.as_string()->get();
  const std::size_t dash = text.find('-');
  if (dash == std::string::npos) return {};
  const auto first = whole_number(std::string_view(text).substr(0, dash));
  const auto last = whole_number(std::string_view(text).substr(dash + 1));
  if (!first || !last || *first > *last) return {};
  return std::pair(*first, *last);
}

std::vector<Setting> values_of(const std::string& key, const toml::node& node,
                               const std::string& file) {
  std::vector<Setting> values;
  if (const auto numbers = range(node)) {
    if (numbers->second - numbers->first >= most_runs)
      throw BadToml(file, node.source(), key + ": more than 10000 values");
    const std::uint64_t count = numbers->second - numbers->first + 1;  // small, so it is exact
    for (std::uint64_t i = 0; i < count; ++i) {
      values.push_back({key, &node, std::to_string(numbers->first + i)});
    }
    return values;
  }
  if (!node.is_array() || node.as_array()->empty()) {
    throw BadToml(file, node.source(),
                  key + ": expected a list of values, or a range such as \"1-4\"");
  }
  for (const toml::node& element : *node.as_array()) values.push_back({key, &element, ""});
  return values;
}

bool is_before(const toml::source_position& a, const toml::source_position& b) {
  return std::pair(a.line, a.column) < std::pair(b.line, b.column);
}

}  // namespace

std::vector<std::vector<Setting>> combinations(const toml::table& array, const std::string& file) {
  std::vector<std::vector<Setting>> axes;
  std::size_t runs = 1;
  for (const auto& [key, node] : array) {
    axes.push_back(values_of(std::string(key.str()), node, file));
    runs *= axes.back().size();
    if (runs > most_runs) throw BadToml(file, array.source(), "more than 10000 combinations");
  }
  if (axes.empty()) throw BadToml(file, array.source(), "[array] has no option that varies");
  std::sort(axes.begin(), axes.end(), [](const auto& a, const auto& b) {
    return is_before(a.front().value->source().begin, b.front().value->source().begin);
  });
  std::vector<std::vector<Setting>> all(1);
  for (const auto& axis : axes) {
    std::vector<std::vector<Setting>> longer;
    for (const auto& combination : all) {
      for (const Setting& setting : axis) {
        longer.push_back(combination);
        longer.back().push_back(setting);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::string combination_name(const std::vector<std::string>& typed_options) {
  std::string name;
  for (const std::string& option : typed_options) {
    if (!name.empty()) name += '_';
    for (const char c : option.substr(2)) {
      const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '%' || c == ',' ||
                        c == '_';
      name += kept ? c : '-';
    }
  }
  return name;
}

}  // namespace atl
