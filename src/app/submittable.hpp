#pragma once

#include <functional>

#include "src/batch/submission.hpp"
#include "src/config/algorithm.hpp"

namespace CLI {
class App;
}

namespace atl {

/// How batch jobs run a command that stops with a checkpoint and goes on. Its section of an
/// experiment file holds the command's options.
struct Submittable {
  BatchCommand batch;
  /// Of a command that makes a RUN: what it may learn with. Its options are an experiment's.
  AlgorithmTable algorithms = {};
  /// Of a command that makes a file from DATA and --output: adds its options, and returns what
  /// checks them once they are parsed, as the command does first of all. That throws UsageError,
  /// also for a choice that keeps no checkpoints.
  std::function<std::function<void()>(CLI::App&)> add_options = {};
};

}  // namespace atl
