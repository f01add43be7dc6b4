#include "src/config/topology_choice.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "src/core/error.hpp"

namespace atl {
namespace {

constexpr std::pair<std::string_view, TopologyKind> kinds[] = {
    {"none", TopologyKind::none},
    {"ring", TopologyKind::ring},
    {"two-way-ring", TopologyKind::two_way_ring},
    {"torus", TopologyKind::torus},
    {"hypercube", TopologyKind::hypercube},
    {"star", TopologyKind::star},
    {"complete", TopologyKind::complete},
    {"edges", TopologyKind::edges},
};
constexpr std::string_view random_prefix = "random:";

std::optional<std::uint32_t> whole_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return number;
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

[[noreturn]] void refuse_line(const std::string& file, std::size_t line, const std::string& why) {
  throw BadData(file, "line " + std::to_string(line) + ": " + why);
}

}  // namespace

std::string topology_names() {
  std::string names;
  for (const auto& [name, kind] : kinds) {
    if (kind != TopologyKind::edges) names.append(name).append(", ");
  }
  return names + "random:K";
}

TopologyChoice parse_topology(std::string_view text) {
  for (const auto& [name, kind] : kinds) {
    if (text == name) return {kind, 0};
  }
  if (text.starts_with(random_prefix)) {
    const auto sources = whole_number(text.substr(random_prefix.size()));
    if (sources && *sources > 0) return {TopologyKind::random, *sources};
  }
  throw UsageError("'" + printable(std::string(text)) + "', expected " + topology_names() +
                   " (K sources each) or edges");
}

std::vector<Edge> parse_edges(std::string_view text, const std::string& file) {
  std::map<Edge, std::size_t> lines;  // where each is
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    const auto from = whole_number(words[0]);
    const auto to = words.size() == 2 ? whole_number(words[1]) : std::nullopt;
    if (!from || !to) refuse_line(file, line, "expected two numbers of islands, from and to");
    if (*from == *to) refuse_line(file, line, "island " + std::to_string(*from) + " to itself");
    const auto [before, added] = lines.try_emplace({*from, *to}, line);
    if (!added) {
      refuse_line(file, line, "the same edge as in line " + std::to_string(before->second));
    }
  }
  if (lines.empty()) throw BadData(file, "no edge, expected lines of two islands, from and to");
  std::vector<Edge> edges;
  for (const auto& [edge, line] : lines) edges.push_back(edge);
  return edges;
}

}  // namespace atl
