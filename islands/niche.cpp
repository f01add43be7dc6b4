#include "islands/niche.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

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
  if (attribute.kind == AttributeKind::numeric) {
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

std::uint64_t rows_of(const Comparison& c, const Attribute& attribute) noexcept {
  const auto& counts = attribute.counts;
  const auto sum = [&](std::size_t from, std::size_t to) {
    return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(from),
                           counts.begin() + static_cast<std::ptrdiff_t>(to), std::uint64_t{0});
  };
  const std::size_t end = std::size_t{c.high} + 1;
  return c.negated ? sum(0, c.low) + sum(end, counts.size()) : sum(c.low, end);
}

std::uint64_t mix_leader(std::uint64_t state, const Expression& antecedent,
                         std::span<const Attribute> attributes) noexcept {
  if (!antecedent.is_conjunction()) return mix(state, antecedent, attributes);
  const Comparison* leader = nullptr;
  std::uint64_t fewest = 0;
  for (const Comparison& c : antecedent.comparisons()) {
    const std::uint64_t rows = rows_of(c, attributes[c.attribute]);
    if (leader != nullptr && rows >= fewest) continue;
    leader = &c;
    fewest = rows;
  }
  if (leader == nullptr) return state;
  return mix(state, *leader, attributes[leader->attribute], Place::matters);
}

}  // namespace

Niche niche(const Rule& rule, std::span<const Attribute> attributes) noexcept {
  Niche niche;
  const bool conjunction = rule.consequent.is_conjunction();
  for (const Comparison& c : rule.consequent.comparisons()) {
    if (!conjunction || !vacuous(c, attributes[c.attribute])) {
      niche.consequent = mix(niche.consequent, c, attributes[c.attribute], Place::is_the_same);
    }
  }
  niche.leader = mix_leader(niche.consequent, rule.antecedent, attributes);
  niche.structure =
      mix(mix(niche.leader, rule.antecedent, attributes), rule.consequent, attributes);
  return niche;
}

}  // namespace atl
