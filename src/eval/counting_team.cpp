#include "src/eval/counting_team.hpp"

#include "src/core/error.hpp"

namespace atl {
namespace {

/// Calls `use` with each number of a rule's counts, in an order that the options alone tell.
template <typename Counts, typename Use>
void for_each_number(Counts& counts, const CountingOptions& options, Use use) {
  use(counts.n);
  use(counts.antecedent);
  use(counts.consequent);
  use(counts.both);
  use(counts.missing_consequent);
  if (options.mean) {
    use(counts.sum);
    if (options.mean->deviations) {
      use(counts.squares_low);
      use(counts.squares_high);
    }
  }
  for (auto& support : counts.comparison_supports) use(support);
  if (options.coverage_hashes) {
    for (auto& hash : counts.coverage_hash) use(hash);
  }
}

RuleCounts no_counts(const Rule& rule, const CountingOptions& options) {
  RuleCounts counts;
  if (options.comparison_supports) counts.comparison_supports.resize(rule.comparisons());
  return counts;
}

}  // namespace

void CountingTeam::add_up(std::vector<std::uint64_t>& numbers, bool failed) const {
  numbers.push_back(failed ? 1 : 0);
  members_.all_reduce_sum(numbers);
  if (numbers.back() != 0) throw Error(ExitStatus::unavailable, other_failed);
  numbers.pop_back();
}

RuleRange CountingTeam::share(std::size_t rules) const noexcept {
  if (splits_rows()) return {0, rules};
  const auto member = static_cast<std::size_t>(members_.rank());
  const auto members = static_cast<std::size_t>(members_.size());
  return {rules * member / members, rules * (member + 1) / members};
}

void counts_to_numbers(std::span<const Rule> rules, const RuleRange& share,
                       std::span<const RuleCounts> counts, const CountingOptions& options,
                       std::vector<std::uint64_t>& numbers) {
  numbers.clear();
  const auto put = [&](std::uint64_t number) { numbers.push_back(number); };
  for (std::size_t r = 0; r < rules.size(); ++r) {
    if (share.begin <= r && r < share.end) {
      for_each_number(counts[r], options, put);
    } else {
      const RuleCounts none = no_counts(rules[r], options);
      for_each_number(none, options, put);
    }
  }
}

void numbers_to_counts(std::span<const Rule> rules, std::span<const std::uint64_t> numbers,
                       const CountingOptions& options, std::span<RuleCounts> counts) {
  const std::uint64_t* next = numbers.data();
  for (std::size_t r = 0; r < rules.size(); ++r) {
    counts[r] = no_counts(rules[r], options);
    for_each_number(counts[r], options, [&](std::uint64_t& number) { number = *next++; });
  }
}

}  // namespace atl
