// Data and rules that benchmarks evaluate: the same for a size on every machine
// (docs/reference/bench.md states how they are drawn).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/report.hpp"
#include "src/data/dataset.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/generate/basket_source.hpp"
#include "src/generate/quest.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// Poker hands are generated; others are read from the folder, if it is not empty and has them.
/// @param file  the usual name; may be empty
std::optional<Dataset> bench_data(const std::string& name, const std::string& file,
                                  std::uint64_t rows, const std::string& folder,
                                  const Report& report);

/// The first that a source makes. Items are numbered from 0.
TransactionSet first_transactions(const BasketSource& source, std::uint32_t items,
                                  std::uint64_t count);
/// The first that `generate quest` makes with these options.
TransactionSet quest_transactions(const QuestOptions& options, std::uint64_t count);

enum class RuleShape {
  one_sided,  ///< conjunctions of one-sided comparisons
  intervals,  ///< conjunctions of intervals that neither end of the codes is in
  deep,       ///< one-sided comparisons under AND, OR and NOT in turn
};

const char* to_string(RuleShape shape) noexcept;

struct Workload {
  std::uint64_t rows = 0;
  std::uint32_t rules = 0;
  std::uint32_t comparisons = 15;  ///< of a rule, on different attributes
  std::uint32_t attributes = 16;
  std::uint32_t planes = 8;  ///< of every attribute, each of whose 2^planes codes is as likely
  RuleShape shape = RuleShape::one_sided;
  double shared = 0;  ///< share of the comparisons that the rule before has too; at most a half
};

/// Symbols of a rule as Cano et al. 2013 count them: three a comparison and the connectives within
/// antecedent and consequent. An interval is one comparison, NOT is left out.
constexpr std::uint64_t symbols_of(std::uint64_t comparisons) noexcept {
  return 3 * comparisons + comparisons - 2;
}

/// Data without missing values. @pre rows, attributes and planes at least 1
Dataset workload_data(const Workload& workload);

/// Its rules, on these attributes, which may be others than workload_data() gives. On nominal ones
/// comparisons are equalities. A third of the comparisons, rounded down but at least one, are the
/// consequent's.
/// @pre 2 <= comparisons <= attributes.size()
std::vector<Rule> workload_rules(std::span<const Attribute> attributes, const Workload& workload);

}  // namespace atl
