#pragma once

#include "src/core/communicator.hpp"
#include "src/core/report.hpp"

namespace atl {

/// What a subcommand runs with.
struct Context {
  Communicator& communicator;
  Report report;  ///< to stderr, from rank 0 only
};

}  // namespace atl
