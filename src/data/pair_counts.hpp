#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace atl {

/// Counts, in each half of the rows, how often each pair of values of two attributes comes
/// together.
class PairCounts {
 public:
  /// @param a_values, b_values  how many each has
  PairCounts(std::uint32_t a_values, std::uint32_t b_values);

  void add(std::uint32_t a, std::uint32_t b, unsigned half) {
    if (dense_.empty()) {
      ++sparse_[std::uint64_t{a} << 32 | b][half];
    } else {
      ++dense_[std::size_t{a} * b_values_ + b][half];
    }
  }

  struct Outcome {
    std::uint64_t rows = 0;
    std::uint64_t exceptions = 0;        ///< rows that a does not predict from the other half
    std::uint64_t least_exceptions = 0;  ///< the same if all rows predicted each
    std::uint64_t off_mode = 0;          ///< rows that the overall mode of b does not predict
    double log_ways = 0;  ///< ln of the ways to deal out the values of b in the halves
  };
  Outcome outcome() const;

 private:
  using Halves = std::array<std::uint32_t, 2>;
  struct Entry {
    std::uint32_t a, b;
    Halves rows;
  };
  std::vector<Entry> entries() const;  // by a, then b

  std::size_t b_values_;
  std::vector<Halves> dense_;
  std::unordered_map<std::uint64_t, Halves> sparse_;
};

}  // namespace atl
