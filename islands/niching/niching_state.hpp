#pragma once

#include <cstdint>
#include <vector>

#include "islands/population.hpp"
#include "islands/rule_bytes.hpp"

namespace atl {

/// The state that `niching` keeps from one generation to the next beside the population.
struct NichingState {
  /// [operations] share of an operation's children that won
  std::vector<double> success = std::vector<double>(operations, 1.0);
  /// [rows of the sample] good rules of former populations; empty before the first restart
  std::vector<std::uint32_t> covered;
  std::uint32_t replaced = 0;  ///< individuals since stagnation was last looked for
  bool stagnant = false;       ///< the next generation begins anew

  friend bool operator==(const NichingState&, const NichingState&) = default;
};

OwnState encode(const NichingState& state);
/// @throws BadBytes
NichingState decode_niching_state(const OwnState& own);

}  // namespace atl
