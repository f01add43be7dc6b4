#include "src/generate/planted.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"
#include "src/data/dataset.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {
namespace {

/// The ground that rules are drawn from.
struct PlantingGround {
  std::span<const Attribute> attributes;
  std::span<const Marginal> marginals;
  std::uint32_t inputs = 0;          ///< the first attributes, for antecedents
  std::uint32_t outcomes = 0;        ///< the next ones, for consequents
  std::vector<std::uint32_t> pilot;  ///< [rows][inputs] codes of a sample of the background
};

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

/// Rules with 1, 2, 3, 4, 1, ... comparisons in the antecedent, which holds on 0.45% to 9.5% of the
/// pilot; every other one shares a comparison with the one before if that leaves room. Confidence
/// is planted 0.15 to 0.47 above the background's. Bounds among more than 256 values stay away from
/// multiples of 1/256.
/// @throws UsageError if no such rule turns up
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

constexpr std::uint32_t least_with_rules = 10;
constexpr std::uint32_t pilot_rows = 16384;
constexpr double independent_in_copy = 0.1;  // share of a copy's values that are drawn anew

double normal(RandomStream& stream) {
  // The middle of one of 2^52 equal steps: never 0 or 1.
  return normal_quantile((static_cast<double>(stream.next_u64() >> 12) + 0.5) * 0x1p-52);
}

RandomStream row_stream(std::uint64_t seed, std::uint64_t row) {
  return RandomStream({.seed = seed,
                       .island = static_cast<std::uint32_t>(GenerateStream::planted_row),
                       .generation = static_cast<std::uint32_t>(row >> 32),
                       .slot = static_cast<std::uint32_t>(row),
                       .purpose = Purpose::generate});
}

/// Parts of the design; each has draws of its own.
enum class Part : std::uint32_t { attributes = 0, rules = 1 };

RandomStream design_stream(std::uint64_t seed, Part part) {
  return RandomStream({.seed = seed,
                       .island = static_cast<std::uint32_t>(GenerateStream::planted_design),
                       .slot = static_cast<std::uint32_t>(part),
                       .purpose = Purpose::generate});
}

/// One attribute in four has missing values.
bool may_be_missing(std::size_t attribute) {
  return attribute % 4 == 2;
}

// Simpson's pair: x and y rise together within each group, but from group to group x rises and y
// falls by `shift`, which outweighs it. Correlation 0.6 within, -0.36 over all.
constexpr double correlation_within = 0.6;
constexpr double shift = 1.5;

}  // namespace

PlantedSource::PlantedSource(const PlantedOptions& options)
    : seed_(options.seed), missing_(options.missing), correlated_(options.rules > 0) {
  if (!correlated_) {
    add_base(options.attributes);
  } else {
    if (options.attributes < least_with_rules) {
      throw UsageError("--attributes " + std::to_string(options.attributes) +
                       ": planted rules need at least " + std::to_string(least_with_rules));
    }
    const std::uint32_t copies = options.attributes / 10;
    add_base(options.attributes - copies - 3);
    add_copies(copies);
    add_simpson_pair();
    draw_rules(options.rules);
  }
  for (std::size_t a = 0; a < attributes_.size(); ++a) {
    attributes_[a].has_missing = may_be_missing(a) && missing_ > 0;
  }
}

void PlantedSource::add(DistributedAttribute made) {
  attributes_.push_back(std::move(made.attribute));
  marginals_.push_back(std::move(made.marginal));
}

void PlantedSource::add_base(std::uint32_t count) {
  using enum AttributeKind;
  static constexpr std::array<AttributeKind, 10> kinds = {
      numeric, nominal, numeric, ordinal, numeric, nominal, numeric, nominal, ordinal, numeric};
  auto stream = design_stream(seed_, Part::attributes);
  std::array<std::uint32_t, 3> numbers{};
  for (std::uint32_t i = 0; i < count; ++i) {
    Copula copula;
    if (correlated_) {
      double rest = 1;
      for (double& loading : copula.loadings) {
        loading = stream.next_double() - 0.5;
        rest -= loading * loading;
      }
      copula.own = std::sqrt(rest);
    }
    copulas_.push_back(copula);
    const AttributeKind kind = kinds[i % kinds.size()];
    const std::uint32_t number = numbers[static_cast<std::size_t>(kind)]++;
    const std::string suffix = std::to_string(number + 1);
    switch (kind) {
      case numeric:
        add(make_numeric("num" + suffix, number));
        break;
      case nominal:
        add(make_nominal("nom" + suffix, stream));
        break;
      case ordinal:
        add(make_ordinal("ord" + suffix, stream));
        break;
      default:
        break;  // dates are not generated
    }
  }
}

