#include "src/app/machine_options.hpp"

#include <CLI/CLI.hpp>

#include "src/backend/choice.hpp"
#include "src/config/option_values.hpp"
#include "src/core/error.hpp"
#include "src/core/time_line.hpp"

namespace atl {
namespace {

constexpr const char* group = "Machine (any of these may change on resume)";

/// Adds an option of the group.
void add(CLI::App& command, const char* name, const char* type, const std::string& help) {
  command.add_option(name, help)->type_name(type)->group(group);
}

std::string value(const CLI::App& command, const char* name) {
  return command.get_option(name)->as<std::string>();
}

bool is_yes(const CLI::App& command, const char* name) {
  const std::string answer = value(command, name);
  if (answer == "yes" || answer == "no") return answer == "yes";
  throw UsageError(std::string(name) + ": '" + printable(answer) + "', expected yes or no");
}

/// Applies the options of teams, of a command that has them.
void apply_team_options(const CLI::App& command, Machine& machine) {
  if (command.get_option_no_throw("--team") == nullptr) return;
  if (command.count("--team") != 0) {
    machine.team = static_cast<std::uint32_t>(
        whole_number_option("--team", value(command, "--team"), 1, most_team));
  }
  if (command.count("--split") != 0) machine.split = split_option(value(command, "--split"));
}

}  // namespace

void add_threads_option(CLI::App& command) {
  add(command, "--threads", "N",
      "threads of each rank; 0: one for each CPU that it may use, near its GPU if it has one; "
      "ranks "
      "on the same CPUs share them [0]");
}

void add_counting_options(CLI::App& command, const char* what_counts) {
  add(command, "--backend", "NAME",
      what_counts != nullptr
          ? what_counts
          : "what counts: reference, cpu, cuda, or auto: cuda if it gains [auto]");
  add_threads_option(command);
  add(command, "--device-memory", "SIZE",
      "of a GPU's memory, at most so much, such as 512MiB or 4GiB; 0: what is free [0]");
}

void add_memory_limit_option(CLI::App& command, const std::string& what) {
  add(command, "--memory-limit", "SIZE", what);
}

std::optional<std::uint64_t> memory_limit(const CLI::App& command) {
  if (command.count("--memory-limit") == 0) return std::nullopt;
  const std::uint64_t limit = bytes_option("--memory-limit", value(command, "--memory-limit"));
  constexpr std::uint64_t least = std::uint64_t{16} << 20;
  if (limit < least) throw UsageError("--memory-limit: expected 16M or more");
  return limit;
}

double duration_option(const std::string& option, const std::string& text) {
  const double seconds = option_value(option, [&] { return parse_duration(text); });
  if (seconds <= 0) throw UsageError(option + ": 0, expected a longer time");
  return seconds;
}

void add_machine_options(CLI::App& command) {
  add_counting_options(command);
  add(command, "--checkpoint-every", "DUR|N",
      "with a unit (60s, 15m) a duration, without one a number of generations [60s]");
  add(command, "--checkpoints-kept", "N", "how many of the last checkpoints stay [3]");
  add(command, "--migration-log", "yes|no",
      "a record `migration` in log.jsonl for each, of who went where [no]");
  add(command, "--write-holdout", "yes|no",
      "RUN/holdout.csv has the numbers of the rows held out, in a form that --holdout reads [no]");
  command.add_flag("--timings", time_line().asked, "says at the end where the time has gone")
      ->group(group);
  add(command, "--stop-after", "DUR", "stops this job with a checkpoint; exit status 75");
}

void add_team_options(CLI::App& command) {
  add(command, "--team", "G",
      "so many neighbouring ranks work on the same islands and share out the counting [1]");
  add(command, "--split", "rows|rules",
      "what a team shares out: the rows, for tables that one GPU cannot hold, or the rules [rows]");
}

void apply_counting_options(const CLI::App& command, Machine& machine) {
  const auto is_given = [&](const char* name) {
    return command.get_option_no_throw(name) != nullptr && command.count(name) != 0;
  };
  if (is_given("--backend")) {
    machine.backend = value(command, "--backend");
    expect_backend(machine.backend);
  }
  if (is_given("--threads")) {
    machine.threads = static_cast<std::uint32_t>(
        whole_number_option("--threads", value(command, "--threads"), 0, max_threads));
  }
  if (is_given("--device-memory")) {
    machine.device_memory = device_memory_option(value(command, "--device-memory"));
  }
}

void apply_machine_options(const CLI::App& command, Machine& machine) {
  apply_counting_options(command, machine);
  apply_team_options(command, machine);
  if (command.count("--migration-log") != 0) {
    machine.migration_log = is_yes(command, "--migration-log");
  }
  if (command.count("--write-holdout") != 0) {
    machine.write_holdout = is_yes(command, "--write-holdout");
  }
  if (command.count("--checkpoints-kept") != 0) {
    machine.checkpoints_kept = static_cast<std::uint32_t>(whole_number_option(
        "--checkpoints-kept", value(command, "--checkpoints-kept"), 1, 1'000'000));
  }
  if (command.count("--checkpoint-every") != 0) {
    machine.checkpoint_every = option_value("--checkpoint-every", [&] {
      return CheckpointInterval::parse(value(command, "--checkpoint-every"));
    });
  }
}

double stop_after(const CLI::App& command) {
  if (command.count("--stop-after") == 0) return 0;
  return duration_option("--stop-after", value(command, "--stop-after"));
}

}  // namespace atl
