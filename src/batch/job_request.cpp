#include "src/batch/job_request.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "src/batch/toml_section.hpp"
#include "src/config/experiment.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t many = 1000000;
/// The longest notice that Slurm can hold in --signal.
constexpr std::uint64_t longest_notice = 65535;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::uint64_t> small_number(std::string_view text) {
  std::uint64_t value = 0;
  if (!is_digits(text) || text.size() > 9) return {};
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// A name of the site's: a word, as it stands in a line of #SBATCH.
std::string word(TomlSection& job, std::string_view key) {
  const std::string text = job.text(key).value_or("");
  if (text.find_first_of(" \t\"'\\#") != std::string::npos) {
    job.fail(key, std::string(key) + ": expected a word without blanks, quotes, \\ and #");
  }
  return text;
}

/// A launcher would take a word that begins like an option for one of its own.
void expect_no_option(TomlSection& job, std::string_view key, const std::string& text) {
  if (text.starts_with('-')) job.fail(key, std::string(key) + ": expected a path, not an option");
}

/// "4" or "a100:4".
void read_gpus(TomlSection& job, JobRequest& request) {
  constexpr const char* key = "gpus-per-node";
  request.gpus_per_node = word(job, key);
  if (request.gpus_per_node.empty()) return;
  const std::string& text = request.gpus_per_node;
  const std::size_t colon = text.rfind(':');
  const auto count = small_number(colon == std::string::npos ? text : text.substr(colon + 1));
  if (!count || *count > 1024 || colon == 0) {
    job.fail(key, "gpus-per-node: expected a number such as 4, or \"TYPE:4\"");
  }
  request.gpus = static_cast<std::uint32_t>(*count);
  if (request.gpus == 0) request.gpus_per_node.clear();
}

void read_memory(TomlSection& job, JobRequest& request) {
  request.memory = word(job, "memory");
  std::string_view number = request.memory;
  if (number.empty()) return;
  if (std::string_view("KMGT").find(number.back()) != std::string_view::npos)
    number.remove_suffix(1);
  if (!small_number(number)) {
    job.fail("memory", "memory: expected a size for each node as Slurm takes it, such as \"64G\"");
  }
}

/// The limit of the time and when to stop before it.
void read_time(TomlSection& job, JobRequest& request) {
  std::optional<std::uint64_t> limit;
  if (const auto time = job.text("time")) {
    request.time = *time;
    limit = job.at("time", [&] { return slurm_seconds(*time); });
    if (limit == std::uint64_t{0}) job.fail("time", "time: 0, expected a longer one");
  }
  constexpr std::uint64_t usual = 180;
  std::uint64_t notice =
      limit ? std::clamp<std::uint64_t>(*limit / 4, 1, usual) : std::uint64_t{usual};
  if (const auto text = job.text("stop-before")) {
    const double seconds = job.at("stop-before", [&] { return parse_duration(*text); });
    notice = static_cast<std::uint64_t>(std::ceil(seconds));
    if (notice == 0 || notice > longest_notice) {
      job.fail("stop-before", "stop-before: expected from 1s to 65535s");
    }
  }
  if (limit && notice >= *limit) {
    job.fail("stop-before", "stop-before: expected less than the time of a job");
  }
  request.stop_before = static_cast<std::uint32_t>(notice);
}

void read_container(TomlSection& job, JobRequest& request, const std::string& folder) {
  request.container = job.text("container").value_or("");
  if (request.container.empty()) return;
  expect_no_option(job, "container", request.container);
  if (request.container.find("://") != std::string::npos) return;
  const fs::path path = (fs::path(folder) / request.container).lexically_normal();
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw MissingInput(job.place("container"),
                       "container: " + path.string() + ": " +
                           (error ? error.message() : std::string("no such file")));
  }
  request.container = path.string();
}

void read_launcher(TomlSection& job, JobRequest& request) {
  const std::string name = job.text("launcher").value_or("srun");
  if (name != "srun" && name != "mpirun") {
    job.fail("launcher", "launcher: " + in_quotes(name) + ", expected srun or mpirun");
  }
  request.launcher = name == "srun" ? Launcher::srun : Launcher::mpirun;
  request.launcher_options = job.texts("launcher-options");
}

