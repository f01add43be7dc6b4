// What a Dataset holds; shared by Dataset and its builder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/data/dataset.hpp"

namespace atl {

struct Dataset::Storage {
  struct Partition {
    std::uint64_t first_row = 0;  ///< within the shard
    std::uint64_t rows = 0;
    std::size_t words = 0;   ///< of a plane
    std::size_t stride = 0;  ///< words from one plane to the next
    AlignedWords planes;     ///< [all planes][stride]

    Partition(std::uint64_t first_row, std::uint64_t rows, std::size_t plane_count)
        : first_row(first_row),
          rows(rows),
          words((words_for(rows) + 7) / 8 * 8),
          // An odd number of cache lines, or the same words of all planes share a few cache sets.
          stride(words | 8),
          planes(plane_count * stride) {}
  };

  std::vector<Attribute> attributes;
  std::vector<std::uint32_t> first_plane;  ///< [attributes + 1]
  std::uint32_t partition_rows = 0;
  std::uint64_t first_row = 0;
  std::uint64_t rows = 0;
  std::vector<Partition> partitions;
  Fingerprint fingerprint;
};

}  // namespace atl
