#include "src/grammar/grammar_aim.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <utility>

#include "src/core/error.hpp"
#include "src/grammar/grammar_binding.hpp"

namespace atl {
namespace {

using Kind = Grammar::Definition::Kind;
using Production = Grammar::Definition::Production;

/// A set of required attributes: bit i is require[i].
using Mask = std::uint32_t;
/// A set of such sets: bit m is the mask m.
using MaskSet = std::uint64_t;
static_assert(1 << most_required <= 64);

constexpr bool contains(MaskSet set, Mask mask) noexcept {
  return (set >> mask & 1) != 0;
}

/// Unions of a mask of each that have no bit in common.
MaskSet disjoint_unions(MaskSet a, MaskSet b) noexcept {
  MaskSet unions = 0;
  for (Mask x = 0; x < 64; ++x)
    for (Mask y = 0; contains(a, x) && y < 64; ++y)
      if (contains(b, y) && (x & y) == 0) unions |= MaskSet{1} << (x | y);
  return unions;
}

/// Gives every production of the start one consequent: a symbol for the targets.
void replace_consequents(std::vector<BoundSymbol>& symbols, const BoundAim& aim,
                         std::span<const Attribute> attributes) {
  const auto next = [&] { return static_cast<std::uint32_t>(symbols.size()); };
  BoundSymbol target;
  target.name = "target";
  const auto add = [&](BoundSymbol leaf) {
    target.productions.push_back({{next()}, {Op::comparison}, {}});
    symbols.push_back(std::move(leaf));
  };
  for (const Comparison& comparison : aim.targets) {
    BoundSymbol leaf;
    leaf.kind = Kind::literal;
    leaf.literal = comparison;
    add(std::move(leaf));
  }
  for (const BoundRelation relation : {BoundRelation::equal, BoundRelation::less_equal,
                                       BoundRelation::greater, BoundRelation::interval}) {
    BoundSymbol leaf;
    leaf.kind = Kind::relation;
    leaf.relation = relation;
    for (const std::uint32_t a : aim.target_attributes)
      if (attributes[a].ordered() || !needs_order(relation)) leaf.attributes.push_back(a);
    if (!leaf.attributes.empty()) add(std::move(leaf));
  }
  for (Production& production : symbols[0].productions) {
    production.children.resize(antecedent_children(production));
    production.children.push_back(next());
    production.consequent = {Op::comparison};
  }
  symbols.push_back(std::move(target));
}

class AimedGrammar {
 public:
  /// @param source  what messages call the grammar
  AimedGrammar(std::vector<BoundSymbol> symbols, const BoundAim& aim, const std::string& source)
      : from_(std::move(symbols)),
        aim_(aim),
        source_(source),
        one_side_(aim.antecedent == aim.consequent) {
    for (const BoundSymbol& symbol : from_)
      for (const Production& production : symbol.productions)
        most_size_ += 4 * (production.children.size() + 1);
    find_possible();
  }

  /// Empty if there is no rule. @throws UsageError if it becomes too large
  std::vector<BoundSymbol> take() {
    const Mask all = (Mask{1} << aim_.require.size()) - 1;
    if (!contains(possible_[0][0], all)) return {};
    number({0, 0, all});
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      BoundSymbol symbol = restricted(wanted_[i]);
      to_.push_back(std::move(symbol));
    }
    return std::move(to_);
  }

 private:
  struct Part {
    std::uint32_t symbol, side;
    Mask mask;
    friend auto operator<=>(const Part&, const Part&) = default;
  };

  std::uint32_t side_of_child(std::uint32_t symbol, const Production& production, std::size_t child,
                              std::uint32_t side) const noexcept {
    if (one_side_) return 0;
    return symbol == 0 ? (child < antecedent_children(production) ? 0 : 1) : side;
  }

  Mask mask_of(std::uint32_t attribute) const noexcept {
    const auto found = std::find(aim_.require.begin(), aim_.require.end(), attribute);
    return found == aim_.require.end() ? 0 : Mask{1} << (found - aim_.require.begin());
  }

  /// Attributes of the leaf that its side may name and that are in the mask, which is 0 for those
  /// that are not required.
  std::vector<std::uint32_t> leaf_attributes(const BoundSymbol& leaf, std::uint32_t side,
                                             Mask mask) const {
    const auto& allowed = side == 0 ? aim_.antecedent : aim_.consequent;
    std::vector<std::uint32_t> fitting;
    if (leaf.kind == Kind::literal)
      fitting.push_back(leaf.literal.attribute);
    else
      fitting = leaf.attributes;
    std::erase_if(fitting, [&](std::uint32_t a) {
      return mask_of(a) != mask || !std::binary_search(allowed.begin(), allowed.end(), a);
    });
    return fitting;
  }

