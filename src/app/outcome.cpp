#include "src/app/outcome.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "src/work/standard_streams.hpp"

namespace atl {

namespace {

/// A rank that failed waits so long for the others to fail, too. Within it they come back from
/// what they do between two collective steps, or they wait for this rank in vain.
constexpr double seconds_for_others = 3;

}  // namespace

ExitStatus conclude(const Outcome& outcome, Communicator& communicator, mpi::Session* session) {
  if (session == nullptr || communicator.size() == 1) {
    if (outcome.failed) write_stderr_line("atoll: " + outcome.message);
    return outcome.status;
  }
  if (!session->meet(outcome.failed && !outcome.agreed ? seconds_for_others : -1)) {
    write_stderr_line("atoll: " + with_rank(communicator.rank(), outcome.message));
    communicator.abort(outcome.status);
  }
  const std::vector<Outcome> all = all_outcomes(outcome, communicator);
  const auto failed =
      std::find_if(all.begin(), all.end(), [](const Outcome& o) { return o.failed; });
  if (communicator.rank() == 0) {
    std::set<std::string> said;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (!all[rank].failed || !said.insert(all[rank].message).second) continue;
      write_stderr_line("atoll: " + (rank == 0
                                         ? all[rank].message
                                         : with_rank(static_cast<int>(rank), all[rank].message)));
    }
  }
  return failed != all.end() ? failed->status : all.front().status;
}

}  // namespace atl
