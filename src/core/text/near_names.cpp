#include "src/core/text/near_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"

namespace atl {
namespace {

/// Insertions, deletions, substitutions and swaps of neighbours between two texts, ASCII case
/// aside. Rows of the table of prefixes: row[j] for the first i of a and the first j of b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1), before, before_that;
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_that = std::exchange(before, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({before[j - 1] + (same ? 0 : 1), before[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_that[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> near_names(const std::string& name,
                                    const std::vector<std::string>& names) {
  constexpr std::size_t longest = 200;  // takes the product of two lengths
  if (name.size() > longest) return {};
  const std::size_t most = (name.size() + 1) / 3;
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : names) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) > most) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= most) found.emplace_back(distance, candidate);
  }
  std::sort(found.begin(), found.end());
  if (found.size() > 3) found.resize(3);
  std::vector<std::string> near;
  near.reserve(found.size());
  for (auto& entry : found) near.push_back(std::move(entry.second));
  return near;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
  const std::vector<std::string> near = near_names(name, names);
  if (near.empty()) {
    std::vector<std::string> all;
    all.reserve(names.size());
    for (const std::string& candidate : names) all.push_back(in_quotes(candidate));
    return ", expected one of " + listed(all);
  }
  std::string text = ", did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += " or ";
    text += in_quotes(near[i]);
  }
  return text + "?";
}

std::string in_quotes(const std::string& name) {
  std::string text(1, '\'');
  text += printable(name);
  text += '\'';
  return text;
}

std::string counted(std::uint64_t count, const std::string& noun) {
  std::string text = std::to_string(count);
  text.append(" ").append(noun);
  return count == 1 ? text : text + "s";
}

std::string first_three(const std::vector<std::string>& words) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) {
    text.append(i == 0 ? "" : ", ").append(words[i]);
  }
  return words.size() > most ? text + " and more" : text;
}

std::string alternatives(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text.append(i == 0 ? "" : i + 1 == words.size() ? " or " : ", ").append(words[i]);
  }
  return text;
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), most_listed); ++i) {
    if (i > 0) text += ", ";
    text += items[i];
  }
  if (items.size() > most_listed) {
    text += " and " + std::to_string(items.size() - most_listed) + " more";
  }
  return text;
}

std::string missing_column(const std::string& name, const std::vector<std::string>& there) {
  const std::string quoted = in_quotes(name);
  std::string text = "column " + quoted + " is missing: the table has no attribute " + quoted;
  if (there.empty()) return text;
  if (!near_names(name, there).empty()) return text + suggestion(name, there);
  std::vector<std::string> others;
  for (const std::string& other : there) others.push_back(in_quotes(other));
  return text + "; it has " + listed(others);
}

}  // namespace atl
