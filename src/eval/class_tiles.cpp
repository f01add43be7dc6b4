#include "src/eval/class_tiles.hpp"

#include <algorithm>
#include <utility>

#include "src/core/parallel.hpp"

namespace atl {

ClassTiles::ClassTiles(const Dataset& dataset, const ClassifiedRows& rows, std::size_t tile_words,
                       std::span<const std::uint8_t> windows, ThreadPool* pool)
    : rows_(rows),
      tile_words_(tile_words),
      attributes_(dataset.attributes()),
      classes_(attributes_[rows.class_attribute].distinct()) {
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    first_plane_.push_back(static_cast<std::uint32_t>(planes_));
    if (a != rows.class_attribute) {
      planes_ += attributes_[a].planes() + (attributes_[a].has_missing ? 1U : 0U);
    }
  }
  const std::vector<std::uint64_t> places = this->places(dataset, windows, pool);
  words_ = AlignedWords(tiles_.size() * planes_ * tile_words_);
  copy_planes(dataset, places, pool);
}

std::vector<std::uint64_t> ClassTiles::class_rows(std::optional<std::uint32_t> window) const {
  std::vector<std::uint64_t> rows(classes_);
  const Range of = range(window);
  for (std::size_t t = of.first; t < of.end; ++t) rows[tiles_[t].label] += tiles_[t].rows;
  return rows;
}

ClassTiles::Range ClassTiles::range(std::optional<std::uint32_t> window) const noexcept {
  if (!window) return {0, tiles_.size()};
  return {first_tile_[*window], first_tile_[*window + 1]};
}

/// Makes the tiles. @return [rows] of the table: where each comes to lie, or no_class
std::vector<std::uint64_t> ClassTiles::places(const Dataset& dataset,
                                              std::span<const std::uint8_t> windows,
                                              ThreadPool* pool) {
  const auto for_each_row = [&](std::size_t p, const auto& take) {
    const std::size_t first = dataset.partition_first_row(p);
    std::vector<std::uint32_t> labels(dataset.partition_rows(p));
    dataset.codes(p, rows_.class_attribute, labels);
    for (std::size_t r = 0; r < labels.size(); ++r) {
      const std::size_t window = windows.empty() ? 0 : windows[first + r];
      if (labels[r] != missing_code) take(first + r, window * classes_ + labels[r]);
    }
  };
  // [partitions][windows][classes] how many rows there are, then where the next one comes to lie
  std::vector<std::vector<std::uint64_t>> next(dataset.partitions());
  for_each_index(pool, next.size(), [&](std::size_t p) {
    next[p].assign(std::size_t{rows_.windows} * classes_, 0);
    for_each_row(p, [&](std::size_t, std::size_t cell) { ++next[p][cell]; });
  });
  const std::uint64_t tile_rows = tile_words_ * 64;
  for (std::size_t cell = 0; cell < std::size_t{rows_.windows} * classes_; ++cell) {
    const auto label = static_cast<std::uint32_t>(cell % classes_);
    if (label == 0) first_tile_.push_back(tiles_.size());
    const std::uint64_t begin = tiles_.size() * tile_rows;
    std::uint64_t end = begin;
    for (auto& of_partition : next) end += std::exchange(of_partition[cell], end);
    for (std::uint64_t left = end - begin; left != 0; left -= std::min(left, tile_rows)) {
      tiles_.push_back({label, static_cast<std::uint32_t>(std::min(left, tile_rows))});
    }
  }
  first_tile_.push_back(tiles_.size());

  std::vector<std::uint64_t> places(dataset.rows(), no_class);
  for_each_index(pool, next.size(), [&](std::size_t p) {
    for_each_row(p, [&](std::size_t row, std::size_t cell) { places[row] = next[p][cell]++; });
  });
  return places;
}

void ClassTiles::copy_planes(const Dataset& dataset, const std::vector<std::uint64_t>& places,
                             ThreadPool* pool) {
  const std::size_t tile_rows = tile_words_ * 64;
  std::vector<std::uint32_t> column(tiles_.size() * tile_rows);  // in the new order
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    if (a == rows_.class_attribute) continue;
    const Attribute& attribute = attributes_[a];
    const PlaneLayout layout{attribute.planes(), attribute.has_missing, tile_words_};
    std::fill(column.begin(), column.end(), attribute.has_missing ? missing_code : 0);
    for_each_index(pool, dataset.partitions(), [&](std::size_t p) {
      std::vector<std::uint32_t> codes(dataset.partition_rows(p));
      dataset.codes(p, a, codes);
      const std::uint64_t* const to = places.data() + dataset.partition_first_row(p);
      for (std::size_t r = 0; r < codes.size(); ++r) {
        if (to[r] != no_class) column[to[r]] = codes[r];
      }
    });
    for_each_index(pool, tiles_.size(), [&](std::size_t t) {
      const auto words =
          words_.words().subspan((t * planes_ + first_plane_[a]) * tile_words_, layout.size());
      codes_to_planes(std::span(column).subspan(t * tile_rows, tile_rows), layout, words);
    });
  }
}

}  // namespace atl
