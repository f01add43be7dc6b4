#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "src/eval/counting_options.hpp"
#include "src/eval/device.hpp"
#include "src/rules/generalisation.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// Counts rules on one table, each rule once, however often it is asked for.
class CountedRules {
 public:
  /// The resident must outlive it.
  CountedRules(Resident& resident, const CountingOptions& options);

  /// Blocking, as Resident::count(). All that are not known yet are counted together.
  /// @return [rules]
  std::vector<RuleStatistics> count(std::span<const Rule> rules);
  /// Likewise, with the generalisation of least contrast noted (generalisation.hpp).
  std::vector<RuleStatistics> count_generalised(std::span<const Rule> rules);
  /// Likewise, but only for rules of more contrast than asked; of the others what is noted is
  /// enough to tell.
  /// @param contrasts  [rules]
  std::vector<RuleStatistics> count_above(std::span<const Rule> rules,
                                          std::span<const double> contrasts);
  /// How many have been counted so far.
  std::uint64_t counted() const noexcept { return statistics_.size(); }
  Resident& resident() const noexcept { return resident_; }
  const CountingOptions& options() const noexcept { return options_; }

 private:
  /// Of rules_, which it is added to unless it is there.
  std::size_t place_of(const Rule& rule);
  std::vector<std::size_t> places_of(std::span<const Rule> rules);
  std::vector<RuleStatistics> statistics_at(std::span<const std::size_t> places) const;
  /// Of those added.
  void count_added();
  /// Of those of some places for which it is not known yet, the generalisation of least contrast.
  void note_generalisations(std::span<const std::size_t> places);
  const Generalisation& generalisation();

  Resident& resident_;
  CountingOptions options_;
  std::optional<Generalisation> generalisation_;  // made when first asked
  std::deque<Rule> rules_;
  std::vector<RuleStatistics> statistics_;  // [rules_]
  std::vector<bool> noted_;  // [at most rules_] have statistics_ the nearest generalisation?
  std::unordered_multimap<std::uint64_t, std::size_t> places_;  // by hash
};

}  // namespace atl
