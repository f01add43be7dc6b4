// The subcommands of the program: one file each, with one function that adds it to the command
// line.
#pragma once

#include <functional>
#include <vector>

#include "src/core/context.hpp"
#include "src/core/error.hpp"

namespace CLI {
class App;
}

namespace atl {

/// The action of a parsed subcommand. Throws Error; main turns that into one line and the status.
using Action = std::function<ExitStatus(const Context&)>;

struct Command {
  CLI::App* options;  ///< the subcommand, owned by the program
  Action run;
  bool parallel = false;  ///< runs on every rank; others on rank 0 alone while the rest wait
};

Command add_bench(CLI::App& program);
std::vector<Command> add_classify(CLI::App& program);
Command add_collect(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_enumerate(CLI::App& program);
Command add_generate(CLI::App& program);
Command add_import(CLI::App& program);
Command add_info(CLI::App& program);
Command add_itemsets(CLI::App& program);
Command add_mine(CLI::App& program);
Command add_resume(CLI::App& program);
Command add_rules(CLI::App& program);
Command add_submit(CLI::App& program);
Command add_watch(CLI::App& program);

}  // namespace atl
