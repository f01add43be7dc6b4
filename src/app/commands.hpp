// The subcommands of the program: one file each, with one function that adds it to the command
// line. Whoever adds one declares the function here and puts it into the list below.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "src/app/submittable.hpp"
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
  std::optional<Submittable> submittable = {};  ///< none: no batch job can go on with it
};

Command add_bench(CLI::App& program);
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
Command add_watch(CLI::App& program);

/// In the order of the help.
inline constexpr Command (*const single_commands[])(CLI::App&) = {
    add_bench, add_collect,  add_compare, add_enumerate, add_generate, add_import,
    add_info,  add_itemsets, add_mine,    add_resume,    add_rules,    add_watch};

/// Those of `classify`; cv is in a file of its own.
std::vector<Command> add_classify(CLI::App& program);
Command add_cv(CLI::App& classify);

/// @param commands  all others
Command add_submit(CLI::App& program, std::span<const Command> commands);

/// All of them.
std::vector<Command> add_commands(CLI::App& program);

/// Those that can be submitted; one that makes a RUN comes before those that make a file, and the
/// first one is meant by an experiment file that has no section for any.
std::vector<Submittable> submittable_among(std::span<const Command> commands);

}  // namespace atl
