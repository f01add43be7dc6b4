#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "islands/rule_sets/list_breeder.hpp"
#include "src/data/dataset.hpp"
#include "src/grammar/grammar.hpp"

namespace atl {

/// Lists of rules made as `mine` makes its first ones: each derived from the grammar of
/// conjunctions, with codes that hold on a row that is drawn. That row's class is the rule's, as in
/// the smart initialisation of GAssist (Bacardit 2004). For any number of threads.
class ListDeriver {
 public:
  /// @param dataset  what the sample is of
  /// @param sample, settings  must outlive it
  /// @param most_rules, most_alternatives  at least 1
  ListDeriver(const Dataset& dataset, const ClassSample& sample, const GrowthSettings& settings,
              std::size_t most_rules, std::size_t most_alternatives);

  /// A list of a drawn number of rules, each number as likely.
  /// @param part  whose rows are drawn, the class by the weight of its rows
  /// @return no rules if the table has nothing to derive rules from
  SampledList derive(const Part& part, RandomStream& stream) const;

 private:
  struct Row {
    std::size_t position;  ///< in the sample
    std::size_t codes;     ///< first of them
  };

  /// Draws a row of the class; null if a few draws find none.
  const Row* draw_row(std::uint32_t label, const Part& part, RandomStream& stream) const;
  /// Derives a conjunction that holds on a row of the class; empty if a few attempts find none.
  Expression derive_conjunction(std::uint32_t label, const Part& part, RandomStream& stream) const;
  /// Derives a rule that says the class; null likewise.
  SharedRule derive_rule(std::uint32_t label, const Part& part, RandomStream& stream) const;

  const ClassSample& sample_;
  std::size_t most_rules_;
  std::size_t most_alternatives_;
  std::optional<BoundGrammar> grammar_;  // nothing if no rule can be derived
  std::vector<double> weights_;          // [classes] of all rows of each
  std::vector<std::vector<Row>> rows_;   // [classes] that rules are to hold on
  std::vector<std::uint32_t> codes_;     // [rows][attributes]
};

}  // namespace atl
