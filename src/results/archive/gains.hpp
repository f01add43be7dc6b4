// Tells whether a search still gains: what its archive is worth, and since when that stands still.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/config/experiment.hpp"
#include "src/core/run_state.hpp"
#include "src/results/archive/archive.hpp"

namespace atl {

/// The worth of an archive, in three numbers: the best value of its measure; the figure, the sum of
/// v_k / k over the `top` best buckets, v_k the value of the best rule of the k-th; and the front,
/// a sum over consequents and the coverages 0.1, 0.2, 0.5, 1, 2, 5, 10, 20 and 50% of the greatest
/// lower bound of a rule that covers so much. The bound is that of confidence (Wilson), or for
/// means of their distance from that of all rows in its deviations. Values that are no numbers, or
/// infinite, are passed over. 0 without rules.
using ArchiveWorth = std::array<double, 3>;

ArchiveWorth worth_of(const Archive& archive, std::size_t top);

/// Generations between looks at an archive's worth, for one who has so much patience.
constexpr std::uint32_t generations_between_looks(std::uint32_t patience) noexcept {
  return patience < 10 ? patience : 10;
}

/// Generations that are worth a try where a search still gains after so many.
constexpr std::uint32_t more_generations(std::uint32_t generations) noexcept {
  return generations > endless_generations / 4 ? endless_generations : 4 * generations;
}

/// Remembers the last gain: when one of the three numbers was above what it was at the gain before
/// by more than a share of that. So many small gains are one, too.
class GainWatch {
 public:
  static constexpr const char* section_name = "gains";

  explicit GainWatch(double least_gain = 0.001) noexcept : least_gain_(least_gain) {}

  /// Takes in what the archive is worth after a generation. @return is it a gain?
  bool look(std::uint32_t generation, const ArchiveWorth& worth);
  /// The generation of the last gain.
  std::uint32_t last_gain() const noexcept { return last_gain_; }
  double least_gain() const noexcept { return least_gain_; }
  /// Is there no gain since so many generations?
  bool over(std::uint32_t generation, std::uint32_t patience) const noexcept {
    return patience != 0 && generation >= std::uint64_t{last_gain_} + patience;
  }
  /// May more generations bring more? They may if the last gain came in the later half of these.
  bool goes_on(std::uint32_t generation, std::uint32_t patience) const noexcept {
    return !over(generation, patience) && std::uint64_t{last_gain_} * 2 > generation;
  }

  Section section() const;
  /// Begins anew where the state has none. @throws BadBytes
  void load(const RunState& state);

 private:
  double least_gain_;
  std::uint32_t last_gain_ = 0;
  ArchiveWorth worth_ = {};  // then
};

}  // namespace atl
