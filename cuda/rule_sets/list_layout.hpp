// Layout in device memory of decision lists, of rows in order of their class, and of counts.
#pragma once

#include <cstdint>
#include <vector_types.h>

#include "cuda/host/list_format.hpp"

namespace atl::cuda {

/// Rows of one class.
struct ListTile {
  std::uint32_t label, rows;
};

/// Consecutive tiles. Bits beyond a tile's rows are zero.
struct ListRows {
  const uint4* planes = nullptr;    ///< [tiles][tile_planes][slot_units]
  const ListTile* tiles = nullptr;  ///< [tiles]
  std::uint32_t count = 0;
  std::uint32_t tile_planes = 0;
};

/// The lists of list_format.hpp, on the device.
struct ListsOnDevice {
  const ListGroupWords* groups = nullptr;
  const uint4* operands = nullptr;
  const uint4* stream = nullptr;
  const std::uint32_t* list_units = nullptr;   ///< [lists]
  const std::uint32_t* first_entry = nullptr;  ///< [lists + 1]
  const std::uint32_t* covered_by = nullptr;   ///< [entries]
  std::uint32_t group_count = 0;
  std::uint32_t lists = 0;
  std::uint32_t entries = 0;
  std::uint32_t counters = 0;  ///< entries, then shared antecedents
  std::uint32_t slots = 0;     ///< most of a group
};

/// Counters of lists, zero before the first launch.
struct ListCounters {
  std::uint32_t* covered = nullptr;  ///< [classes][counters]
  std::uint32_t* decided = nullptr;  ///< [classes][entries]
};

}  // namespace atl::cuda
