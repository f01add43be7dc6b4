// The content of a Dataset, shared by Dataset and those that make one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/core/host_memory.hpp"
#include "src/data/aligned_words.hpp"
#include "src/data/dataset.hpp"

namespace atl {

struct Dataset::Storage {
  struct Partition {
    std::uint64_t first_row = 0;  ///< within the shard
    std::uint64_t rows = 0;
    std::size_t words = 0;                  ///< of a plane
    std::size_t stride = 0;                 ///< words from one plane to the next
    std::size_t size = 0;                   ///< words of all planes
    std::span<const std::uint64_t> planes;  ///< [all planes][stride]
    AlignedWords own;                       ///< where they are, unless in `shared`

    /// Its planes are yet to come.
    Partition(std::uint64_t first_row, std::uint64_t rows, std::size_t plane_count)
        : first_row(first_row),
          rows(rows),
          words((words_for(rows) + 7) / 8 * 8),
          // An odd number of cache lines, or the same words of all planes share a few cache sets.
          stride(words | 8),
          size(plane_count * stride) {}

    /// Planes that have yet to be written.
    void allocate() {
      own = AlignedWords::unset(size);
      planes = own.words();
    }
    bool is_here() const noexcept { return !planes.empty(); }
    /// Others in their place; empty: none.
    void replace(std::span<const std::uint64_t> by) {
      planes = by;
      own = AlignedWords();
    }
  };

  std::vector<Attribute> attributes;
  std::vector<std::uint32_t> first_plane;  ///< [attributes + 1]
  std::uint32_t partition_rows = 0;
  std::uint64_t first_row = 0;
  std::uint64_t rows = 0;
  std::uint64_t whole_rows = 0;    ///< of a shard; else 0
  std::unique_ptr<Dataset> shard;  ///< what is counted here; null: all of it
  std::vector<Partition> partitions;
  std::unique_ptr<KeptRows> kept;            ///< of partitions that are not here; may be null
  std::shared_ptr<const HostMemory> shared;  ///< with the other ranks of the host; may be null
  Fingerprint fingerprint;
};

}  // namespace atl
