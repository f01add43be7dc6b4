// Counter-based random numbers: a draw is a function of where in the experiment it is made, never
// of what was drawn before it, so results do not depend on threads, ranks or restarts.
#pragma once

#include <cstdint>

namespace atl {

/// The purpose of a stream of draws. Numbers are part of the reproducible experiment: append only.
enum class Purpose : std::uint8_t {
  initialise = 1,
  select = 2,
  crossover = 3,
  mutate = 4,
  replace = 5,
  migrate = 6,
  generate = 7,
  compete = 8,
  connect = 9,
  hold_out = 16,
  test = 255,
};

/// Position of a stream in the experiment.
struct DrawKey {
  std::uint64_t seed = 0;
  std::uint32_t island = 0;  ///< below 2^24
  std::uint32_t generation = 0;
  std::uint32_t slot = 0;
  Purpose purpose = Purpose::test;
};

/// Draws 0, 1, 2, ... of one position, by Philox4x32-10 (Salmon et al. 2011, "Parallel random
/// numbers: as easy as 1, 2, 3"). Key: the seed's low and high half. Counter: block number, slot,
/// generation, island + purpose * 2^24. Cheap to construct; copies continue independently.
class RandomStream {
 public:
  explicit RandomStream(const DrawKey& key) noexcept : key_(key) {}

  std::uint64_t next_u64() noexcept;
  /// Uniform in [0, 1) with 53 bits.
  double next_double() noexcept;
  /// Uniform in [0, bound), without bias (Lemire 2019). @pre bound > 0
  std::uint64_t below(std::uint64_t bound) noexcept;
  /// True with the given probability.
  bool chance(double probability) noexcept { return next_double() < probability; }

 private:
  DrawKey key_;
  std::uint32_t block_ = 0;
  std::uint32_t left_ = 0;  // words of buffer_ not yet handed out
  std::uint64_t buffer_[2] = {0, 0};
};

}  // namespace atl
