#include "src/results/written/recount.hpp"

#include <vector>

namespace atl {

ClaimedCounts claimed(const RuleRecord& record) {
  return {&record.rule, record.table, record.missing_consequent};
}

void expect_counts(std::span<const ClaimedCounts> claims, CountingOptions options,
                   Resident& resident) {
  options.coverage_hashes = false;
  std::vector<Rule> rules;
  rules.reserve(claims.size());
  for (const ClaimedCounts& claim : claims) rules.push_back(*claim.rule);
  const std::vector<RuleStatistics> counts = resident.count(rules, options);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    ContingencyTable table = counts[i].table;
    table.n_general_antecedent = claims[i].table.n_general_antecedent;
    table.n_general_both = claims[i].table.n_general_both;
    const auto* supports = claims[i].comparison_supports;
    const bool same = table == claims[i].table &&
                      counts[i].missing_consequent == claims[i].missing_consequent &&
                      (supports == nullptr || *supports == counts[i].comparison_supports);
    if (!same) throw BadBytes("a rule has other counts in it than on the data");
  }
}

void expect_counts(std::span<const RuleRecord> rules, const CountingOptions& options,
                   Resident& resident) {
  std::vector<ClaimedCounts> claims;
  for (const RuleRecord& record : rules) claims.push_back(claimed(record));
  expect_counts(claims, options, resident);
}

}  // namespace atl