/// Options of sbatch that the script gives, and the keys that they follow from.
struct Decided {
  std::string_view name, letter, key;
};
constexpr Decided decided[] = {{"--account", "-A", "account"},
                               {"--array", "-a", "[array]"},
                               {"--constraint", "-C", "constraint"},
                               {"--cpus-per-task", "-c", "cpus-per-task"},
                               {"--gpus-per-node", "", "gpus-per-node"},
                               {"--job-name", "-J", "name"},
                               {"--mem", "", "memory"},
                               {"--no-requeue", "", "requeue"},
                               {"--nodes", "-N", "nodes"},
                               {"--ntasks", "-n", "ranks-per-node"},
                               {"--ntasks-per-node", "", "ranks-per-node"},
                               {"--open-mode", "", "run"},
                               {"--output", "-o", "run"},
                               {"--partition", "-p", "partition"},
                               {"--qos", "-q", "qos"},
                               {"--requeue", "", "requeue"},
                               {"--signal", "", "stop-before"},
                               {"--time", "-t", "time"}};

void read_sbatch(TomlSection& job, JobRequest& request) {
  request.sbatch = job.texts("sbatch");
  for (const std::string& option : request.sbatch) {
    if (!option.starts_with('-')) {
      job.fail("sbatch",
               "sbatch: " + in_quotes(option) + ", expected options such as --mail-type=END");
    }
    const std::string name = option.substr(0, option.find_first_of("= "));
    const std::string letter = option.starts_with("--") ? "" : option.substr(0, 2);
    for (const Decided& by : decided) {
      if (name != by.name && (by.letter.empty() || letter != by.letter)) continue;
      job.fail("sbatch", "sbatch: " + in_quotes(option) + ": use " + std::string(by.key));
    }
  }
}

}  // namespace

std::optional<std::uint64_t> slurm_seconds(std::string_view text) {
  const auto bad = [&] {
    return UsageError(in_quotes(std::string(text)) +
                      ", expected a time as Slurm takes it: minutes, \"24:00:00\", \"2-12\" or "
                      "\"UNLIMITED\"");
  };
  const std::string word = lower(text);
  if (word == "unlimited" || word == "infinite") return {};
  std::uint64_t seconds = 0;
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto days = small_number(text.substr(0, dash));
    if (!days) throw bad();
    seconds = *days * 86400;
    text.remove_prefix(dash + 1);
  }
  std::vector<std::uint64_t> parts;
  for (std::string_view left = text;;) {
    const std::size_t colon = left.find(':');
    const auto part = small_number(left.substr(0, colon));
    if (!part || parts.size() == 3) throw bad();
    parts.push_back(*part);
    if (colon == std::string_view::npos) break;
    left.remove_prefix(colon + 1);
  }
  // The first part is hours if days come before it or there are three parts; else minutes.
  std::uint64_t unit = dash != std::string_view::npos || parts.size() == 3 ? 3600 : 60;
  for (const std::uint64_t part : parts) {
    seconds += part * unit;
    unit /= 60;
  }
  return seconds;
}

JobRequest read_job(TomlSection& job, const std::string& folder) {
  JobRequest request;
  request.name = word(job, "name");
  request.partition = word(job, "partition");
  request.account = word(job, "account");
  request.qos = word(job, "qos");
  request.constraint = word(job, "constraint");
  request.nodes = job.number("nodes", 1, many).value_or(1);
  read_gpus(job, request);
  request.ranks_per_node =
      job.number("ranks-per-node", 1, 1024).value_or(std::max(request.gpus, 1U));
  request.cpus_per_task = job.number("cpus-per-task", 1, max_threads).value_or(0);
  read_memory(job, request);
  read_time(job, request);
  request.requeue = job.truth("requeue").value_or(true);
  request.max_jobs = job.number("max-jobs", 1, many).value_or(100);
  request.array_limit = job.number("array-limit", 1, many).value_or(0);
  request.modules = job.texts("modules");
  read_container(job, request, folder);
  request.program = job.text("program").value_or("");
  expect_no_option(job, "program", request.program);
  if (request.program.find('/') != std::string::npos) {
    request.program = (fs::path(folder) / request.program).lexically_normal().string();
  }
  read_launcher(job, request);
  request.setup = job.texts("setup");
  read_sbatch(job, request);
  job.reject_others();
  return request;
}

}  // namespace atl
