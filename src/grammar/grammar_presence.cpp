#include "src/grammar/grammar_presence.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "src/data/presence.hpp"

namespace atl {
namespace {

using Production = Grammar::Definition::Production;

/// Can a comparison of the relation say that an attribute of two codes has this one?
bool can_say(BoundRelation relation, std::uint32_t code) noexcept {
  if (relation == BoundRelation::less_equal) return code == 0;
  if (relation == BoundRelation::greater) return code == 1;
  return true;
}

/// Tells which children of a production stand below an odd number of its NOTs.
std::vector<bool> negated_children(const Production& production) {
  std::vector<bool> negated;
  for (const auto* program : {&production.antecedent, &production.consequent}) {
    std::vector<std::size_t> begins;  // of the operands so far, their first child
    for (const Op op : *program) {
      if (op == Op::comparison) {
        begins.push_back(negated.size());
        negated.push_back(false);
      } else if (op == Op::negation) {
        for (std::size_t i = begins.back(); i < negated.size(); ++i) negated[i] = !negated[i];
      } else {
        begins.pop_back();  // the operation begins where its left operand does
      }
    }
  }
  return negated;
}

class PresenceGrammar {
 public:
  PresenceGrammar(std::vector<BoundSymbol> symbols,
                  std::vector<std::optional<std::uint32_t>> presences)
      : from_(std::move(symbols)), presences_(std::move(presences)) {
    for (auto& numbers : numbers_) numbers.assign(from_.size(), none);
  }

  std::vector<BoundSymbol> take() {
    number(0, false);
    std::vector<BoundSymbol> to;
    for (std::size_t i = 0; i < wanted_.size(); ++i) to.push_back(restricted(wanted_[i]));
    return to;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  struct Part {
    std::uint32_t symbol;
    bool negated;  // below an odd number of NOTs
  };

  std::uint32_t number(std::uint32_t symbol, bool negated) {
    std::uint32_t& number = numbers_[negated ? 1 : 0][symbol];
    if (number == none) {
      number = static_cast<std::uint32_t>(wanted_.size());
      wanted_.push_back({symbol, negated});
    }
    return number;
  }

  BoundSymbol restricted(Part part) {
    BoundSymbol symbol = from_[part.symbol];
    symbol.group = part.negated ? 1 : 0;
    symbol.absences = false;
    std::erase_if(symbol.attributes, [&](std::uint32_t a) {
      return presences_[a] && (part.negated || !can_say(symbol.relation, *presences_[a]));
    });
    for (Production& production : symbol.productions) {
      const std::vector<bool> negated = negated_children(production);
      for (std::size_t i = 0; i < production.children.size(); ++i)
        production.children[i] = number(production.children[i], part.negated != negated[i]);
    }
    return symbol;
  }

  std::vector<BoundSymbol> from_;
  std::vector<std::optional<std::uint32_t>> presences_;  // [attribute]
  std::array<std::vector<std::uint32_t>, 2> numbers_;    // [negated][symbol]
  std::vector<Part> wanted_;                             // [number]
};

}  // namespace

std::vector<BoundSymbol> without_absences(std::vector<BoundSymbol> symbols,
                                          std::span<const Attribute> attributes) {
  std::vector<std::optional<std::uint32_t>> presences;
  for (const Attribute& attribute : attributes) presences.push_back(presence_code(attribute));
  if (std::none_of(presences.begin(), presences.end(), [](const auto& code) { return code; }))
    return symbols;
  return PresenceGrammar(std::move(symbols), std::move(presences)).take();
}

}  // namespace atl
