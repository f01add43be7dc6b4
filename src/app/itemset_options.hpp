// Options of `itemsets` at the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/backend/itemset_algorithm.hpp"
#include "src/config/experiment.hpp"
#include "src/exhaustive/itemset_rules/itemset_rule_search.hpp"
#include "src/measures/measures.hpp"
#include "src/run/data/transaction_data.hpp"
#include "src/work/run_task.hpp"

namespace CLI {
class App;
}

namespace atl {

/// Options as they were typed.
struct ItemsetsOptions {
  std::string data, output;
  std::string min_support, min_count;
  std::string min_length = "1";
  std::string max_length;
  std::string min_confidence, max_consequent, measures, sort, top;
  std::string format = "auto", delimiter;
  std::string algorithm, representation;
  bool closed = false;
  bool maximal = false;
  bool count_only = false;
  bool rules = false;
  bool force = false;
  const CLI::App* command = nullptr;  ///< has those of the machine, and how a text is to be read
};

/// Numbers of options, checked before any file is read.
struct ItemsetsSettings {
  std::optional<SupportThreshold> min_support;
  ItemsetAlgorithm how;
  TransactionForm form;
  ItemsetLimits limits;
  ItemsetRuleChoice rules;
  std::vector<Measure> measures;
  /// All but rules have checkpoints if they write to a file, and so do rules of pairs.
  bool is_task = true;
  TaskJob job;
  Machine machine;
};

void add_itemsets_options(CLI::App& command, ItemsetsOptions& options);
/// @throws UsageError
ItemsetsSettings settings_from(const ItemsetsOptions& options);

}  // namespace atl
