#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/fingerprint.hpp"

namespace atl::io {

/// Compares what the planes of a dataset file hold with what its tables say: the rows of each
/// value, those without one, and the fingerprint.
class ContentCheck {
 public:
  /// @param summary  outlives it
  explicit ContentCheck(const DatasetSummary& summary);

  /// The next partition.
  /// @param words  [stored planes of all attributes][stride]
  /// @throws std::invalid_argument if a code is out of range
  void add(std::uint64_t rows, std::span<const std::uint64_t> words, ThreadPool& pool);
  /// After the last. @throws std::invalid_argument saying what contradicts what
  void finish() const;

 private:
  const DatasetSummary& summary_;
  FingerprintBuilder fingerprint_;
  std::vector<std::vector<std::uint64_t>> counts_;  // [attributes][codes], then the missing
  std::vector<std::vector<std::uint32_t>> codes_;   // [worker] of a partition
};

}  // namespace atl::io
