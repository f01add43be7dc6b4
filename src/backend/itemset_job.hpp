// What `itemsets` does once its options are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/backend/itemset_algorithm.hpp"
#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/itemset_rules/itemset_rule_search.hpp"
#include "src/measures/measures.hpp"
#include "src/run/data/transaction_data.hpp"
#include "src/work/run_task.hpp"

namespace atl {

struct ItemsetJob {
  std::string data;  ///< "-" is standard input
  TransactionForm form;
  std::string probabilities;  ///< a text of them, a line for each transaction; empty: there is none
  std::optional<SupportThreshold> min_support;  ///< else the limits have the least count
  ItemsetLimits limits;
  ItemsetAlgorithm how;
  bool count_only = false;
  bool makes_rules = false;
  ItemsetRuleChoice rules;
  std::vector<Measure> measures;  ///< of rules
  /// All but rules have checkpoints if they write to a file, and so do rules of pairs.
  bool is_task = true;
  TaskJob task;
  Machine machine;
};

/// Searches on all ranks or on rank 0 alone, and writes. Collective; blocking.
/// @throws as read_certain_transactions, read_uncertain_transactions, run_task and what the search
/// throws
ExitStatus find_itemsets(ItemsetJob job, const Context& context);

}  // namespace atl
