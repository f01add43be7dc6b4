// Tables that a bound grammar computes in advance, so that deriving is only drawing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/grammar/code_sampler.hpp"
#include "src/grammar/grammar_aim.hpp"
#include "src/grammar/grammar_binding.hpp"

namespace atl {

/// Alternatives drawn with given weights.
class WeightedChoice {
 public:
  void add(std::uint32_t alternative, std::uint64_t weight);
  bool empty() const noexcept { return alternatives_.empty(); }
  std::span<const std::uint32_t> alternatives() const noexcept { return alternatives_; }
  std::uint64_t weight(std::size_t i) const noexcept {
    return weight_up_to_[i] - (i == 0 ? 0 : weight_up_to_[i - 1]);
  }
  /// @pre not empty
  std::uint32_t draw(RandomStream& stream) const;
  /// One that is not excluded; none if all are.
  template <typename Excluded>
  std::optional<std::uint32_t> draw(RandomStream& stream, Excluded excluded) const {
    std::uint64_t total = 0;
    std::size_t left = 0;
    for (std::size_t i = 0; i < alternatives_.size(); ++i) {
      if (excluded(alternatives_[i])) continue;
      total += weight(i);
      ++left;
    }
    if (left == 0) return std::nullopt;
    std::uint64_t at = left == 1 ? 0 : stream.below(total);
    std::size_t i = 0;
    for (; excluded(alternatives_[i]) || at >= weight(i); ++i) {
      if (!excluded(alternatives_[i])) at -= weight(i);
    }
    return alternatives_[i];
  }

 private:
  std::vector<std::uint32_t> alternatives_;
  std::vector<std::uint64_t> weight_up_to_;
};

/// [size] whether that many comparisons are possible, sizes up to max_comparisons.
using SizeSet = std::vector<std::uint8_t>;

struct GrammarTables {
  using Kind = Grammar::Definition::Kind;
  struct Production : Grammar::Definition::Production {
    std::uint32_t antecedent_children = 0;
    bool joins = true;          ///< its children, by AND and nothing else
    std::uint64_t weight = 0;   ///< against the other productions of the symbol
    std::vector<SizeSet> fits;  ///< [i]: sizes of the children from i on together
  };
  struct Symbol {
    std::string name;
    Kind kind = Kind::productions;
    BoundRelation relation = BoundRelation::equal;
    Comparison literal;
    bool absences = true;
    WeightedChoice attributes;  ///< of a relation; ascending
    std::vector<Production> productions;
    std::vector<std::uint32_t> sizes;  ///< possible numbers of comparisons, ascending
    /// Comparisons that join at least when the symbol derives something with itself in it; more
    /// than there can be if it does not.
    std::uint64_t least_growth = 0;
    std::vector<WeightedChoice> choices;  ///< [size] productions that can have it
  };

  GrammarTables(const Grammar& grammar, std::span<const Attribute> attributes,
                std::uint32_t max_comparisons, const BoundAim& aim);

  bool is_leaf(std::uint32_t symbol) const noexcept {
    return symbols[symbol].kind != Kind::productions;
  }
  /// The comparison of a relation symbol on the attribute if it has just one: that it is there, is
  /// missing or is known.
  std::optional<Comparison> only(const Symbol& leaf, std::uint32_t attribute) const noexcept;
  Comparison draw(const Symbol& leaf, std::uint32_t attribute, RandomStream& stream) const;
  /// Can the leaf symbol be this comparison?
  bool admits(const Symbol& leaf, const Comparison& comparison) const noexcept;
  /// Number of alternatives of symbols[symbol].sizes that are at most `limit`.
  std::size_t sizes_up_to(std::uint32_t symbol, std::uint32_t limit) const noexcept;

  std::span<const Attribute> attributes;
  std::uint32_t max_comparisons;
  std::size_t max_nodes;
  std::string source;
  CodeSampler codes;
  std::vector<Symbol> symbols;
  GrammarReach reaches;  ///< (a, b): a derives something with b in it
  /// [attribute] of symbols without absences; empty if all symbols have them
  std::vector<std::optional<std::uint32_t>> presences;

 private:
  void take_over(const std::vector<BoundSymbol>& bound);
  void weigh(const std::vector<BoundSymbol>& bound);
  void find_sizes();
  void find_choices();
  void find_least_growths();
  void find_reaches();
  void explain_if_empty() const;
};

}  // namespace atl
