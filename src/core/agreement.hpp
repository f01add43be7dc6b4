// Lets all ranks know how work ended on each of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

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

/// The outcomes of all ranks, by rank. Collective.
std::vector<Outcome> all_outcomes(const Outcome& mine, Communicator& communicator);

/// "rank 2: message".
std::string with_rank(int rank, const std::string& message);

/// Runs `action` on rank 0; if it throws, all ranks throw alike. One process alone throws an Error
/// as it is, of its own type. Collective.
void on_root(Communicator& communicator, const std::function<void()>& action);
/// Runs `action` on rank 0 likewise, and hands its result to all.
Bytes bytes_of_root(Communicator& communicator, const std::function<Bytes()>& action);
std::string text_of_root(Communicator& communicator, const std::function<std::string()>& action);

/// Runs `action` on every rank; if it throws on some, all ranks throw alike, what the first of them
/// did. The action itself is not collective. One process alone throws an Error as it is, of its own
/// type. Collective.
void on_all(Communicator& communicator, const std::function<void()>& action);

}  // namespace atl
