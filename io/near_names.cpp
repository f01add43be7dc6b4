#include "io/near_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Insertions, deletions and substitutions between two texts, ASCII case aside.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({change, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(const std::string& name, const std::vector<std::string>& names) {
  const std::size_t most = (name.size() + 1) / 3;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : names) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) > most) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= most) near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  if (near.size() > 3) near.resize(3);
  if (near.empty()) {
    std::vector<std::string> all;
    all.reserve(names.size());
    for (const std::string& candidate : names) all.push_back(in_quotes(candidate));
    return ", expected one of " + listed(all);
  }
  std::string text = ", did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += " or ";
    text += in_quotes(near[i].second);
  }
  return text + "?";
}

std::string in_quotes(const std::string& name) {
  std::string text(1, '\'');
  text += printable(name);
  text += '\'';
  return text;
}

std::string listed(const std::vector<std::string>& items) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) {
    if (i > 0) text += ", ";
    text += items[i];
  }
  if (items.size() > most) text += " and " + std::to_string(items.size() - most) + " more";
  return text;
}

}  // namespace atl::io
