#include "cuda/rule_sets/list_table.hpp"

#include <utility>

namespace atl::cuda {

static_assert(sizeof(ListTile) == sizeof(ClassTile));

std::shared_ptr<const ListTable> ListTable::make(const Dataset& dataset, const ClassifiedRows& rows,
                                                 std::uint64_t room) {
  constexpr std::uint64_t most_rows = ~std::uint32_t{0};
  if (dataset.rows() > most_rows) return nullptr;
  const std::shared_ptr<ListTable> table(new ListTable(ClassTiles(dataset, rows, list_tile_words)));
  const auto words = table->tiles_.words();
  const auto tiles = table->tiles_.tiles();
  if (words.size_bytes() + tiles.size_bytes() > room ||
      !table->planes_.try_reserve(words.size_bytes() / sizeof(uint4)) ||
      !table->of_class_.try_reserve(tiles.size())) {
    return nullptr;
  }
  const Stream stream;
  check(cudaMemcpyAsync(table->planes_.data(), words.data(), words.size_bytes(),
                        cudaMemcpyHostToDevice, stream));
  check(cudaMemcpyAsync(table->of_class_.data(), tiles.data(), tiles.size_bytes(),
                        cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));
  table->tiles_.drop_words();
  return table;
}

ListRows ListTable::rows(std::optional<std::uint32_t> window) const noexcept {
  const ClassTiles::Range range = tiles_.range(window);
  return {planes_.data() + range.first * tiles_.planes() * slot_units,
          of_class_.data() + range.first, static_cast<std::uint32_t>(range.end - range.first),
          static_cast<std::uint32_t>(tiles_.planes())};
}

}  // namespace atl::cuda
