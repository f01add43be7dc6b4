#include "src/data/presence.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace atl {
namespace {

struct LabelPair {
  std::string_view absent, there;
};
constexpr std::array<LabelPair, 7> pairs{{{"0", "1"},
                                          {"no", "yes"},
                                          {"n", "y"},
                                          {"false", "true"},
                                          {"f", "t"},
                                          {"absent", "present"},
                                          {"-", "+"}}};

/// @param word  in lower case
bool is(std::string_view label, std::string_view word) noexcept {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(label.begin(), label.end(), word.begin(), word.end(),
                    [&](char a, char b) { return lower(a) == b; });
}

}  // namespace

std::optional<std::uint32_t> presence_code(const Attribute& attribute) noexcept {
  if (attribute.distinct() != 2 || attribute.binned()) return std::nullopt;
  if (is_date(attribute.kind)) return std::nullopt;
  if (attribute.kind == AttributeKind::numeric) {
    if (attribute.low[0] != 0 || attribute.low[1] != 1) return std::nullopt;
    return 1;
  }
  for (const auto& [absent, there] : pairs) {
    for (std::uint32_t code = 0; code < 2; ++code)
      if (is(attribute.labels[code], there) && is(attribute.labels[1 - code], absent)) return code;
  }
  return std::nullopt;
}

bool PresenceSummary::lists_items() const noexcept {
  constexpr std::uint64_t least_attributes = 8;
  return attributes >= least_attributes && attributes * 10 >= varied * 9 && there < rows / 10;
}

PresenceSummary summarise_presence(std::span<const Attribute> attributes) noexcept {
  PresenceSummary summary;
  for (const Attribute& attribute : attributes) {
    if (attribute.distinct() < 2) continue;
    ++summary.varied;
    const auto code = presence_code(attribute);
    if (!code) continue;
    ++summary.attributes;
    if (attribute.counts.size() != attribute.distinct()) continue;
    summary.there += attribute.counts[*code];
    summary.rows +=
        std::accumulate(attribute.counts.begin(), attribute.counts.end(), attribute.missing);
  }
  return summary;
}

}  // namespace atl
