// The data of a job on every rank, and what it counts them with.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "src/core/context.hpp"
#include "src/core/reducer.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/data/job_tables.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/machine/backend.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {

/// The parts from the data to what counts on them, which searches share that follow each other:
/// each is made of those before it, so their order matters.
struct MiningParts {
  /// Loads the data, binds the grammar to them and takes the rank's device. Collective. The
  /// arguments must outlive it.
  /// @throws as Job
  MiningParts(const Context& context, const JobSettings& settings);

  const Dataset& dataset() const noexcept { return rows.search; }

  const Teams teams;
  double load_seconds = 0;    ///< from the file to the host's memory
  double device_seconds = 0;  ///< from there to the device
  const JobRows rows;
  const std::map<std::uint32_t, BoundGrammar> bound;  ///< empty where lists are searched for
  const IslandGrammars grammars;
  const std::unique_ptr<Backend> backend;
  const std::shared_ptr<Resident>
      on_gpu;  ///< null without a GPU; decides how many threads there are
  ThreadPool pool;
  const std::shared_ptr<Resident> resident;
  const std::unique_ptr<Reducer> reducer;  ///< of this rank's team; null: each rank is alone
  JobTables tables;
  std::optional<Dependences> dependences;  ///< on rank 0, once they were asked for
};

}  // namespace atl
