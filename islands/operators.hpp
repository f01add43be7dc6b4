// Crossover and mutation of derivations that need no counts.
#pragma once

#include "src/core/random.hpp"
#include "src/grammar/grammar.hpp"

namespace atl {

/// The way in which a child is bred. If it is fitted, what is new gets the codes that gain most on
/// a sample; otherwise it gets codes that hold on a row which the parent covers.
enum class Operation : std::uint8_t {
  subtree_crossover,  ///< a subtree by one of another parent
  rederive,           ///< a comparison
  grow,               ///< more comparisons
  shrink,             ///< fewer
  perturb,            ///< a bound or a label
  rederive_fitted,
  grow_fitted,
  refit,  ///< codes of a comparison
};
inline constexpr std::uint8_t operations = 8;

/// Replaces a drawn subtree of `child` by one of `donor` with the same symbol; never the whole.
/// False, and nothing changed, if a few draws find no pair that fits.
bool subtree_crossover(const BoundGrammar& grammar, Derivation& child, const Derivation& donor,
                       RandomStream& stream);

/// Derives a subtree anew, lets the rule grow or shrink, or moves a comparison's bounds or label;
/// each as likely, the next of them where one cannot be done. False if none can.
bool mutate(const BoundGrammar& grammar, Derivation& derivation, RandomStream& stream);

}  // namespace atl
