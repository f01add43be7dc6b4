// A small table with a rule hidden in it, and what it takes to mine it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "islands/algorithm.hpp"
#include "src/config/experiment.hpp"
#include "src/core/random.hpp"
#include "src/data/dataset.hpp"
#include "src/grammar/grammar.hpp"
#include "src/rules/rule.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {

inline std::string numbered(char letter, std::uint32_t number) {
  std::string name(1, letter);
  name += std::to_string(number);
  return name;
}

/// Attributes 0 to 3 are numeric with 40 values, 4 to 7 nominal with 5; all are independent and
/// uniform, but for the rule `x0 in [12, 19] AND c4 = l2 => c5 = l1` of confidence 0.92. With
/// `missing`, x3 and c7 lack a tenth of their values.
inline Dataset planted_table(std::uint64_t rows, bool missing = false) {
  constexpr std::uint32_t numeric = 4;
  std::vector<Attribute> attributes(8);
  std::vector<std::vector<std::uint32_t>> columns(8);
  for (std::uint32_t a = 0; a < 8; ++a) {
    Attribute& attribute = attributes[a];
    const bool is_numeric = a < numeric;
    const std::uint32_t distinct = is_numeric ? 40 : 5;
    attribute.name = numbered(is_numeric ? 'x' : 'c', a);
    attribute.kind = is_numeric ? AttributeKind::numeric : AttributeKind::nominal;
    attribute.exact_distinct = distinct;
    attribute.counts.assign(distinct, 0);
    for (std::uint32_t code = 0; code < distinct; ++code) {
      if (is_numeric) {
        attribute.low.push_back(code);
        attribute.high.push_back(code);
      } else {
        attribute.labels.push_back(numbered('l', code));
      }
    }
    columns[a].resize(rows);
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    RandomStream stream({7, 0, 0, static_cast<std::uint32_t>(row), Purpose::test});
    for (std::uint32_t a = 0; a < 8; ++a) {
      columns[a][row] = static_cast<std::uint32_t>(stream.below(a < numeric ? 40 : 5));
    }
    const bool covered = columns[0][row] >= 12 && columns[0][row] <= 19 && columns[4][row] == 2;
    if (covered && stream.chance(0.9)) columns[5][row] = 1;
    for (const std::uint32_t a : {3U, 7U}) {
      if (missing && stream.chance(0.1)) columns[a][row] = missing_code;
    }
    for (std::uint32_t a = 0; a < 8; ++a) {
      const std::uint32_t code = columns[a][row];
      if (code == missing_code) {
        attributes[a].has_missing = true;
        ++attributes[a].missing;
      } else {
        ++attributes[a].counts[code];
      }
    }
  }
  return make_dataset(std::move(attributes), columns, 4096);
}

/// Numeric attributes whose values are their codes, counted.
/// @param columns  [attributes][rows] codes, or missing_code
inline Dataset numeric_table(const std::vector<std::string>& names,
                             const std::vector<std::vector<std::uint32_t>>& columns) {
  std::vector<Attribute> attributes(names.size());
  for (std::size_t a = 0; a < names.size(); ++a) {
    Attribute& attribute = attributes[a];
    attribute.name = names[a];
    attribute.kind = AttributeKind::numeric;
    for (const std::uint32_t code : columns[a]) {
      if (code == missing_code) {
        attribute.has_missing = true;
        ++attribute.missing;
        continue;
      }
      if (code >= attribute.counts.size()) attribute.counts.resize(code + 1);
      ++attribute.counts[code];
    }
    attribute.exact_distinct = static_cast<std::uint32_t>(attribute.counts.size());
    for (std::size_t code = 0; code < attribute.counts.size(); ++code) {
      attribute.low.push_back(static_cast<double>(code));
      attribute.high.push_back(static_cast<double>(code));
    }
  }
  return make_dataset(std::move(attributes), columns, 4096);
}

/// Grammar of conjunctions on the table's attributes.
inline BoundGrammar association_grammar(const Dataset& dataset, std::uint32_t max_comparisons = 5) {
  return {Grammar::parse(Grammar::builtin("association"), "association"), dataset.attributes(),
          max_comparisons};
}

/// A preset's defaults at a size for tests.
/// To the end, whatever it waits for.
inline void breed(Algorithm& algorithm, IslandState& state, std::uint32_t generation,
                  Offspring& offspring) {
  while (algorithm.breed(state, generation, offspring) == Step::waits) {
  }
}

inline Experiment small_experiment(const std::string& preset) {
  Experiment experiment = default_experiment(preset);
  experiment.islands = 4;
  experiment.population = 30;
  experiment.migrate_every = 3;
  experiment.migrants = 4;
  experiment.top = 20;
  if (preset == "g3parm") {
    experiment.min_support.share = 0.2;
    experiment.min_confidence = 0.3;
  }
  return experiment;
}

inline bool distinct_rules(std::vector<Rule> rules) {
  std::sort(rules.begin(), rules.end());
  return std::adjacent_find(rules.begin(), rules.end()) == rules.end();
}

}  // namespace atl::test
