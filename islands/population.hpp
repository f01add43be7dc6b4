#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/core/random.hpp"
#include "src/core/small_vector.hpp"
#include "src/grammar/grammar.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_statistics.hpp"

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

/// A derivation of the grammar, the rule it stands for, and its statistics.
struct Individual {
  Derivation derivation;
  Rule rule;                  ///< canonical
  std::uint64_t key = 0;      ///< hash(rule), which is asked for again and again
  RuleStatistics statistics;  ///< zeros until evaluated
  // Computed; not part of the state.
  std::optional<Operation> operation;  ///< that bred it, if one did
  std::uint32_t parent = 0;            ///< slot of it
  double violation = 0;                ///< of the constraints
  SmallVector<double, 3> values;       ///< of the Algorithm's measures(), if it has some

  /// The constructor is written out, or each individual would be filled with zeros first: hundreds
  /// of bytes that it never reads.
  Individual() noexcept {}

  void stand_for(const Rule& canonical_rule) {
    rule = canonical_rule;
    key = hash(rule);
  }
  /// Makes it stand for the rule of its derivation.
  void stand_for_derivation(const BoundGrammar& grammar) {
    grammar.write_rule(derivation, rule);
    key = hash(rule);
  }
};

/// Finds an individual with an equal rule. Holds pointers: what was added must stay where it is.
class RuleIndex {
 public:
  /// Empties it and makes room for `capacity` individuals.
  void reset(std::size_t capacity);
  /// Inserts an individual. False, and nothing changed, if there is an equal rule.
  /// @pre there is room
  bool insert(const Individual& individual);
  void insert_all(std::span<const Individual> individuals);
  /// Finds an equal individual; null if there is none.
  const Individual* find(const Individual& like) const noexcept;

 private:
  struct Entry {
    std::uint64_t key;
    const Individual* individual;  // null: free
  };
  std::size_t place(const Individual& sought) const noexcept;

  std::vector<Entry> entries_;  // open addressing, a power of two, at most half full
};

/// Derives distinct rules at random, not evaluated; fewer than `size` if that many are not found.
std::vector<Individual> derive_population(const BoundGrammar& grammar, std::uint64_t seed,
                                          std::uint32_t island, std::uint32_t size,
                                          std::uint32_t generation = 0);

/// A rule that is not in the index, got by mutating `derivation` or, after a few attempts, by
/// deriving it anew; false if that fails, too. Draws nothing if it is distinct already.
/// @pre it stands for the rule of its derivation
bool make_distinct(const BoundGrammar& grammar, const RuleIndex& index, RandomStream& stream,
                   Individual& individual);

}  // namespace atl
