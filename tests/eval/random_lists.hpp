// Random decision lists for property tests; the same for a seed on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "src/rules/rule_set.hpp"
#include "tests/support/random.hpp"

namespace atl::test {

/// A table whose last attribute is the class, with missing values if wanted.
inline RandomTable classified_table(std::uint64_t seed, std::uint64_t rows, std::uint32_t classes,
                                    bool missing) {
  RandomTable table = random_table(seed, rows, 8, missing);
  RandomStream stream({seed, 2, 0, 0, Purpose::test});
  Attribute label;
  label.name = "class";
  label.kind = AttributeKind::nominal;
  for (std::uint32_t c = 0; c < classes; ++c) label.labels.push_back("c" + std::to_string(100 + c));
  label.exact_distinct = classes;
  label.counts.resize(classes);
  std::vector<std::uint32_t> column(rows);
  for (std::uint32_t& cell : column) {  // the first classes are more frequent
    cell = static_cast<std::uint32_t>(std::min(stream.below(classes), stream.below(classes)));
    if (missing && stream.chance(0.1)) cell = missing_code;
    if (cell == missing_code) {
      ++label.missing;
    } else {
      ++label.counts[cell];
    }
  }
  label.has_missing = label.missing != 0;
  table.attributes.push_back(label);
  table.columns.push_back(std::move(column));
  return table;
}

/// Of 0 to most_rules rules with antecedents of any shape. Some antecedents are empty, some stand
/// in several places and lists.
inline std::vector<RuleSet> random_lists(std::uint64_t seed, std::size_t count,
                                         std::span<const Attribute> attributes,
                                         std::uint32_t most_rules,
                                         std::uint32_t most_comparisons = 8) {
  const auto inputs = attributes.first(attributes.size() - 1);
  const std::uint32_t classes = attributes.back().distinct();
  std::vector<Expression> pool;
  std::vector<RuleSet> lists(count);
  for (std::uint32_t l = 0; l < count; ++l) {
    RandomStream stream({seed, 3, 0, l, Purpose::test});
    const std::uint64_t rules = stream.below(most_rules + 1);
    for (std::uint64_t r = 0; r < rules; ++r) {
      ClassRule& rule = lists[l].rules.emplace_back();
      rule.label = static_cast<std::uint32_t>(stream.below(classes));
      if (!pool.empty() && stream.chance(0.3)) {
        rule.antecedent = pool[stream.below(pool.size())];
      } else if (!stream.chance(0.05)) {
        rule.antecedent = random_rule(stream, inputs, most_comparisons).antecedent;
      }
      pool.push_back(rule.antecedent);
    }
    lists[l].default_class = static_cast<std::uint32_t>(stream.below(classes));
  }
  return lists;
}

}  // namespace atl::test
