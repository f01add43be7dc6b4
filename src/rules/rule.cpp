#include "src/rules/rule.hpp"

#include <algorithm>
#include <utility>

#include "src/rules/expression_codec.hpp"

namespace atl {
namespace {

/// Both halves of the 128-bit product, which depend on every bit of both factors.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  const auto product = static_cast<unsigned __int128>(a ^ 0x9E3779B97F4A7C15U) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t hash(const Expression& expression, std::uint64_t seed) noexcept {
  for (const Op op : expression.program()) seed = 5 * seed + static_cast<std::uint64_t>(op);
  for (const Comparison& comparison : expression.comparisons()) {
    const std::uint64_t place = std::uint64_t{comparison.attribute} << 1 | comparison.negated;
    const std::uint64_t codes = std::uint64_t{comparison.high} << 32 | comparison.low;
    seed = mix(seed ^ codes, 0xD6E8FEB86659FD93U ^ place << 7) + codes;
  }
  return mix(seed, 0xBF58476D1CE4E5B9U);
}

}  // namespace

std::strong_ordering operator<=>(const Rule& a, const Rule& b) noexcept {
  if (const auto order = a.comparisons() <=> b.comparisons(); order != 0) return order;
  if (const auto order = a.antecedent <=> b.antecedent; order != 0) return order;
  return a.consequent <=> b.consequent;
}

Rule canonical(const Rule& rule, std::span<const Attribute> attributes) {
  return {canonical(rule.antecedent, attributes), canonical(rule.consequent, attributes)};
}

bool sides_disjoint(const Rule& rule) noexcept {
  const auto consequent = rule.consequent.comparisons();
  for (const Comparison& a : rule.antecedent.comparisons())
    if (std::any_of(consequent.begin(), consequent.end(),
                    [&](const Comparison& c) { return c.attribute == a.attribute; }))
      return false;
  return true;
}

std::uint64_t hash(const Rule& rule) noexcept {
  return hash(rule.consequent, hash(rule.antecedent, 0));
}

std::size_t symbols(const Rule& rule) noexcept {
  const std::size_t operations =
      rule.antecedent.program().size() + rule.consequent.program().size();
  return 3 * rule.comparisons() + (operations - rule.comparisons());
}

void encode(ByteWriter& out, const Rule& rule) {
  encode(out, rule.antecedent);
  encode(out, rule.consequent);
}

Rule decode_rule(ByteReader& in, std::span<const Attribute> attributes) {
  Expression antecedent = decode_expression(in, attributes);
  Expression consequent = decode_expression(in, attributes);
  return {std::move(antecedent), std::move(consequent)};
}

}  // namespace atl
