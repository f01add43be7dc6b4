#include "src/generate/planting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "src/core/error.hpp"
#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"

namespace atl {
namespace {

constexpr std::array<double, 2> antecedent_share = {0.0045, 0.095};  // on the pilot
constexpr std::array<double, 2> consequent_share = {0.05, 0.4};
constexpr std::array<double, 2> added_confidence = {0.15, 0.47};
constexpr double least_shared = 0.02;  // of a comparison that a second rule can narrow further
constexpr std::size_t longest_antecedent = 4;
constexpr int attempts = 10'000;

double between(const std::array<double, 2>& bounds, RandomStream& stream) {
  return bounds[0] + stream.next_double() * (bounds[1] - bounds[0]);
}

bool in(const std::array<double, 2>& bounds, double x) {
  return bounds[0] <= x && x <= bounds[1];
}

/// A code near the given share at which a bound does not fall on a 256-quantile.
std::uint32_t cut(const Marginal& marginal, double share) {
  std::uint32_t code = std::min(marginal.code_of_share(share), marginal.codes() - 2);
  if (marginal.codes() <= 256) return code;
  for (; code + 2 < marginal.codes(); ++code) {
    const double quantile = marginal.cumulative(code) * 256;
    const double off = quantile - std::floor(quantile);
    if (0.25 <= off && off <= 0.75) break;
  }
  return code;
}

/// A comparison that holds on about `share` of the background; on ordinal and nominal attributes,
/// which offer no choice of shares, on any share.
Comparison draw_comparison(const PlantingGround& ground, std::uint32_t attribute, double share,
                           RandomStream& stream) {
  const Marginal& marginal = ground.marginals[attribute];
  const std::uint32_t last = marginal.codes() - 1;
  switch (ground.attributes[attribute].kind) {
    case AttributeKind::nominal: {
      const auto label = static_cast<std::uint32_t>(stream.below(marginal.codes()));
      return {attribute, label, label};
    }
    case AttributeKind::ordinal: {
      const auto level = static_cast<std::uint32_t>(stream.below(last));
      if (stream.chance(0.5)) return {attribute, 0, level};
      return {attribute, level + 1, last};
    }
    default:
      break;  // numbers
  }
  const std::uint64_t form = stream.below(4);
  if (form == 0) return {attribute, 0, cut(marginal, share)};
  if (form == 1) return {attribute, cut(marginal, 1 - share) + 1, last};
  const double start = stream.next_double() * (1 - share);
  const std::uint32_t low = cut(marginal, start) + 1;
  return {attribute, low, std::max(low, cut(marginal, start + share))};
}

double share_of(const PlantingGround& ground, const Comparison& comparison) {
  return ground.marginals[comparison.attribute].share(comparison.low, comparison.high);
}

double share_on_pilot(const PlantingGround& ground, std::span<const Comparison> conjunction) {
  const std::size_t rows = ground.pilot.size() / ground.inputs;
  std::size_t covered = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    covered += holds(conjunction, std::span(ground.pilot).subspan(row * ground.inputs)) ? 1U : 0U;
  }
  return static_cast<double>(covered) / static_cast<double>(rows);
}

/// nullopt if what was drawn is no good.
std::optional<std::vector<Comparison>> draw_antecedent(const PlantingGround& ground,
                                                       std::size_t length, const Comparison* shared,
                                                       RandomStream& stream) {
  const double wanted = portable_exp(
      between({portable_log(antecedent_share[0]), portable_log(antecedent_share[1])}, stream));
  const double each = portable_exp(portable_log(wanted) / static_cast<double>(length));
  std::vector<Comparison> antecedent;
  if (shared != nullptr) antecedent.push_back(*shared);
  while (antecedent.size() < length) {
    const auto attribute = static_cast<std::uint32_t>(stream.below(ground.inputs));
    antecedent.push_back(draw_comparison(ground, attribute, each, stream));
  }
  std::sort(antecedent.begin(), antecedent.end());
  for (std::size_t i = 1; i < length; ++i) {
    if (antecedent[i - 1].attribute == antecedent[i].attribute) return std::nullopt;
  }
  if (!in(antecedent_share, share_on_pilot(ground, antecedent))) return std::nullopt;
  return antecedent;
}

std::optional<Comparison> draw_consequent(const PlantingGround& ground, std::uint32_t outcome,
                                          RandomStream& stream) {
  const double wanted = between(consequent_share, stream);
  const Comparison consequent =
      draw_comparison(ground, ground.inputs + outcome % ground.outcomes, wanted, stream);
  if (!in(consequent_share, share_of(ground, consequent))) return std::nullopt;
  return consequent;
}

/// Repeats a draw until it is good.
template <typename Draw>
auto insist(const Draw& draw, std::size_t rule) {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (auto drawn = draw()) return *std::move(drawn);
  }
  throw UsageError("no place to plant rule " + std::to_string(rule + 1) +
                   "; use another --seed, more --attributes or fewer --rules");
}

}  // namespace

std::vector<PlantedRule> draw_rules(const PlantingGround& ground, std::uint32_t count,
                                    RandomStream& stream) {
  std::vector<PlantedRule> rules;
  for (std::uint32_t r = 0; r < count; ++r) {
    const std::size_t length = 1 + r % longest_antecedent;
    const Comparison* shared = r % 2 == 1 ? &rules.back().antecedent.front() : nullptr;
    if (shared != nullptr && share_of(ground, *shared) < least_shared) shared = nullptr;
    PlantedRule rule;
    rule.antecedent = insist([&] { return draw_antecedent(ground, length, shared, stream); }, r);
    // A nominal outcome may have no label of a fitting share: the next outcome then.
    std::uint32_t outcome = r;
    rule.consequent = insist([&] { return draw_consequent(ground, outcome++, stream); }, r);
    rule.confidence = share_of(ground, rule.consequent) + between(added_confidence, stream);
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace atl
