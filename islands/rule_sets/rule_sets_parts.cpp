#include "islands/rule_sets/rule_sets_parts.hpp"

#include "islands/rule_sets/rule_set_search.hpp"

namespace atl {
namespace {

constexpr AlgorithmKey rule_sets_keys[] = {
    {.name = "max_rules",
     .kind = KeyKind::rules,
     .placeholder = "N",
     .help = "most rules of a list, without the default"},
    {.name = "max_alternatives",
     .kind = KeyKind::alternatives,
     .placeholder = "N",
     .help = "most conjunctions of a rule, joined by OR",
     .formerly = 1},
    {.name = "comparison_cost",
     .kind = KeyKind::cost,
     .placeholder = "X",
     .help = "rows that a comparison has to gain to be worth it"},
    {.name = "inner_folds",
     .kind = KeyKind::folds,
     .placeholder = "N",
     .help = "folds of the training rows by which the number of rules is chosen; 0: the most "
             "accurate list on all of them"},
    {.name = "balance",
     .kind = KeyKind::share,
     .placeholder = "X",
     .help = "rows of rare classes weigh more: a row weighs its class's size to the power of -X; "
             "without =X all classes weigh the same",
     .implied = 1}};

}  // namespace

AlgorithmParts rule_sets_parts() {
  return {.keys = rule_sets_keys,
          .traits = {.kind = &list_kind},
          .make = nullptr,
          .search = [](const Experiment& experiment, Resident& resident) {
            return std::unique_ptr<Search>(std::make_unique<RuleSetSearch>(experiment, resident));
          }};
}

}  // namespace atl
