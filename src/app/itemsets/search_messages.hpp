// What rank 0 and the others tell each other about a search for itemsets.
#pragma once

#include <cstdint>
#include <string>

#include "src/app/itemsets/search_ledger.hpp"
#include "src/app/itemsets/search_state.hpp"
#include "src/app/itemsets/search_task.hpp"
#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"
#include "src/core/error.hpp"

namespace atl {

/// The first byte of each message.
enum class SearchMessage : std::uint8_t {
  run,       ///< to a rank: search this
  stop,      ///< to a rank: stop the run and say what is left
  end,       ///< to a rank: the search is over; the status of the job
  text,      ///< of a run, from its rank
  found,     ///< a run is over; from its rank
  progress,  ///< items that are left of a run; from its rank
  failed,    ///< the rank has failed
  signal,    ///< the rank was told to stop by a signal
};

inline constexpr Channel search_channel = Channel::control;

inline void put(ByteWriter& out, const SearchRun& run) {
  out.put(run.number);
  out.put(std::uint64_t{run.parts.size()});
  for (const SearchRange& part : run.parts) put(out, part);
}

inline SearchRun get_run(ByteReader& in) {
  SearchRun run{in.get<std::uint64_t>(), {}};
  run.parts.resize(in.get_count(16));
  for (SearchRange& part : run.parts) part = get_range(in);
  return run;
}

inline void put(ByteWriter& out, SearchFindings& findings) {
  put(out, findings.rest);
  put(out, findings.tally);
  out.put(findings.sets);
}

inline SearchFindings get_findings(ByteReader& in) {
  SearchFindings findings;
  findings.rest = get_rest(in);
  get_tally(in, findings.tally);
  findings.sets = in.get<std::uint64_t>();
  return findings;
}

}  // namespace atl
