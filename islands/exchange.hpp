// Chooses who leaves an island, and whose places immigrants take.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "islands/population.hpp"
#include "src/config/experiment.hpp"
#include "src/core/random.hpp"

namespace atl {

/// Tells of two slots whether the first one's individual is the better, or the worse.
using Precedes = std::function<bool(std::size_t, std::size_t)>;

/// Slots of the best individuals, of winners of tournaments of two, or of any. None twice.
/// @param better  a strict order
/// @return at most `count`, in the order chosen
std::vector<std::size_t> choose_emigrants(std::size_t population, std::size_t count,
                                          EmigrantChoice choice, RandomStream& stream,
                                          const Precedes& better);

/// @param slots  ascending
void erase_slots(std::vector<Individual>& population, std::span<const std::size_t> slots);

/// Is an equal rule there?
bool holds(std::span<const Individual> population, const Individual& like);

/// Similarity of the looks of two rules, 0 to 1: the share of comparisons that the same side of the
/// other has, too. Those on an attribute that it names otherwise count half.
double rule_similarity(const Rule& a, const Rule& b);

/// Slots of those who were there before the immigrants.
class Residents {
 public:
  explicit Residents(std::size_t count);

  /// The slot whose place an immigrant takes; none if none is left.
  /// @param worse  a strict order
  /// @param alike  rule_similarity of the immigrant and a slot's individual; of equal ones the last
  std::optional<std::size_t> place_of(Replacement replacement, RandomStream& stream,
                                      const Precedes& worse,
                                      const std::function<double(std::size_t)>& alike) const;
  void leave(std::size_t slot);

 private:
  std::vector<std::size_t> slots_;  // ascending
};

}  // namespace atl
