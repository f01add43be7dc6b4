// The kinds of `atoll generate` that write transactions.
#pragma once

#include <CLI/CLI.hpp>

#include "src/app/commands.hpp"

namespace atl {

/// @param generate  whose subcommands they become
Command add_quest(CLI::App& generate);
Command add_random_baskets(CLI::App& generate);

}  // namespace atl
