// An archipelago whose islands search for rules.
#pragma once

#include "islands/archipelago/archipelago.hpp"
#include "islands/rule_search.hpp"

namespace atl::test {

struct OwnRuleSearch {
  RuleSearch search;
};

class RuleArchipelago : OwnRuleSearch, public Archipelago {
 public:
  RuleArchipelago(const Experiment& experiment, const IslandGrammars& grammars, Resident& resident,
                  ThreadPool& pool, Communicator& communicator, Reducer* team = nullptr)
      : OwnRuleSearch{RuleSearch(experiment, grammars, resident)},
        Archipelago(experiment, search, resident.dataset().fingerprint(), pool, communicator,
                    team) {}
};

}  // namespace atl::test
