// Which rules the settings of a run allow.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/measures/contingency_table.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/rules/rule.hpp"

namespace atl {

class RunReach {
 public:
  /// The arguments must outlive it. @throws as bind_grammars
  RunReach(const Experiment& experiment, std::span<const Attribute> attributes);

  /// Why the run could not write the rule, a conjunction on either side: max_length, min_support,
  /// min_confidence, max_consequent, lift (not above 1), all_rows (a side holds on all), aim,
  /// absences or grammar; empty if it could.
  std::string_view limit(const Rule& rule, const ContingencyTable& table) const;

 private:
  std::string_view limit_of_counts(const ContingencyTable& table) const;
  bool meets(const BoundAim& aim, const Rule& rule) const;
  bool is_absence(const Comparison& comparison) const;
  bool derives(const BoundGrammar& grammar, const Rule& rule) const;
  bool has(const BoundGrammar& grammar, const Comparison& comparison, bool antecedent) const;

  const Experiment& experiment_;
  std::span<const Attribute> attributes_;
  Constraints constraints_;
  bool absences_;
  std::vector<BoundAim> aims_;
  std::map<std::uint32_t, BoundGrammar> grammars_;
};

}  // namespace atl
