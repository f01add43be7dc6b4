// The most that a machine allows, from the rates measured on it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cuda/device/device_rates.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/core_rates.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// Symbols of all rules times rows a second that a core reaches at most by comparing bit planes,
/// raw. For a word of 64 rows that takes at least, at the core's rates,
///   logic: a step for each planes_per_step planes, for `code > bound` from those after the ones
///     with the bound's lowest zero bit on, for an equality from the second on; one to join the
///     comparison to its side; one for both sides;
///   three popcounts a rule; a load a comparison, of the words that it is joined to;
/// whichever of the three takes longest.
double core_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                  const CoreRates& rates);

/// Likewise of a device, on so many rows; docs/reference/bench.md has the sum.
struct DeviceBound {
  double raw = 0;
  double with_supports = 0;
  double effective = 0;
  std::string limit;  ///< of the raw one: logic, popcounts, shared memory or memory
  /// The rate that logic alone would allow, raw, if an operation took one plane and a connective
  /// another.
  double plane_an_operation = 0;
};

/// The bound of a device. For a word of 32 rows comparisons take at least
///   logic: as a core's, with two planes a step, as a three-input operation takes the result so far
///     and two more planes; effective: an operation for each further use of a comparison;
///   three popcounts a rule, with supports one a comparison more;
///   shared memory: for each use of a comparison the word of its side is read and written;
/// and for the whole batch the planes of its attributes read once, from the second-level cache if
/// they fit there; whichever of the four takes longest.
DeviceBound device_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                         std::uint64_t rows, const cuda::DeviceRates& rates);

}  // namespace atl
