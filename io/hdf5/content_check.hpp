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

  /// The next partitions, all full but perhaps the last of the table. Threads share out the
  /// attributes.
  /// @param rows   of all of them
  /// @param words  [partitions][stored planes of all attributes][stride]
  /// @throws std::invalid_argument if a code is out of range
  void add(std::uint64_t rows, std::span<const std::uint64_t> words, ThreadPool& pool);
  /// Ends the check, after the last partition.
  /// @throws std::invalid_argument saying what contradicts what
  void finish() const;

 private:
  void add(std::size_t attribute, std::span<const std::uint32_t> codes);

  const DatasetSummary& summary_;
  FingerprintBuilder fingerprint_;
  std::vector<std::vector<std::uint64_t>> counts_;  // [attributes][codes], then the missing
  std::vector<std::vector<std::uint32_t>> codes_;   // [worker] of one attribute in a partition
};

}  // namespace atl::io
