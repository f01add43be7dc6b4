// How a command ended on each rank, and what the job as a whole makes of it.
#pragma once

#include <functional>
#include <string>

#include "mpi/session.hpp"
#include "src/core/communicator.hpp"
#include "src/core/error.hpp"

namespace atl {

struct Outcome {
  ExitStatus status = ExitStatus::done;
  bool failed = false;
  bool agreed = false;  ///< all ranks have failed alike
  std::string message;  ///< one line; empty unless failed
};

/// Runs it and catches everything: unexpected exceptions are our bugs.
Outcome outcome_of(const std::function<ExitStatus()>& action) noexcept;

/// Prints each failure once and agrees on one status. Where a rank failed while others wait for it
/// elsewhere, ends the whole job instead. Collective.
/// @param session  null in one process
ExitStatus conclude(const Outcome& outcome, Communicator& communicator, mpi::Session* session);

/// Runs `action` on rank 0 and hands its result to all; if it throws, all ranks throw alike.
/// Collective.
std::string on_root(Communicator& communicator, const std::function<std::string()>& action);

/// Runs `action` on every rank; if it throws on some, all ranks throw alike, what the first of them
/// did. The action itself is not collective. Collective.
void on_all(Communicator& communicator, const std::function<void()>& action);

}  // namespace atl
