#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/rules/comparison.hpp"
#include "src/sampling/interval_sample.hpp"

namespace atl {

/// The rows of a sample on which a trial's rest holds, in the sample's order, picked as far as they
/// are asked for. Reusable: keeps its memory.
class PickedRows {
 public:
  /// Rows, and how many of them are positive.
  struct Some {
    std::span<const std::uint32_t> rows;  ///< 2 r + 1 for a positive row r, else 2 r
    std::int64_t positives;
  };

  explicit PickedRows(const IntervalSample& sample);

  /// Are these the rows that the trial asks for?
  bool are_of(const IntervalTrial& trial) const noexcept;
  /// Makes them those of this trial from now on.
  void be_of(const IntervalTrial& trial);
  /// The first rows, at most so many. Valid until the next call.
  Some first(std::size_t count);

 private:
  void pick(std::size_t count);

  const IntervalSample& sample_;
  std::vector<Comparison> rest_, positives_;
  std::size_t looked_at_ = 0;  // rows of the sample, whole blocks
  std::size_t picked_ = 0, positives_picked_ = 0;
  std::unique_ptr<std::uint32_t[]> rows_;  // and room for a block more
  std::size_t counted_ = 0;                // rows that were asked for last, and their positives
  std::size_t counted_positives_ = 0;
};

}  // namespace atl
