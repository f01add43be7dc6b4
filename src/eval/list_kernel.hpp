// Evaluation of decision lists on tiles of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/eval/class_tiles.hpp"
#include "src/eval/list_batch.hpp"

namespace atl {

/// Each tally is the sum of so many words, one a vector lane, as many as the widest vector has.
inline constexpr std::size_t tally_lanes = 8;
/// A word of a tally: rows covered below, rows decided above.
inline constexpr int decided_shift = 32;

/// Working memory of one thread.
class ListScratch {
 public:
  /// Makes room for a group, before its first tile. The tallies are zero then.
  void reserve(const ListGroup& group);
  /// Adds what the tallies say to the counts, and makes them zero.
  /// @param covered  [counters of the batch] of the class of the tiles, and so below
  /// @param decided  [entries of the batch]
  void flush(const ListBatch& batch, const ListGroup& group, std::uint64_t* covered,
             std::uint64_t* decided);

  std::uint64_t* slots() noexcept { return slots_.data(); }
  std::uint64_t* tallies() noexcept { return tallies_.data(); }

 private:
  AlignedWords slots_;    // [slots of the group][tile_words]
  AlignedWords tallies_;  // [entries, then shared antecedents, of the group][tally_lanes]
};

/// Tiles of one class, and where the stages leave their words.
struct ListTiles {
  std::size_t first = 0, end = 0;
  std::uint64_t* coverage = nullptr;  ///< [tiles][entries, then shared, of the group][tile_words]
  std::uint64_t* decided = nullptr;   ///< [tiles][entries of the group][tile_words]
};

/// Ways to go over tiles. They run the best code that the processor has (Highway).
enum class ListWork : std::uint8_t {
  all,             ///< adds to the tallies, without words in memory
  coverage,        ///< writes the coverage
  rule_fitness,    ///< tallies the coverage
  classification,  ///< writes what is decided, from the coverage
  set_fitness,     ///< tallies what is decided
};
/// @pre the scratch is reserved for the group
void run_lists(ListWork work, const ListBatch& batch, const ListGroup& group,
               const ClassTiles& tiles, const ListTiles& where, ListScratch& scratch);

}  // namespace atl
