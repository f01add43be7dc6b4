#include "src/rules/productivity.hpp"

#include <cstdint>

#include "src/measures/significance.hpp"

namespace atl {
namespace {

/// Cuts an expression into the operands of its outermost AND.
class Conjuncts {
 public:
  explicit Conjuncts(const Expression& expression)
      : program_(expression.program()), comparisons_(expression.comparisons()) {
    std::vector<std::size_t> stack;
    std::size_t comparisons = 0;
    for (std::size_t i = 0; i < program_.size(); ++i) {
      comparisons_before_.push_back(comparisons);
      if (program_[i] == Op::comparison) {
        ++comparisons;
        stack.push_back(i);
      } else if (program_[i] != Op::negation) {
        stack.pop_back();  // the operation begins where its left operand does
      }
      begins_.push_back(stack.back());
    }
    comparisons_before_.push_back(comparisons);
    cut(program_.size() - 1);
  }

  std::vector<Expression> found;  // left to right

 private:
  void cut(std::size_t last) {
    if (program_[last] == Op::conjunction) {
      cut(begins_[last - 1] - 1);
      cut(last - 1);
      return;
    }
    const std::size_t first = begins_[last];
    const auto ops = program_.subspan(first, last + 1 - first);
    const auto operands = comparisons_.subspan(
        comparisons_before_[first], comparisons_before_[last + 1] - comparisons_before_[first]);
    found.emplace_back(std::vector<Op>(ops.begin(), ops.end()),
                       std::vector<Comparison>(operands.begin(), operands.end()));
  }

  std::span<const Op> program_;
  std::span<const Comparison> comparisons_;
  std::vector<std::size_t> begins_;              // [program] first element of what ends there
  std::vector<std::size_t> comparisons_before_;  // [program + 1]
};

std::vector<Expression> parts_of(const Expression& antecedent,
                                 std::span<const Attribute> attributes) {
  std::vector<Expression> parts;
  for (Expression& conjunct : Conjuncts(antecedent).found) {
    const Comparison c = conjunct.comparisons().front();
    const std::uint32_t last = attributes[c.attribute].distinct() - 1;
    const bool two_bounds = conjunct.program().size() == 1 && !c.negated &&
                            attributes[c.attribute].ordered() && c.low > 0 && c.high < last;
    if (!two_bounds) {
      parts.push_back(std::move(conjunct));
      continue;
    }
    parts.push_back(Expression::of({c.attribute, c.low, last, false}));
    parts.push_back(Expression::of({c.attribute, 0, c.high, false}));
  }
  return parts;
}

/// The conjunction of the parts for which `keeps` is true; empty if there is none.
template <typename Keeps>
Expression conjunction_of(std::span<const Expression> parts, const Keeps& keeps) {
  Expression joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (keeps(i)) joined = joined.empty() ? parts[i] : both(joined, parts[i]);
  }
  return joined;
}

}  // namespace

std::vector<Expression> proper_generalisations(const Expression& antecedent,
                                               std::span<const Attribute> attributes) {
  const std::vector<Expression> parts = parts_of(antecedent, attributes);
  std::vector<Expression> general;
  if (parts.size() > most_generalised_parts) {
    general.emplace_back();
    for (std::size_t dropped = 0; dropped < parts.size(); ++dropped) {
      general.push_back(conjunction_of(parts, [&](std::size_t i) { return i != dropped; }));
    }
    return general;
  }
  const std::uint32_t all = (std::uint32_t{1} << parts.size()) - 1;
  for (std::uint32_t kept = 0; kept < all; ++kept) {
    general.push_back(conjunction_of(parts, [&](std::size_t i) { return (kept >> i & 1) != 0; }));
  }
  return general;
}

double log_productive_p(const ContingencyTable& special, const ContingencyTable& general) noexcept {
  if (special.target.side != TargetMoments::Side::none)
    return log_productive_mean_p(special, general);
  return log_fisher_p({general.n_antecedent, special.n_antecedent, general.n_both, special.n_both});
}

}  // namespace atl
