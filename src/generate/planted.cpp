#include "src/generate/planted.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"
#include "src/data/dataset.hpp"
#include "src/generate/generate_stream.hpp"
#include "src/generate/planting.hpp"

namespace atl {
namespace {

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
