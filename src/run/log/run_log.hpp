#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <istream>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "io/run/run_folder.hpp"
#include "islands/archipelago/migration.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/core/files/descriptor.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"

namespace atl {

/// log.jsonl of a run, open if it is there: no link is followed to it, no pipe waited for.
/// @throws IoError
std::ifstream open_log(const io::Folder& run);

/// Calls `take` with each whole line of a log.jsonl, which may be longer than the memory, without
/// its end, and with its place in what is read. What a job that was killed left of a line is passed
/// over, and so are lines that are none of ours: those of more than 1 MiB, and JSON that is nested
/// more than 16 deep. One of more than 1 GiB is the end.
/// @return  bytes of whole lines
std::uint64_t for_each_log_line(
    std::istream& log, const std::function<void(std::string_view line, std::uint64_t at)>& take);

/// log.jsonl: one JSON object a line, appended, each with "event" and "time" (UTC). The only output
/// of a run with clocks in it. Any thread may write.
class RunLog {
 public:
  /// Cuts off what a job that was killed has left of a line.
  /// @param run     outlives it
  /// @param report  outlives it; is told where the log cannot be written
  /// @throws CannotCreate, also for a file that is no log of ours; IoError
  RunLog(const io::RunLock& run, Report report);
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  /// Writes a record through at once, so that a job that is killed leaves what it said. A record
  /// that cannot be written is left out, whole; `report` is told once, until one can be written
  /// again. Nothing is written any more once another process has taken RUN over: the log is that
  /// one's.
  void write(const std::string& event, const nlohmann::ordered_json& fields);

 private:
  void open();
  void append(const std::string& lines);

  std::mutex mutex_;
  const io::RunLock& run_;
  std::string path_;
  Report report_;
  io::Descriptor file_;
  std::uint64_t left_out_ = 0;  // records since the last that was written
};

/// Hands on to `report` and notes warnings in the log, which must outlive it.
Report logging_report(Report report, RunLog& log);

/// @throws UsageError if rows are to be written of which none is held out, or if migrations are to
///         be logged that have no common pace
void expect_recordable(const RunConfiguration& configuration);

/// Writes a record `migration` of all ranks' moves. Collective.
/// @param log  rank 0's
void log_migration(std::uint32_t generation, std::span<const Move> moves,
                   Communicator& communicator, RunLog* log);

}  // namespace atl
