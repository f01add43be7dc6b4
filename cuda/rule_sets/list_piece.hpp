// Some lists of a batch, as many as there is memory for their counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/list_program.hpp"
#include "cuda/rule_sets/list_kernel.hpp"
#include "src/eval/class_tiles.hpp"
#include "src/eval/list_batch.hpp"
#include "src/eval/rule_set_scorer.hpp"

namespace atl::cuda {

/// Reusable: what is allocated stays.
class ListPiece {
 public:
  /// The number of lists, from the first one on, that make a piece; at least one.
  /// @param most_counters  that the piece may have
  static std::size_t lists_for(std::span<const RuleSet> lists, std::uint32_t classes,
                               std::uint64_t most_counters);

  /// @param count  of the tiles that are scored
  void compile(std::span<const RuleSet> lists, const ClassTiles& tiles, std::uint32_t count,
               const DeviceLimits& limits);

  std::size_t lists() const noexcept { return batch_.first_entry().size() - 1; }
  const ListLaunch& plan() const noexcept { return plan_; }
  /// Words of the counters of all classes: what antecedents cover, then what entries decide.
  std::size_t counter_words() const noexcept {
    return classes_ * std::size_t{batch_.counters() + batch_.entries()};
  }
  /// Whole units.
  std::size_t program_words() const noexcept;
  /// @return behind the program
  std::uint32_t* write_program(std::uint32_t* to) const;
  /// @param program  where it was copied to on the device
  ListsOnDevice on_device(const std::uint32_t* program) const noexcept;

  /// @param class_rows  [classes] among the rows that were counted
  /// @param counts  [counter_words()]
  /// @param out  [lists()]
  void read(const std::vector<std::uint64_t>& class_rows, const std::uint32_t* counts,
            std::span<RuleSetCounts> out) const;

 private:
  std::size_t classes_ = 0;
  ListBatch batch_;
  ListProgram program_;
  ListLaunch plan_;
};

}  // namespace atl::cuda
