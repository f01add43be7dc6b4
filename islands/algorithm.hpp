// What a preset has to do to be run on islands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "islands/individual.hpp"
#include "islands/migrant.hpp"
#include "islands/rule_state.hpp"
#include "src/config/experiment.hpp"
#include "src/core/random.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"

namespace atl {

/// What an island breeds in one generation; all rules differ.
struct Offspring {
  std::vector<Individual> known;  ///< equal to a rule the island holds, with its statistics
  std::vector<Individual> fresh;  ///< to be evaluated
};

/// Takes an individual that may enter the archive.
/// @param bucket  the individual's (RuleRecord)
using Offer = std::function<void(const Individual&, std::uint32_t bucket)>;

/// A preset. Whatever one generation hands to the next is in the IslandState; an algorithm keeps
/// nothing but scratch memory, so each island that breeds at the same time needs its own. Draws are
/// keyed by (seed, island, generation, slot).
class Algorithm {
 public:
  virtual ~Algorithm() = default;

  /// Adds to a state that was read what is not in its bytes.
  virtual void complete(IslandState&) {}
  /// What has to be counted of its rules.
  virtual CountingOptions options() const = 0;
  /// Are a rule's generalisations (generalisation.hpp) to be counted, too?
  virtual bool generalises() const { return false; }
  /// @pre generation 0, or the state holds an evaluated population. Fewer than the population's
  ///      size only where the grammar yields no more distinct rules.
  /// @param offspring  overwritten; of a former generation, so that nothing is allocated anew
  virtual void breed(IslandState& state, std::uint32_t generation, Offspring& offspring) = 0;
  /// Of breed() so far, spent on rows of the data.
  virtual double fit_seconds() const { return 0; }
  /// Makes the next population, at most as large as the experiment says. Of an empty state and
  /// generation 0's rules it makes the first one.
  /// @param offspring  evaluated; unspecified afterwards
  /// @param offer  called with those that may enter the archive: they meet the constraints
  virtual void replace(IslandState& state, Offspring& offspring, std::uint32_t generation,
                       const Offer& offer) = 0;
  /// Slots of as many different individuals as are to be sent, in the order in which they are, or
  /// of all if there are fewer.
  virtual std::vector<std::size_t> emigrants(const IslandState& state, std::size_t count,
                                             RandomStream& stream) = 0;
  /// Takes individuals out of the population, which keeps its order.
  /// @param slots  ascending; at least one individual is left
  virtual void remove(IslandState& state, std::span<const std::size_t> slots) = 0;
  /// Takes evaluated individuals of other islands into the population, where its rules do not
  /// include theirs: where it has room, then in the places of others.
  /// @return the place that each took, or Move::nowhere, before the population is ranked anew
  virtual std::vector<std::uint32_t> immigrate(IslandState& state,
                                               std::span<const Individual* const> immigrants,
                                               std::uint32_t generation) = 0;
  /// May a rule of this table be called a result?
  virtual bool admits(const ContingencyTable& table) const = 0;
};

}  // namespace atl
