#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// Of a command that makes a file.
/// @param declare  adds the command's options
/// @param verify   what it does first of all with those that were parsed
template <typename Options>
Submittable submittable_file(std::string section, std::vector<std::string> words,
                             void (*declare)(CLI::App&, Options&),
                             void (*verify)(const CLI::App&, const Options&)) {
  const auto add_checked = [declare, verify](CLI::App& command) -> std::function<void()> {
    auto options = std::make_shared<Options>();
    declare(command, *options);
    return [&command, options, verify] { verify(command, *options); };
  };
  return {{.section = std::move(section), .words = std::move(words), .makes = Made::file},
          {},
          add_checked};
}

}  // namespace atl