  MaskSet possible_in_leaf(const BoundSymbol& leaf, std::uint32_t side) const {
    MaskSet set = leaf_attributes(leaf, side, 0).empty() ? 0 : 1;
    for (std::size_t i = 0; i < aim_.require.size(); ++i) {
      const Mask mask = Mask{1} << i;
      if (!leaf_attributes(leaf, side, mask).empty()) set |= MaskSet{1} << mask;
    }
    return set;
  }

  /// Masks of the children from `first` on together.
  MaskSet possible_from(std::uint32_t symbol, const Production& production, std::size_t first,
                        std::uint32_t side) const {
    MaskSet set = 1;
    for (std::size_t i = production.children.size(); i-- > first;) {
      const std::uint32_t child_side = side_of_child(symbol, production, i, side);
      set = disjoint_unions(possible_[child_side][production.children[i]], set);
    }
    return set;
  }

  void find_possible() {
    possible_.fill(std::vector<MaskSet>(from_.size(), 0));
    update_until_settled(from_, [&](std::uint32_t s) {
      bool changed = false;
      for (std::uint32_t side = 0; side < 2; ++side) {
        MaskSet set = from_[s].kind == Kind::productions ? 0 : possible_in_leaf(from_[s], side);
        for (const Production& p : from_[s].productions) set |= possible_from(s, p, 0, side);
        changed = changed || set != possible_[side][s];
        possible_[side][s] = set;
      }
      return changed;
    });
  }

  std::uint32_t number(const Part& part) {
    const auto [found, is_new] = numbers_.emplace(part, static_cast<std::uint32_t>(wanted_.size()));
    if (is_new) wanted_.push_back(part);
    return found->second;
  }

  BoundSymbol restricted(const Part part) {
    BoundSymbol symbol = from_[part.symbol];
    symbol.group = (symbol.group << 1 | part.side) << most_required | part.mask;
    if (symbol.kind == Kind::relation)
      symbol.attributes = leaf_attributes(symbol, part.side, part.mask);
    const std::vector<Production> productions = std::exchange(symbol.productions, {});
    for (const Production& production : productions) {
      Production next = production;
      distribute(part, production, 0, part.mask, next, symbol.productions);
    }
    return symbol;
  }

  /// Appends the production once for each way to give the mask's bits to its children from `child`
  /// on.
  void distribute(const Part& part, const Production& from, std::size_t child, Mask mask,
                  Production& to, std::vector<Production>& out) {
    if (!contains(possible_from(part.symbol, from, child, part.side), mask)) return;
    if (child == from.children.size()) {
      size_ += to.children.size() + 1;
      if (size_ > most_size_) {
        throw UsageError(source_ +
                         " becomes too large with --require: a production whose symbols may name "
                         "required attributes is needed once for each way to share them out");
      }
      out.push_back(to);
      return;
    }
    const std::uint32_t side = side_of_child(part.symbol, from, child, part.side);
    for (Mask own = 0; own <= mask; ++own) {
      const bool is_part = (own & ~mask) == 0;
      if (!is_part || !contains(possible_[side][from.children[child]], own)) continue;
      if (!contains(possible_from(part.symbol, from, child + 1, part.side), mask & ~own)) continue;
      to.children[child] = number({from.children[child], side, own});
      distribute(part, from, child + 1, mask & ~own, to, out);
    }
  }

  std::vector<BoundSymbol> from_;
  const BoundAim& aim_;
  const std::string& source_;
  // Symbols in all productions. Without required attributes there are at most twice as many.
  std::uint64_t size_ = 0, most_size_ = std::uint64_t{1} << 20;
  bool one_side_;  ///< both may name the same: symbols need not be told apart by side
  std::array<std::vector<MaskSet>, 2> possible_;  ///< [side][symbol]
  std::map<Part, std::uint32_t> numbers_;
  std::vector<Part> wanted_;  ///< [number]
  std::vector<BoundSymbol> to_;
};

}  // namespace

std::vector<BoundSymbol> aimed(std::vector<BoundSymbol> symbols, const BoundAim& aim,
                               std::span<const Attribute> attributes, const std::string& source) {
  assert(aim.require.size() <= most_required);
  if (aim.open()) return symbols;
  if (!aim.targets.empty() || !aim.target_attributes.empty())
    replace_consequents(symbols, aim, attributes);
  std::vector<BoundSymbol> left = AimedGrammar(std::move(symbols), aim, source).take();
  if (left.empty())
    throw UsageError(source +
                     " has no rule within --target, --antecedent, --consequent, --require and "
                     "--exclude");
  return left;
}

}  // namespace atl
