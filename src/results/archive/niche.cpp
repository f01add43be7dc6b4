#include "src/results/archive/niche.hpp"

namespace atl {
namespace {

// Finaliser of SplitMix64 (Steele, Lea, Flood 2014) over the value and what came before.
std::uint64_t mix(std::uint64_t state, std::uint64_t value) noexcept {
  std::uint64_t z = (state ^ value) + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// Takes nearly every code, and as bins hold about as many rows each, nearly every row.
bool vacuous(const Comparison& comparison, const Attribute& attribute) noexcept {
  if (!attribute.ordered() || comparison.negated) return false;
  const std::uint64_t codes = std::uint64_t{comparison.high} - comparison.low + 1;
  return codes * 20 >= std::uint64_t{attribute.distinct()} * 19;
}

enum class Place { matters, is_the_same };

// Eighth of the codes that the middle of an interval lies in.
std::uint64_t place_of(const Comparison& comparison, const Attribute& attribute) noexcept {
  return (std::uint64_t{comparison.low} + comparison.high) * 4 / attribute.distinct();
}

std::uint64_t mix(std::uint64_t state, const Comparison& comparison, const Attribute& attribute,
                  Place place) noexcept {
  state = mix(state, comparison.attribute);
  if (has_numbers(attribute.kind) && !attribute.as_labels) {
    return place == Place::matters ? mix(state, place_of(comparison, attribute)) : state;
  }
  state = mix(state, std::uint64_t{comparison.low} << 32 | comparison.high);
  return mix(state, comparison.negated ? 1 : 0);
}

std::uint64_t mix(std::uint64_t state, const Expression& side,
                  std::span<const Attribute> attributes) noexcept {
  const bool conjunction = side.is_conjunction();
  state = mix(state, conjunction ? 0 : 1);
  if (!conjunction) {
    for (const Op op : side.program()) state = mix(state, static_cast<std::uint64_t>(op));
  }
  for (const Comparison& c : side.comparisons()) {
    const Attribute& attribute = attributes[c.attribute];
    if (!conjunction || !vacuous(c, attribute)) state = mix(state, c, attribute, Place::matters);
  }
  return state;
}

}  // namespace

Niche niche(const Rule& rule, std::uint32_t bucket,
            std::span<const Attribute> attributes) noexcept {
  Niche niche;
  const bool conjunction = rule.consequent.is_conjunction();
  for (const Comparison& c : rule.consequent.comparisons()) {
    if (!conjunction || !vacuous(c, attributes[c.attribute])) {
      niche.consequent = mix(niche.consequent, c, attributes[c.attribute], Place::is_the_same);
    }
  }
  niche.bucket = mix(niche.consequent, bucket);
  niche.structure =
      mix(mix(niche.bucket, rule.antecedent, attributes), rule.consequent, attributes);
  return niche;
}

}  // namespace atl
