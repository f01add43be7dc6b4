// The parts that rank 0 of a job has beside those of every rank.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "io/run/checkpoint_store.hpp"
#include "src/core/report.hpp"
#include "src/core/run_state.hpp"
#include "src/results/archive/gains.hpp"
#include "src/run/checkpoint/checkpoint_writer.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/loop/job_task.hpp"
#include "src/run/loop/mining_parts.hpp"
#include "src/work/work_progress.hpp"

namespace atl {

struct RootParts {
  /// The arguments must outlive it.
  RootParts(MiningParts& parts, Search& search, const JobSettings& settings, const Report& report);

  /// Shows how far the job is.
  void show(const std::string& line);
  /// Looks whether the search has gained.
  /// @param found  by all islands, which have come to the generation
  /// @return is its patience at an end?
  bool gains_no_more(std::uint32_t generation, const Results& found);
  /// The gains up to the end, of a run that has patience. @param found  likewise
  std::optional<GainWatch> gains_with(std::uint32_t generation, const Results& found) const;

  const JobSettings& settings;
  const std::unique_ptr<JobTask> task;
  io::CheckpointStore store;
  std::optional<CheckpointWriter> writer;
  std::optional<ProgressDisplay> display;
  GainWatch gains = task->gain_watch();
};

}  // namespace atl
