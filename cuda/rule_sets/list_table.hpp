// A table's rows on a device in the order of their classes, for scorers of decision lists.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cuda/device/handles.hpp"
#include "cuda/rule_sets/list_layout.hpp"
#include "src/eval/class_tiles.hpp"

namespace atl::cuda {

/// A table on the device for scoring lists. Immutable, shared by the scorers of all threads.
class ListTable {
 public:
  /// Brings the rows to the current device. Blocking.
  /// @param room  bytes that they may take
  /// @return null if there is not so much room, or there are more rows than counters hold
  static std::shared_ptr<const ListTable> make(const Dataset& dataset, const ClassifiedRows& rows,
                                               std::uint64_t room);

  /// The tiles without their words.
  const ClassTiles& tiles() const noexcept { return tiles_; }
  ListRows rows(std::optional<std::uint32_t> window) const noexcept;

 private:
  explicit ListTable(ClassTiles tiles) : tiles_(std::move(tiles)) {}

  ClassTiles tiles_;
  DeviceBuffer<uint4> planes_;
  DeviceBuffer<ListTile> of_class_;
};

}  // namespace atl::cuda
