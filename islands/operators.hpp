// Crossover and mutation of derivations that need no counts.
#pragma once

#include "src/core/random.hpp"
#include "src/rules/grammar.hpp"

namespace atl {

/// Replaces a drawn subtree of `child` by one of `donor` with the same symbol; never the whole.
/// False, and nothing changed, if a few draws find no pair that fits.
bool exchange(const BoundGrammar& grammar, Derivation& child, const Derivation& donor,
              RandomStream& stream);

/// Derives a subtree anew, lets the rule grow or shrink, or moves a comparison's bounds or label;
/// each as likely, the next of them where one cannot be done. False if none can.
bool mutate(const BoundGrammar& grammar, Derivation& derivation, RandomStream& stream);

}  // namespace atl
