#pragma once

#include "src/core/communicator.hpp"
#include "src/core/report.hpp"

namespace atl {

/// The surroundings that a subcommand runs in.
struct Context {
  Communicator& communicator;
  Report report;  ///< to stderr, from rank 0 only
};

}  // namespace atl
