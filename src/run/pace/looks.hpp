// How the ranks of a job keep in step (synchronous migration).
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "islands/archipelago/archipelago.hpp"
#include "src/core/communicator.hpp"
#include "src/run/pace/job_votes.hpp"

namespace atl {

/// Islands go on from one look to the next, of which all ranks know at which generation it is. At a
/// look each rank votes, and learns what was voted for at the look before: by then the sum has had
/// the time between two looks, so that nobody waits unless a rank is a whole look behind. One rank
/// alone learns its votes at once.
///
/// A rank that fails tells the others, who may be waiting for its islands: they leave theirs as
/// they are. Whoever knows votes so, until all learn of it at the same look.
class Looks {
 public:
  /// @param poll  what is to be done meanwhile, often; outlives it, as does the rest
  Looks(Archipelago& archipelago, Communicator& communicator, std::function<void()> poll);

  /// What a job does at a look.
  struct Steps {
    /// Does what was voted for end the islands' work?
    std::function<bool(const JobVotes&)> ends;
    /// Acts on it. Not where it ends their work, or a rank has failed
    std::function<void(const JobVotes&)> act;
    /// This rank's votes on what is to be done at a look of this generation: the next, or for one
    /// rank alone the one that it is at
    std::function<JobVotes(std::uint32_t at)> vote;
  };
  /// @return what was voted for; at the first look of several ranks the next generation and nothing
  ///         else. After a failure or the end no other look may follow
  JobVotes look(const Steps& steps);
  /// Islands go on to the next look. What fails on this rank is kept. Blocks for other ranks.
  void go_on(std::uint32_t last);
  /// @throws on all ranks alike, what the first rank that failed threw: with its number, unless it
  /// is what rank 0 does for all. Collective
  void end();

  /// Of this rank, with the time that it has waited here. Not collective.
  Progress own_progress() const;
  /// Tells rank 0 how far this rank is, every now and then. Not collective.
  void report(const Progress& own);
  /// On rank 0 the sum of what it has heard and its own; nothing until it has heard of all.
  std::optional<Progress> heard(const Progress& own) const;

 private:
  enum class Work { islands, duties };

  /// Runs what may fail on this rank alone, unless some rank has failed.
  void attempt(Work work, const std::function<void()>& action);
  /// Likewise, whoever has failed.
  void guard(Work work, const std::function<void()>& action);
  void poll();
  void listen();
  void keep_failure(Work work);  ///< that is being caught, and tells the others
  bool broken() const noexcept { return failure_ != nullptr || told_of_failure_; }

  Archipelago& archipelago_;
  Communicator& communicator_;
  std::function<void()> poll_;
  bool voted_ = false;  // and has not learnt of what
  std::exception_ptr failure_;
  Work failed_work_ = Work::islands;
  bool told_of_failure_ = false;
  std::vector<std::optional<Progress>> heard_;  // [rank], on rank 0
  std::chrono::steady_clock::time_point last_report_;
  double waited_ = 0;  // seconds, for ranks that came later
};

}  // namespace atl
