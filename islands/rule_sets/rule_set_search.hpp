#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "islands/algorithms.hpp"
#include "islands/archipelago/search.hpp"
#include "islands/rule_sets/list_deriver.hpp"
#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/list_trees.hpp"
#include "islands/rule_sets/rule_set_results.hpp"
#include "src/config/experiment.hpp"
#include "src/eval/device.hpp"

namespace atl {

AlgorithmParts rule_sets_parts();

/// Memory that the lists of these islands and of their results take if there is one of each number
/// of rules wherever there may be.
/// @pre the search's sample
std::uint64_t most_list_bytes(const ListSearch& search, std::span<const std::uint32_t> islands);

/// A search for decision lists. Arguments must outlive it.
class RuleSetSearch final : public Search {
 public:
  /// @throws UsageError if the experiment names no class, or one that cannot be learnt
  RuleSetSearch(const Experiment& experiment, Resident& resident);

  std::vector<std::unique_ptr<Island>> islands(std::span<const std::uint32_t> numbers) override;
  std::unique_ptr<Results> results() const override;
  void expect_true(const RunState& run, std::span<const std::uint32_t> numbers) override;
  std::optional<BusySeconds> device_seconds() const override {
    return resident_.device().busy_seconds();
  }

  const ListSearch& search() const noexcept { return search_; }

 private:
  std::unique_ptr<FoldScorer> scorer() const;
  /// @throws BadBytes unless the rows say so
  void expect_counts(std::span<const SampledList* const> lists) const;

  const Experiment& experiment_;
  Resident& resident_;
  std::uint32_t class_attribute_;
  std::shared_ptr<const std::vector<std::uint8_t>> folds_;  // [rows]
  std::shared_ptr<const ClassSample> sample_;
  ListSearch search_;
  ListDeriver deriver_;
  ListTrees trees_;
};

}  // namespace atl
