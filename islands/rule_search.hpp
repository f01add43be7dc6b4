#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"
#include "islands/archipelago/search.hpp"
#include "src/config/experiment.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/results/archive/archive.hpp"

namespace atl {

/// A search for rules by the algorithm that the experiment names. Arguments must outlive it.
class RuleSearch final : public Search {
 public:
  /// @throws UsageError for an unknown measure
  RuleSearch(const Experiment& experiment, const IslandGrammars& grammars, Resident& resident);

  /// @throws UsageError for an unknown algorithm, or a measure that cannot steer
  std::vector<std::unique_ptr<Island>> islands(std::span<const std::uint32_t> numbers) override;
  std::unique_ptr<Results> results() const override;
  /// @pre islands() has been called, and they are there still
  void expect_true(const RunState& run, std::span<const std::uint32_t> numbers) override;
  std::optional<BusySeconds> device_seconds() const override {
    return resident_.device().busy_seconds();
  }

 private:
  const Experiment& experiment_;
  const IslandGrammars grammars_;
  const std::map<std::uint32_t, Experiment> by_island_;
  Resident& resident_;
  std::vector<Measure> maximized_;
  Archive empty_archive_;
  CountingOptions options_;  // of its islands, which differ in their aims alone
  std::map<std::uint32_t, const Algorithm*> algorithms_;  // of its islands, which own them
};

}  // namespace atl
