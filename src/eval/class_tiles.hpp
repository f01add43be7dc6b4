// Rows put in order by window and class, so that counting by class takes no look at a row's class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/aligned_words.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/rule_set_scorer.hpp"

namespace atl {

/// Rows of one window and class, as many as a tile holds or what is left.
struct ClassTile {
  std::uint32_t label = 0;
  std::uint32_t rows = 0;
};

/// A copy of a table's bit planes, without those of the class and without rows of no class. Its
/// tiles lie one behind the other, each with all its planes; bits beyond a tile's rows are zero.
/// Immutable; any thread.
class ClassTiles {
 public:
  /// Half open.
  struct Range {
    std::size_t first = 0, end = 0;
  };

  /// @param tile_words  words of 64 rows that a tile has of each plane
  /// @param windows  [rows] by class_folds(); empty: all are in the first
  /// @param pool  whose threads share the work; null: this one does it
  ClassTiles(const Dataset& dataset, const ClassifiedRows& rows, std::size_t tile_words,
             std::span<const std::uint8_t> windows = {}, ThreadPool* pool = nullptr);

  std::uint32_t class_attribute() const noexcept { return rows_.class_attribute; }
  std::uint32_t classes() const noexcept { return classes_; }
  /// [classes] rows of each class
  std::vector<std::uint64_t> class_rows(std::optional<std::uint32_t> window) const;
  /// Tiles of a window, which follow each other by class; absent: all.
  Range range(std::optional<std::uint32_t> window) const noexcept;

  std::span<const ClassTile> tiles() const noexcept { return tiles_; }
  std::size_t tile_words() const noexcept { return tile_words_; }
  /// Planes of a tile.
  std::size_t planes() const noexcept { return planes_; }
  const std::uint64_t* tile(std::size_t index) const noexcept {
    return words_.data() + index * planes_ * tile_words_;
  }
  /// Words of all tiles, one behind the other.
  std::span<const std::uint64_t> words() const noexcept { return words_.words(); }

  /// Frees the words, once a device has copied them: the two above mean nothing afterwards.
  void drop_words() noexcept { words_ = {}; }

  /// The codes' attributes, as in the dataset, which must outlive this.
  std::span<const Attribute> attributes() const noexcept { return attributes_; }
  /// [attributes] first of the attribute's planes in a tile, the one of presence behind them. That
  /// of the class means nothing.
  std::span<const std::uint32_t> first_plane() const noexcept { return first_plane_; }

 private:
  static constexpr std::uint64_t no_class = ~std::uint64_t{0};

  std::vector<std::uint64_t> places(const Dataset& dataset, std::span<const std::uint8_t> windows,
                                    ThreadPool* pool);
  void copy_planes(const Dataset& dataset, const std::vector<std::uint64_t>& places,
                   ThreadPool* pool);

  ClassifiedRows rows_;
  std::size_t tile_words_;
  std::span<const Attribute> attributes_;
  std::uint32_t classes_;
  std::size_t planes_ = 0;
  std::vector<std::uint32_t> first_plane_;
  std::vector<ClassTile> tiles_;
  std::vector<std::size_t> first_tile_;  // [windows + 1]
  AlignedWords words_;
};

}  // namespace atl
