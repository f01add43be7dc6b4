// Begins a new run and its first job, for `mine` and `classify train`.
#pragma once

#include <functional>
#include <string>

#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/core/error.hpp"

namespace CLI {
class App;
}

namespace atl {

struct NewRun {
  std::string data, folder;
  bool force = false;  ///< replace the run that is there
};

/// Adds DATA, --output and --force to the command.
void add_new_run_options(CLI::App& command, NewRun& run, const char* data_help);

/// Behind the help of a command that begins a run.
/// @param files  that RUN holds
std::string new_run_footer(const std::string& files);

/// Makes the run and mines. Collective.
/// @param command  has the machine's options
/// @param grammar  what messages call the experiment's grammar
/// @param experiment  called on rank 0
ExitStatus begin_run(const CLI::App& command, const NewRun& run, const std::string& grammar,
                     const std::function<Experiment()>& experiment, const Context& context);

}  // namespace atl
