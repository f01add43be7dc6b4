// Keeps the ranks of a job in step (synchronous migration).
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

#include "islands/archipelago/archipelago.hpp"
#include "src/core/communicator.hpp"
#include "src/work/job_limits.hpp"

namespace atl {

/// The votes of the ranks at a look (synchronous migration): sums over the ranks. Any rank may
/// fail, and a signal may reach any. Only rank 0 sets the other fields, so their sums are its
/// values.
struct JobVotes {
  std::uint64_t failed = 0;      ///< ranks that have
  std::uint64_t signalled = 0;   ///< ranks that a signal has reached
  std::uint64_t reason = 0;      ///< why to stop: a StopReason, or 0
  std::uint64_t checkpoint = 0;  ///< 1 if a checkpoint is due
  std::uint64_t next_look = 0;   ///< generation of the look after

  StopReason stop_reason() const noexcept {
    if (reason != 0) return static_cast<StopReason>(reason);
    return signalled != 0 ? StopReason::signal : StopReason::none;
  }
};

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

  /// The steps of a job at a look.
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

  /// Progress of this rank, with the time that it has waited here. Not collective.
  Progress own_progress() const;
  /// Tells rank 0 how far this rank is, every now and then. Not collective.
  void report(const Progress& own);
  /// The sum of what rank 0 has heard and its own; nothing until it has heard of all.
  std::optional<Progress> heard(const Progress& own) const;

 private:
  enum class Work { islands, duties };

  /// Runs what may fail on this rank alone, unless some rank has failed.
  void attempt(Work work, const std::function<void()>& action);
  /// Runs what may fail on this rank alone, whoever has failed.
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
