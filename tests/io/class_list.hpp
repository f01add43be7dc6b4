// A decision list that says all that lists can, on attributes that are hard to write.
#pragma once

#include <cstdint>
#include <vector>

#include "src/eval/rule_set_scorer.hpp"
#include "src/measures/class_probabilities.hpp"
#include "src/rules/rule_set_text.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {

inline std::vector<Attribute> orchard() {
  return {with_missing(numeric("height", {1.9, 3, 4.5})),
          with_missing(nominal("a <\"b\"> & c", {"<&>", "it's \"so\"", "\xC3\xA9t\xC3\xA9"})),
          ordinal("size", {"small", "medium", "large"}),
          nominal("unused", {"x", "y"}),
          dated("planted", AttributeKind::date, {0, 1, 2}),
          nominal("class", {"apple", "pear & co"})};
}

inline constexpr std::uint32_t orchard_class = 5;

inline RuleSet orchard_list() {
  const std::vector<Attribute> attributes = orchard();
  return parse_rule_set(
      "if height <= 2.45 AND size > small then class = \"pear & co\"\n"
      "else if NOT (\"a <\\\"b\\\"> & c\" = <&>) OR planted in [1970-01-02, 1970-01-02] then class "
      "= "
      "apple\n"
      "else class = \"pear & co\"\n",
      attributes, attributes[orchard_class], "test");
}

inline RuleSetCounts orchard_counts() {
  return {{1, 4, 6, 2}, {1, 4, 5, 0, 0, 2}};
}

inline Smoothing orchard_smoothing() {
  return {2, class_shares(orchard_counts().decided, 2)};  // the shares are a half
}

}  // namespace atl::test
