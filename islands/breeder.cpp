#include "islands/breeder.hpp"

#include <algorithm>
#include <array>

#include "src/eval/common_bits.hpp"

namespace atl {

namespace {

constexpr int attempts = 4;
constexpr double least_rate = 0.05;          // of an operation
constexpr std::uint64_t rows_to_choose = 4;  // seeds take the least covered of so many

Operation draw_operation(std::span<const double> success, RandomStream& stream) {
  double total = 0;
  for (const double rate : success) total += rate;
  double at = stream.next_double();
  for (std::uint8_t i = 0; i + 1 < operations; ++i) {
    const double share = total > 0 ? success[i] / total : 1.0 / operations;
    at -= least_rate + (1 - operations * least_rate) * share;
    if (at < 0) return static_cast<Operation>(i);
  }
  return static_cast<Operation>(operations - 1);
}

}  // namespace

void Breeder::seed(const IslandState& state, RandomStream& stream, Derivation& child) const {
  child = grammar_.derive(stream);
  std::size_t row = stream.below(sample_.rows());
  for (std::uint64_t i = 1; i < rows_to_choose && state.covered.size() == sample_.rows(); ++i) {
    const std::size_t other = stream.below(sample_.rows());
    if (state.covered[other] < state.covered[row]) row = other;
  }
  grammar_.anchor(child, sample_.codes(row), stream);
}

bool Breeder::breed(const IslandState& state, RandomStream& stream, RuleIndex& index,
                    Individual& child) const {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    child.operation = draw_operation(state.success, stream);
    child.derivation = state.population[child.parent].derivation;
    if (!apply(child.operation, state, child.parent, child.derivation, stream)) continue;
    child.rule = grammar_.rule(child.derivation);
    if (index.insert(child)) return true;
  }
  seed(state, stream, child.derivation);
  return false;
}

bool Breeder::apply(Operation operation, const IslandState& state, std::size_t parent,
                    Derivation& child, RandomStream& stream) const {
  if (child.size() < 2) return false;
  const auto any_node = [&] {
    return 1 + static_cast<std::size_t>(stream.below(child.size() - 1));
  };
  const auto any_comparison = [&] {
    const auto nodes = grammar_.comparison_nodes(child);
    return nodes[stream.below(nodes.size())];
  };
  switch (operation) {
    case Operation::exchange:
      return exchange(grammar_, child,
                      state.population[stream.below(state.population.size())].derivation, stream);
    case Operation::rederive:
      if (!grammar_.rederive(child, any_comparison(), stream)) return false;
      anchor(state, parent, child, stream);
      return true;
    case Operation::grow:
      if (!grammar_.grow(child, any_node(), stream)) return false;
      anchor(state, parent, child, stream);
      return true;
    case Operation::shrink:
      return grammar_.shrink(child, any_node(), stream);
    case Operation::perturb:
      return grammar_.perturb(child, any_comparison(), stream);
    case Operation::rederive_fitted:
      if (!grammar_.rederive(child, any_comparison(), stream)) return false;
      fit_new(state.population[parent].derivation, child);
      return true;
    case Operation::grow_fitted:
      if (!grammar_.grow(child, any_node(), stream)) return false;
      fit_new(state.population[parent].derivation, child);
      return true;
    case Operation::refit:
      return fit(child, any_comparison());
  }
  return false;
}

// What is new should hold where the rest does: on a row that the parent covers.
void Breeder::anchor(const IslandState& state, std::size_t parent, Derivation& child,
                     RandomStream& stream) const {
  const std::uint64_t* const antecedent = state.coverage.antecedent(parent).data();
  const std::uint64_t* const consequent = state.coverage.consequent(parent).data();
  const std::uint64_t count = common_bits(antecedent, consequent, sample_.words());
  if (count == 0) return;
  const std::size_t row =
      nth_common_bit(antecedent, consequent, sample_.words(), stream.below(count));
  grammar_.anchor(child, sample_.codes(row), stream);
}

// Fits what the child has and the parent has not.
void Breeder::fit_new(const Derivation& parent, Derivation& child) const {
  for (const std::size_t node : grammar_.comparison_nodes(child)) {
    const auto same = [&](const DerivationNode& n) {
      return n.symbol == child[node].symbol && n.comparison == child[node].comparison;
    };
    if (std::none_of(parent.begin(), parent.end(), same)) fit(child, node);
  }
}

// Gives a comparison the codes that gain most on the sample, the others being as they are.
bool Breeder::fit(Derivation& child, std::size_t node) const {
  const auto relation = grammar_.relation(child[node]);
  const Rule rule = grammar_.rule(child);
  if (!relation || !rule.antecedent.is_conjunction() || !rule.consequent.is_conjunction()) {
    return false;
  }
  const std::uint32_t attribute = child[node].comparison.attribute;
  const auto of_consequent = rule.consequent.comparisons();
  const bool in_consequent =
      std::any_of(of_consequent.begin(), of_consequent.end(),
                  [&](const Comparison& c) { return c.attribute == attribute; });
  const Expression& side = in_consequent ? rule.consequent : rule.antecedent;
  std::array<std::uint64_t, CoverageSample::most_words> wanted, among;
  const Expression& goal = goal_.empty() ? rule.consequent : goal_;
  sample_.cover(in_consequent ? rule.antecedent : goal, wanted.data());
  sample_.cover_all(among.data());
  for (const Comparison& c : side.comparisons()) {
    if (c.attribute != attribute) sample_.narrow(c, among.data());
  }
  const auto codes =
      sample_.best_codes(attribute, *relation, std::span(among).first(sample_.words()),
                         std::span(wanted).first(sample_.words()));
  return codes && grammar_.set_codes(child, node, codes->low, codes->high);
}

}  // namespace atl
