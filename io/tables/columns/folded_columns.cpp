#include "io/tables/columns/folded_columns.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "src/core/text/ascii.hpp"

namespace atl::io {
namespace {

constexpr std::size_t least_folded = 2;

bool is_separator(char c) noexcept {
  return one_hot_separators.find(c) != std::string_view::npos;
}

/// What follows the attribute's name in those that begin with it, by column.
using Rests = std::map<std::size_t, std::string>;

Rests rests_of(const std::string& name, const std::vector<std::string>& names,
               const std::set<std::string>& needed) {
  Rests separated, numbered;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].starts_with(name) || needed.count(names[i]) > 0) continue;
    const std::string rest = names[i].substr(name.size());
    if (rest.size() > 1 && is_separator(rest.front())) separated.emplace(i, rest);
    if (are_digits(rest)) numbered.emplace(i, rest);
  }
  return separated.empty() ? numbered : separated;
}

/// Separators that all of them begin with, but for one more character.
std::size_t common_separators(const Rests& rests) {
  const std::string& first = rests.begin()->second;
  std::size_t length = 0;
  const auto all_have_it = [&] {
    return std::all_of(rests.begin(), rests.end(), [&](const auto& rest) {
      return rest.second.size() > length + 1 && rest.second[length] == first[length];
    });
  };
  while (is_separator(first[length]) && all_have_it()) ++length;
  return length;
}

}  // namespace

std::vector<OneHotGroup> folded_before(const std::vector<std::string>& names,
                                       const std::vector<NeededColumn>& needed) {
  std::set<std::string> needed_names;
  for (const NeededColumn& column : needed) needed_names.insert(column.name);
  const std::set<std::string> there(names.begin(), names.end());
  std::vector<OneHotGroup> found;
  for (const NeededColumn& column : needed) {
    const bool labels = column.kind == AttributeKind::nominal;
    if (!column.required || !labels || there.count(column.name) > 0) continue;
    const Rests rests = rests_of(column.name, names, needed_names);
    if (rests.size() < least_folded) continue;
    const std::size_t separators = common_separators(rests);
    std::map<std::string, std::size_t> by_label;
    for (const auto& [i, rest] : rests) by_label.emplace(rest.substr(separators), i);
    OneHotGroup& folded = found.emplace_back();
    folded.name = column.name;
    for (const auto& [label, i] : by_label) {
      folded.labels.push_back(label);
      folded.columns.push_back(i);
    }
  }
  return found;
}

}  // namespace atl::io
