// The jobs of a run: the first, which makes it, and those that go on with it.
#pragma once

#include <functional>
#include <string>

#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/core/error.hpp"
#include "src/core/files/folder.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

/// What both are told. All is called on rank 0, but for the choice of a backend.
struct RunJob {
  std::string folder;     ///< RUN
  double stop_after = 0;  ///< seconds, 0 = never
  ChooseBackend choose_backend;
};

struct FirstJob : RunJob {
  bool force = false;   ///< replace the run that is there
  std::string grammar;  ///< what messages call the experiment's grammar
  std::function<RunConfiguration()> configuration;
  /// Told of the dataset file once it is there; it may be in RUN.
  std::function<void(const std::string& dataset, const io::Folder& run, const RunConfiguration&,
                     const Report&)>
      on_data;
};

struct FurtherJob : RunJob {
  std::function<void(RunConfiguration&)> change;  ///< as the options say
  bool keeps_team = false;  ///< no option forms teams: those of the run are taken if they fit
};

/// Makes the run and mines. Collective. @throws as create_run, dataset_of_run and Job; UsageError
ExitStatus begin_run(const FirstJob& first, const Context& context);

/// Collective. @throws as lock_run, data_to_go_on_with and Job
ExitStatus resume_run(const FurtherJob& further, const Context& context);

}  // namespace atl
