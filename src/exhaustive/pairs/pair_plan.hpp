// Which form counts which pairs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/exhaustive/pairs/pair_counter.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// Rows of the triangle of pairs, of which a row is an item with all more frequent ones, and its
/// columns in two bands: the most frequent items, which a rectangle counts, and the others, which
/// lists count.
struct PairBand {
  RankRange rows;
  std::uint32_t columns = 0;        ///< of the rectangle; at most rows.end
  PairForm form = PairForm::lists;  ///< of the rectangle; lists where it has no columns
};

/// Nanoseconds of a thread that the forms take, which are all that a plan follows from beside the
/// data.
struct PairCosts {
  double meeting;  ///< of two items in a transaction, counted by lists
  double place;    ///< of an item in a transaction, by lists
  double product;  ///< of a column with 64 rows in 128 transactions
  double tables;   ///< of a product, for up to 4096 columns with 64 rows in 128 transactions
  double bits;     ///< of a pair in 512 transactions
  double common;   ///< of a pair, by bits
  double copied;   ///< of a pair, from a GPU
};
/// Measured on an AMD EPYC (Zen 3, AVX2) as docs/notes/pairs.md says.
inline constexpr PairCosts core_costs{1.25, 25, 25, 5000, 1.9, 3, 0};
/// On a GPU, which 16 threads share: tensor cores multiply 2.5 * 10^15 bits a second, and a pair's
/// count of 4 bytes is copied and read.
inline constexpr PairCosts gpu_costs{1.25, 25, 0.06, 0, 1e6, 0, 3};

/// The bands of all rows. It depends on the data, the least support and the form that is asked for
/// alone.
class PairPlan {
 public:
  /// @param rows       must outlive it
  /// @param form       of all pairs; none: of each two bands what takes the least time by their
  ///                   densities, as times were measured (docs/notes/pairs.md)
  /// @param band_rows  of a band
  PairPlan(const PairRows& rows, std::optional<PairForm> form, std::uint32_t band_rows,
           const PairCosts& costs = core_costs);

  const std::vector<PairBand>& bands() const noexcept { return bands_; }
  std::uint32_t band_rows() const noexcept { return band_rows_; }
  /// The columns that a form's rectangles reach.
  std::uint32_t columns_of(PairForm form) const noexcept;
  /// About as long as one thread takes for what the costs are of; 0 if a form was asked for.
  double seconds() const noexcept { return seconds_; }
  /// [pair_forms] pairs that each form counts
  std::array<std::uint64_t, pair_forms> pairs() const noexcept;
  /// "7998000 pairs of 4000 items: 37% by product, 63% by lists"
  std::string in_words() const;

 private:
  PairBand cheapest(RankRange rows);

  const PairRows& rows_;
  std::uint32_t band_rows_;
  PairCosts costs_;
  std::vector<std::uint64_t> entries_before_;  // [items + 1] of more frequent items
  std::vector<PairBand> bands_;
  double seconds_ = 0;
};

/// Pairs of which the rarer item has a rank in the range.
constexpr std::uint64_t pairs_of_rows(std::uint64_t first, std::uint64_t end) noexcept {
  const auto before = [](std::uint64_t rank) { return rank == 0 ? 0 : rank * (rank - 1) / 2; };
  return before(end) - before(first);
}

}  // namespace atl
