#pragma once

#include <cstdint>

namespace atl {

/// The purpose of a stream of draws, in DrawKey::island. Numbers are part of what is generated:
/// append only.
enum class GenerateStream : std::uint32_t {
  poker = 0,
  planted_row = 1,
  planted_design = 2,
  bench_rows = 3,
  bench_rules = 4,
  bench_lists = 5,
  quest_patterns = 6,
  quest_transactions = 7,
  random_baskets = 8,
  probabilities = 9,
};

}  // namespace atl
