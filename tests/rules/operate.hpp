// The operations of a grammar on derivations, by number.
#pragma once

#include <cstdint>

#include "src/core/random.hpp"
#include "src/grammar/grammar.hpp"

namespace atl::test {

/// One of the first five at a place drawn. False if it changed nothing.
/// @param operation  0 to 4
inline bool operate(std::uint64_t operation, const BoundGrammar& grammar, Derivation& derivation,
                    const Derivation& donor, RandomStream& stream) {
  const std::size_t node = stream.below(derivation.size());
  const auto leaves = grammar.comparison_nodes(derivation);
  switch (operation) {
    case 0:
      return grammar.rederive(derivation, node, stream);
    case 1:
      return grammar.graft(derivation, node, donor, stream.below(donor.size()));
    case 2:
      return grammar.shrink(derivation, node, stream);
    case 3:
      return grammar.grow(derivation, node, stream);
    default:
      return grammar.perturb(derivation, leaves[stream.below(leaves.size())], stream);
  }
}

}  // namespace atl::test
