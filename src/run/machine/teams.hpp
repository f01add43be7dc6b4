// Forms the teams of the ranks of a job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/agreement.hpp"
#include "src/core/communicator.hpp"
#include "src/core/reducer.hpp"
#include "src/core/report.hpp"
#include "src/eval/counting_team.hpp"

namespace atl {

/// Adds up and waits for it, as a team does while it mines. Collective in the team.
void add_up(Reducer& reducer, std::vector<std::uint64_t>& numbers);

/// Seconds that a sum takes, the median of several, of the team's slowest member. Collective in it.
/// @param numbers  of the sum
double adding_seconds(Reducer& reducer, std::size_t numbers, Communicator& members);

/// Tries all and puts the fastest first. Collective in the team.
void put_fastest_first(std::vector<std::unique_ptr<Reducer>>& reducers, Communicator& members);

/// Ranks of a team. @throws UsageError if so many ranks do not form such teams, or the experiment
/// does not allow for them
int team_size(const RunConfiguration& configuration, int ranks);

/// Neighbouring ranks form teams, all of the same size. The members of a team work on the same
/// islands, in step, and each counts a part of the work. Ranks with the same place in their teams
/// form a lane: one rank of each team, which exchange individuals as the ranks of a job without
/// teams do. What lanes do is all the same, so only the first, that of rank 0, writes anything.
class Teams {
 public:
  /// Collective. @throws as team_size()
  Teams(const RunConfiguration& configuration, Communicator& ranks);

  int size() const noexcept { return members_ ? members_->size() : 1; }
  int teams() const noexcept { return lane().size(); }
  int team() const noexcept { return lane().rank(); }  ///< of this rank
  Communicator& lane() const noexcept { return lane_ ? *lane_ : ranks_; }
  bool in_first_lane() const noexcept { return !members_ || members_->rank() == 0; }
  bool in_first_team() const noexcept { return team() == 0; }
  /// The members of this rank's team; null if each rank is alone.
  Communicator* members() const noexcept { return members_.get(); }
  /// Likewise.
  const CountingTeam* counting() const noexcept { return counting_ ? &*counting_ : nullptr; }

 private:
  Communicator& ranks_;
  std::unique_ptr<Communicator> members_, lane_;
  std::optional<CountingTeam> counting_;
};

/// Has it failed by itself, and not because another rank of its team has?
bool failed_itself(const Outcome& outcome);

/// Lets a run that goes on on so many ranks do without its teams if these ranks form none, and says
/// so. More ranks than islands need teams, so that team_size() says why not.
void leave_unfit_team(RunConfiguration& configuration, int ranks, const Report& report);

/// Says so where a team is no faster than one of its ranks.
/// @param rows    of the whole table
/// @param on_gpu  they are counted there
void tell_of_small_tables(const Teams& teams, std::uint32_t islands, std::uint64_t rows,
                          bool on_gpu, const Report& report);

}  // namespace atl