void PlantedSource::add_copies(std::uint32_t count) {
  for (std::uint32_t source = 0; source < count; ++source) {
    copied_.push_back(source);
    attributes_.push_back(attributes_[source]);
    attributes_.back().name += "_copy";
    marginals_.push_back(marginals_[source]);
  }
}

void PlantedSource::add_simpson_pair() {
  add(make_groups("simpson_group", {"east", "north", "west"}));
  add(make_numeric("simpson_x", 2));
  add(make_numeric("simpson_y", 2));
}

void PlantedSource::draw_rules(std::uint32_t count) {
  PlantingGround ground;
  ground.attributes = attributes_;
  ground.marginals = marginals_;
  ground.inputs = inputs();
  ground.outcomes = static_cast<std::uint32_t>(copulas_.size()) - ground.inputs;
  std::vector<std::uint32_t> codes(attributes_.size());
  for (std::uint32_t row = 0; row < pilot_rows; ++row) {
    auto stream = row_stream(seed_, row);
    make_background(stream, codes);
    ground.pilot.insert(ground.pilot.end(), codes.begin(), codes.begin() + ground.inputs);
  }
  auto stream = design_stream(seed_, Part::rules);
  rules_ = atl::draw_rules(ground, count, stream);
}

std::uint32_t PlantedSource::inputs() const noexcept {
  return static_cast<std::uint32_t>(copulas_.size() - (copulas_.size() + 3) / 4);
}

void PlantedSource::make_background(RandomStream& stream, std::span<std::uint32_t> codes) const {
  std::array<double, factors> common{};
  const auto draw_common = [&] {
    for (double& factor : common) factor = normal(stream);
  };
  if (correlated_) draw_common();
  for (std::size_t a = 0; a < copulas_.size(); ++a) {
    // Factors of their own: what ties outcomes to inputs is planted.
    if (correlated_ && a == inputs()) draw_common();
    const Copula& copula = copulas_[a];
    double z = copula.own * normal(stream);
    for (std::size_t f = 0; f < factors; ++f) z += copula.loadings[f] * common[f];
    codes[a] = marginals_[a].code_of_normal(z);
  }
}

void PlantedSource::make_row(std::uint64_t row, std::span<std::uint32_t> codes) const {
  auto stream = row_stream(seed_, row);
  make_background(stream, codes);

  for (const PlantedRule& rule : rules_) {
    if (!holds(rule.antecedent, codes)) continue;
    const Comparison& c = rule.consequent;
    const Marginal& marginal = marginals_[c.attribute];
    codes[c.attribute] = stream.chance(rule.confidence)
                             ? marginal.draw_within(c.low, c.high, stream)
                             : marginal.draw_outside(c.low, c.high, stream);
  }

  std::size_t a = copulas_.size();
  for (const std::uint32_t source : copied_) {
    const std::uint32_t last = marginals_[a].codes() - 1;
    if (stream.chance(independent_in_copy)) {
      codes[a] = marginals_[a].draw_within(0, last, stream);
    } else if (attributes_[a].kind == AttributeKind::numeric) {
      const std::uint32_t spread = 1 + last / 100;  // codes; noise of 1% of the range
      const auto moved = codes[source] + static_cast<std::uint32_t>(stream.below(2 * spread + 1));
      codes[a] = std::min(moved < spread ? 0 : moved - spread, last);
    } else {
      codes[a] = codes[source];
    }
    ++a;
  }

  if (correlated_) {
    const auto group = static_cast<std::uint32_t>(stream.below(3));
    const double step = shift * (static_cast<double>(group) - 1);
    const double scale = 1 / std::sqrt(1 + shift * shift * (2.0 / 3));
    const double x = normal(stream);
    const double y = correlation_within * x +
                     std::sqrt(1 - correlation_within * correlation_within) * normal(stream);
    codes[a] = group;
    codes[a + 1] = marginals_[a + 1].code_of_normal(scale * (x + step));
    codes[a + 2] = marginals_[a + 2].code_of_normal(scale * (y - step));
  }

  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (attributes_[i].has_missing && stream.chance(missing_)) codes[i] = missing_code;
  }
}

}  // namespace atl
