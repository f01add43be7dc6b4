// Contingency tables to try measures on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "src/core/random.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl::test {

/// No row, few, 2^31 and beyond; sides on no row, one, half, all but one and all; as few rows in
/// common as can be, as if independent, as many as can be.
inline std::vector<ContingencyTable> extreme_tables() {
  std::vector<ContingencyTable> tables;
  const auto size = [](std::uint64_t n, int which) {
    const std::uint64_t sizes[] = {0, std::min<std::uint64_t>(n, 1), n / 2, n - (n > 0), n};
    return sizes[which];
  };
  for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, 3ULL, 100ULL, 1025010ULL, 1ULL << 31,
                                (1ULL << 32) - 1, 1ULL << 32, (1ULL << 40) + 1}) {
    for (int i = 0; i < 25; ++i) {
      const std::uint64_t a = size(n, i / 5);
      const std::uint64_t c = size(n, i % 5);
      const std::uint64_t most = std::min(a, c);
      const std::uint64_t least = a + c > n ? a + c - n : 0;
      const auto independent = static_cast<std::uint64_t>(
          n == 0 ? 0 : static_cast<double>(a) * static_cast<double>(c) / static_cast<double>(n));
      for (const std::uint64_t both : {least, std::clamp(independent, least, most), most}) {
        tables.push_back({n, a, c, both});
        tables.push_back({n, a, c, both, a, both});
        tables.push_back({n, a, c, both, n, c});
      }
    }
  }
  return tables;
}

/// Up to 2^48 rows, with generalisations; every other one is about a mean.
inline std::vector<ContingencyTable> random_tables(std::uint64_t seed, std::uint32_t count) {
  using Side = TargetMoments::Side;
  std::vector<ContingencyTable> tables;
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    RandomStream stream({seed, 0, 0, slot, Purpose::test});
    const auto from = [&](std::uint64_t low, std::uint64_t high) {
      return low + stream.below(high - low + 1);
    };
    const auto value = [&] { return 2000 * stream.next_double() - 1000; };
    ContingencyTable table;
    table.n = from(1, 1ULL << (1 + stream.below(48)));
    table.n_antecedent = from(0, table.n);
    table.n_consequent = from(0, table.n);
    const std::uint64_t sum = table.n_antecedent + table.n_consequent;
    table.n_both =
        from(sum > table.n ? sum - table.n : 0, std::min(table.n_antecedent, table.n_consequent));
    table.n_general_antecedent = from(table.n_antecedent, table.n);
    table.n_general_both = table.n_both + std::min(table.n_general_antecedent - table.n_antecedent,
                                                   table.n_consequent - table.n_both);
    if (slot % 2 == 1) {
      table.target = {slot % 4 == 1 ? Side::high : Side::low,
                      value(),
                      value(),
                      value(),
                      slot % 32 == 1 ? 0 : 1000 * stream.next_double(),
                      slot % 8 == 1 ? -1 : 1000 * stream.next_double()};
    }
    tables.push_back(table);
  }
  return tables;
}

}  // namespace atl::test
