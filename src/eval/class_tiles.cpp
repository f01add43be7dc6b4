#include "src/eval/class_tiles.hpp"

#include <algorithm>

namespace atl {

ClassTiles::ClassTiles(const Dataset& dataset, const ClassifiedRows& rows, std::size_t tile_words)
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
  const std::vector<std::uint64_t> places = this->places(dataset);
  words_ = AlignedWords(tiles_.size() * planes_ * tile_words_);
  copy_planes(dataset, places);
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
std::vector<std::uint64_t> ClassTiles::places(const Dataset& dataset) {
  std::vector<std::uint32_t> labels(dataset.rows());
  std::vector<std::uint64_t> of_class(classes_);
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const auto rows =
        std::span(labels).subspan(dataset.partition_first_row(p), dataset.partition_rows(p));
    dataset.codes(p, rows_.class_attribute, rows);
    for (const std::uint32_t label : rows) {
      if (label != missing_code) ++of_class[label];
    }
  }
  const std::uint64_t tile_rows = tile_words_ * 64;
  std::vector<std::uint64_t> next(std::size_t{rows_.windows} * classes_);
  for (std::uint32_t w = 0; w < rows_.windows; ++w) {
    first_tile_.push_back(tiles_.size());
    for (std::uint32_t c = 0; c < classes_; ++c) {
      next[std::size_t{w} * classes_ + c] = tiles_.size() * tile_rows;
      std::uint64_t left = (of_class[c] + rows_.windows - 1 - w) / rows_.windows;
      for (; left != 0; left -= std::min(left, tile_rows)) {
        tiles_.push_back({c, static_cast<std::uint32_t>(std::min(left, tile_rows))});
      }
    }
  }
  first_tile_.push_back(tiles_.size());

  std::vector<std::uint64_t> places(labels.size(), no_class);
  std::vector<std::uint32_t> turn(classes_);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::uint32_t label = labels[row];
    if (label == missing_code) continue;
    places[row] = next[std::size_t{turn[label]} * classes_ + label]++;
    if (++turn[label] == rows_.windows) turn[label] = 0;
  }
  return places;
}

void ClassTiles::copy_planes(const Dataset& dataset, const std::vector<std::uint64_t>& places) {
  const std::size_t tile_rows = tile_words_ * 64;
  std::vector<std::uint32_t> column(tiles_.size() * tile_rows);  // in the new order
  std::vector<std::uint32_t> codes;
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    if (a == rows_.class_attribute) continue;
    const Attribute& attribute = attributes_[a];
    const PlaneLayout layout{attribute.planes(), attribute.has_missing, tile_words_};
    std::fill(column.begin(), column.end(), attribute.has_missing ? missing_code : 0);
    for (std::size_t p = 0; p < dataset.partitions(); ++p) {
      codes.resize(dataset.partition_rows(p));
      dataset.codes(p, a, codes);
      const std::uint64_t* const to = places.data() + dataset.partition_first_row(p);
      for (std::size_t r = 0; r < codes.size(); ++r) {
        if (to[r] != no_class) column[to[r]] = codes[r];
      }
    }
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
      const auto words =
          words_.words().subspan((t * planes_ + first_plane_[a]) * tile_words_, layout.size());
      codes_to_planes(std::span(column).subspan(t * tile_rows, tile_rows), layout, words);
    }
  }
}

}  // namespace atl
