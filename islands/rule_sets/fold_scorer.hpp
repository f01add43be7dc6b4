#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/eval/device.hpp"

namespace atl {

/// Scores lists on every fold of the rows at once. For one thread at a time.
class FoldScorer {
 public:
  /// @param rows  whose windows are the folds
  FoldScorer(Resident& resident, const ClassifiedRows& rows);

  /// Does not wait for the device.
  void start(std::span<const RuleSet> lists);
  /// Blocks until the counts are there.
  /// @param out  [lists] overwritten: [rules][folds][classes] rows covered, and so on
  void read(std::span<RuleSetCounts> out);

 private:
  std::vector<std::unique_ptr<RuleSetScorer>> scorers_;  // [folds]
  std::vector<RuleSetCounts> of_fold_;                   // [lists]
};

}  // namespace atl
