#pragma once

namespace atl {

/// The whole program: parses the command line, runs the subcommand on every rank that it needs,
/// and prints what failed as one line.
/// @return the exit status, the same on every rank
int run_program(int argc, char** argv);

}  // namespace atl
