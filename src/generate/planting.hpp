#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/generate/planted.hpp"

namespace atl {

/// The ground that rules are drawn from.
struct PlantingGround {
  std::span<const Attribute> attributes;
  std::span<const Marginal> marginals;
  std::uint32_t inputs = 0;          ///< the first attributes, for antecedents
  std::uint32_t outcomes = 0;        ///< the next ones, for consequents
  std::vector<std::uint32_t> pilot;  ///< [rows][inputs] codes of a sample of the background
};

/// Rules with 1, 2, 3, 4, 1, ... comparisons in the antecedent, which holds on 0.45% to 9.5% of the
/// pilot; every other one shares a comparison with the one before if that leaves room. Confidence
/// is planted 0.15 to 0.47 above the background's. Bounds among more than 256 values stay away from
/// multiples of 1/256.
/// @throws UsageError if no such rule turns up
std::vector<PlantedRule> draw_rules(const PlantingGround& ground, std::uint32_t count,
                                    RandomStream& stream);

}  // namespace atl
