// Options of `itemsets` at the command line.
#pragma once

#include <string>

#include "src/backend/itemset_job.hpp"

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
  std::string min_probability, probabilities, probability_column;
  bool closed = false;
  bool maximal = false;
  bool count_only = false;
  bool rules = false;
  bool force = false;
  const CLI::App* command = nullptr;  ///< has those of the machine, and how a text is to be read
};

void add_itemsets_options(CLI::App& command, ItemsetsOptions& options);
/// The numbers of options, checked before any file is read. @throws UsageError
ItemsetJob job_from(const ItemsetsOptions& options);

}  // namespace atl
