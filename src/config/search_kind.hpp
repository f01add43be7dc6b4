// What an algorithm searches for: rules, or decision lists that tell a class.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace atl {

struct Experiment;

/// All that is said of a kind of search, and what an experiment of it has to meet. What a job of
/// the kind does is its JobTask (src/run).
struct SearchKind {
  std::string_view results;             ///< "rules"
  std::string_view does;                ///< "mines rules"
  std::string_view run_does;            ///< "mines rules and learns no classes; print them"
  std::string_view its_results;         ///< "its rules": what a run has in the end
  std::string_view print_command;       ///< "atoll rules"
  std::string_view begin_command;       ///< "atoll mine"
  std::string_view target_option;       ///< "--target"
  bool single_rules = false;            ///< an experiment has the keys that describe single rules
  bool transactions = false;            ///< searches transactions, too
  bool teams = false;                   ///< several ranks may count for one island
  bool classifies = false;              ///< the target is a class, of which each row has one
  void (*validate)(const Experiment&);  ///< beside what all have. @throws UsageError
  std::vector<std::string> (*steered_by)(const Experiment&);  ///< measures, in history's order
};

extern const SearchKind rule_kind, list_kind;

/// "atoll rules RUN"
std::string how_to_print(const SearchKind& kind, const std::string& run);
/// @throws UsageError naming the run and how to print what it has, if it is of the other kind
void expect_kind(const SearchKind& wanted, const Experiment& experiment, const std::string& run);

}  // namespace atl
