// The jobs of a run, as its log tells of them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace atl {

/// What a log does not tell is empty, 0 or nothing.
struct JobRecord {
  std::uint64_t job = 0;  ///< number, from 1
  std::string host;       ///< of rank 0
  std::uint64_t ranks = 0;
  std::uint64_t team = 1;     ///< ranks of a team
  std::uint64_t threads = 0;  ///< of each rank
  std::string backend;
  std::string began;                  ///< UTC, as log.jsonl has it
  std::optional<double> seconds;      ///< up to its end, or to its last sign of life
  std::uint64_t from = 0, to = 0;     ///< generations
  std::string end;                    ///< the reason; empty without one
  std::vector<std::string> warnings;  ///< those before it began included
  std::uint64_t rows = 0;             ///< that it mines
  std::uint64_t attributes = 0;
  bool of_transactions = false;  ///< the rows are some, the attributes items that were kept
};

struct JobHistory {
  std::vector<JobRecord> jobs;  ///< in the order in which they began
  bool loading = false;         ///< one more was about to begin when the log ended
};

/// Takes what it can: lines that are none of ours, cut off or of another version are passed over.
/// @param log  content of log.jsonl
JobHistory job_history(std::istream& log);

}  // namespace atl
