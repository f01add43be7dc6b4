// What adds up the numbers of a team: of several ways, the fastest.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "src/core/communicator.hpp"
#include "src/core/reducer.hpp"

namespace atl {

/// Adds up and waits for it, as a team does while it mines. Collective in the team.
void add_up(Reducer& reducer, std::vector<std::uint64_t>& numbers);

/// Seconds that a sum takes, the median of several, of the team's slowest member. Collective in it.
/// @param numbers  of the sum
double adding_seconds(Reducer& reducer, std::size_t numbers, Communicator& members);

/// Tries all and puts the fastest first. Collective in the team.
void put_fastest_first(std::vector<std::unique_ptr<Reducer>>& reducers, Communicator& members);

}  // namespace atl
