#include "src/generate/marginal.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "src/core/portable_math.hpp"

namespace atl {
namespace {

// The guide covers [-guide_end, guide_end] of the normal axis.
constexpr double guide_end = 4;
constexpr double guide_steps_per_unit = 128;

double exponential(double x) {
  return 1 - portable_exp(-x);
}
double logistic(double x) {
  return 1 / (1 + portable_exp(-x));
}

/// Values first, first + 1 / per_unit, ... and a continuous distribution rounded to them.
struct NumericShape {
  int last;      ///< values run from 0 to here
  int per_unit;  ///< and there are so many in a unit
  double (*cumulative)(double);
};

constexpr std::array<NumericShape, 7> shapes = {{
    {100, 100, [](double x) { return x / 100; }},
    {92, 10, [](double x) { return exponential(x / 10); }},
    {100, 10, [](double x) { return logistic((x - 50) / 5); }},
    {800, 1, [](double x) { return exponential(2.5 * portable_log(1 + x / 20)); }},  // Lomax
    {75, 10, [](double x) { return 0.6 * logistic((x - 20) / 2) + 0.4 * logistic((x - 45) / 3); }},
    {55, 1, [](double x) { return exponential(x / 6); }},
    {138, 10, [](double x) { return 0.4 + 0.6 * exponential(x / 15); }},
}};

std::vector<double> accumulate_shares(const std::vector<double>& weights) {
  double total = 0;
  for (const double weight : weights) total += weight;
  std::vector<double> cumulative;
  cumulative.reserve(weights.size());
  double sum = 0;
  for (const double weight : weights) cumulative.push_back((sum += weight) / total);
  return cumulative;
}

DistributedAttribute make_labelled(const std::string& name, AttributeKind kind,
                                   std::vector<std::string> labels,
                                   const std::vector<double>& weights) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  attribute.labels = std::move(labels);
  return {std::move(attribute), Marginal(accumulate_shares(weights))};
}

}  // namespace

Marginal::Marginal(std::vector<double> cumulative) : cumulative_(std::move(cumulative)) {
  cumulative_.back() = 1;
  for (const double share : cumulative_) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    bounds_.push_back(share <= 0 ? -infinity : share >= 1 ? infinity : normal_quantile(share));
  }
  std::uint32_t code = 0;
  for (double z = -guide_end; z < guide_end; z += 1 / guide_steps_per_unit) {
    while (bounds_[code] < z) ++code;
    guide_.push_back(code);
  }
}

std::uint32_t Marginal::code_of_share(double share) const noexcept {
  const auto at = std::lower_bound(cumulative_.begin(), cumulative_.end() - 1, share);
  return static_cast<std::uint32_t>(at - cumulative_.begin());
}

std::uint32_t Marginal::code_of_normal(double z) const noexcept {
  const double step = (z + guide_end) * guide_steps_per_unit;
  std::size_t code = 0;
  std::size_t last = bounds_.size() - 1;
  if (step >= 0) {
    const auto at = std::min(static_cast<std::size_t>(step), guide_.size() - 1);
    code = guide_[at];
    if (at + 1 < guide_.size()) last = guide_[at + 1];
  }
  const auto begin = bounds_.begin();
  const auto found = std::lower_bound(begin + static_cast<std::ptrdiff_t>(code),
                                      begin + static_cast<std::ptrdiff_t>(last), z);
  return static_cast<std::uint32_t>(found - begin);
}

std::uint32_t Marginal::draw_within(std::uint32_t low, std::uint32_t high,
                                    RandomStream& stream) const {
  const double start = low == 0 ? 0 : cumulative_[low - 1];
  const double drawn = start + stream.next_double() * (cumulative_[high] - start);
  return std::clamp(code_of_share(drawn), low, high);
}

std::uint32_t Marginal::draw_outside(std::uint32_t low, std::uint32_t high,
                                     RandomStream& stream) const {
  const double below = low == 0 ? 0 : cumulative_[low - 1];
  const double above = 1 - cumulative_[high];
  if (stream.chance(below / (below + above))) return draw_within(0, low - 1, stream);
  return draw_within(high + 1, codes() - 1, stream);
}

DistributedAttribute make_numeric(const std::string& name, std::uint32_t number) {
  const NumericShape& shape = shapes[number % shapes.size()];
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::numeric;
  std::vector<double> cumulative;
  for (int i = 0; i <= shape.last * shape.per_unit; ++i) {
    attribute.low.push_back(static_cast<double>(i) / shape.per_unit);
    cumulative.push_back(shape.cumulative((i + 0.5) / shape.per_unit));
  }
  attribute.high = attribute.low;
  return {std::move(attribute), Marginal(std::move(cumulative))};
}

DistributedAttribute make_nominal(const std::string& name, RandomStream& stream) {
  const std::uint64_t count = 3 + stream.below(10);
  std::vector<std::string> labels;
  std::vector<double> weights;
  for (std::uint64_t i = 0; i < count; ++i) {
    labels.emplace_back(1, static_cast<char>('A' + i));
    weights.push_back(1 / static_cast<double>(i + 1));
    std::swap(weights[i], weights[stream.below(i + 1)]);
  }
  return make_labelled(name, AttributeKind::nominal, std::move(labels), weights);
}

DistributedAttribute make_ordinal(const std::string& name, RandomStream& stream) {
  std::vector<std::string> labels = {"low", "medium", "high", "higher", "highest"};
  labels.resize(3 + stream.below(3));
  std::vector<double> weights;
  for (std::size_t i = 0; i < labels.size(); ++i) weights.push_back(0.5 + stream.next_double());
  return make_labelled(name, AttributeKind::ordinal, std::move(labels), weights);
}

DistributedAttribute make_groups(const std::string& name, std::vector<std::string> labels) {
  const std::vector<double> weights(labels.size(), 1);
  return make_labelled(name, AttributeKind::nominal, std::move(labels), weights);
}

}  // namespace atl
