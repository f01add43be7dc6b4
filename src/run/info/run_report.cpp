#include "src/run/info/run_report.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/core/text/text_table.hpp"
#include "src/core/text/time_text.hpp"
#include "src/run/info/run_summary.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;

std::string state_text(const RunSummary& run) {
  const auto& jobs = run.history.jobs;
  if (run.collected_from) {
    if (!run.rules_are_final()) return run.running() ? "being collected" : "not fully collected";
    return "collected from " + counted(run.collected_from->size(), "run");
  }
  if (run.running()) {
    return "running, " + *run.owner + (run.history.loading || jobs.empty() ? ", loading" : "");
  }
  if (run.damaged()) return "damaged, none of its checkpoints can be read";
  if (run.finished()) return run.rules_are_final() ? "finished" : "finished but for its results";
  const std::string how = jobs.empty() ? "" : run.end_of(jobs.back());
  if (!run.checkpoint) return "begun, without a checkpoint" + (how.empty() ? "" : ", " + how);
  return how.empty() ? "unfinished" : run.ended() ? "stopped (" + how + ")" : how;
}

std::string line(const char* name, const std::string& text) {
  return fmt::format("{:<12}{}\n", name, text);
}

std::string migration_text(const Experiment& experiment) {
  if (experiment.migrate_every == 0 || experiment.migrants == 0 || experiment.islands == 1) {
    return "none";
  }
  return fmt::format("{}, {} of each island every {}{}", experiment.topology,
                     counted(experiment.migrants, "individual"),
                     counted(experiment.migrate_every, "generation"),
                     experiment.migration == Migration::asynchronous ? ", asynchronous" : "");
}

std::string checkpoints_text(const RunSummary& run) {
  std::string text;
  const std::time_t now = std::time(nullptr);
  for (const io::CheckpointFile& file : run.checkpoints) {
    const double age = std::max(0.0, std::difftime(now, file.written));
    text += fmt::format("{}{} ({}{} ago)", text.empty() ? "" : ", ", file.generation,
                        file.header ? "" : "damaged, ", time_text(age));
  }
  return text.empty() ? "none" : "of generation " + text;
}

std::string data_text(const RunSummary& run) {
  std::string text = printable(run.configuration.machine.data, 200);
  const auto& jobs = run.history.jobs;
  if (jobs.empty() || jobs.back().rows == 0) return text;
  const bool of_transactions = jobs.back().of_transactions;
  return text +
         fmt::format(", {} searched, {}",
                     counted(jobs.back().rows, of_transactions ? "transaction" : "row"),
                     counted(jobs.back().attributes, of_transactions ? "item" : "attribute"));
}

constexpr std::size_t first_jobs = 3, last_jobs = 8;

std::string ranks_text(const JobRecord& job) {
  if (job.team < 2) return std::to_string(job.ranks);
  return fmt::format("{} in teams of {}", job.ranks, job.team);
}

std::string jobs_text(const RunSummary& run) {
  const auto& jobs = run.history.jobs;
  if (jobs.empty()) return "";
  const std::size_t left_out =
      jobs.size() > first_jobs + last_jobs + 1 ? jobs.size() - first_jobs - last_jobs : 0;
  std::vector<std::vector<std::string>> rows = {
      {"job", "began (UTC)", "host", "ranks", "threads", "backend", "generations", "took", "end"}};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (i >= first_jobs && i < first_jobs + left_out) continue;
    const JobRecord& job = jobs[i];
    std::string began = job.began.substr(0, 19);
    std::replace(began.begin(), began.end(), 'T', ' ');
    rows.push_back({std::to_string(job.job), printable(began), printable(job.host), ranks_text(job),
                    std::to_string(job.threads), printable(job.backend),
                    fmt::format("{}-{}", job.from, job.to),
                    job.seconds ? time_text(*job.seconds) : "", printable(run.end_of(job))});
  }
  using enum CellSide;
  std::string text = text_table(rows, {right, left, left, right, right, left, right, right, left},
                                stdout_columns());
  const std::string note = fmt::format("... {} left out\n", counted(left_out, "job"));
  for (std::size_t block = 0; left_out > 0 && block < text.size();) {
    std::size_t at = block;
    for (std::size_t i = 0; i <= first_jobs; ++i) at = text.find('\n', at) + 1;
    text.insert(at, note);
    const std::size_t gap = text.find("\n\n", at);
    block = gap == std::string::npos ? text.size() : gap + 2;
  }
  return text;
}

std::string warnings_text(const RunSummary& run) {
  constexpr std::size_t shown = 3;
  if (run.history.jobs.empty()) return "";
  const auto& warnings = run.history.jobs.back().warnings;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, warnings.size()); ++i) {
    text += line("warning", printable(warnings[i], 300));
  }
  if (warnings.size() > shown) {
    text += line("", fmt::format("and {} more in log.jsonl", warnings.size() - shown));
  }
  return text;
}

std::string rules_text(const RunSummary& run) {
  if (run.classifier) return printable_lines(*run.classifier);
  if (run.rules_damaged) {
    return "rules.json is damaged; the end of a job writes it again, that of a finished run, too\n";
  }
  if (!run.rules) return "no rules written yet\n";
  constexpr std::size_t shown = 5;
  std::vector<WrittenRule> rules = *run.rules;
  const std::size_t variants = erase_variants(rules);
  std::string text = counted(rules.size(), "rule");
  if (variants > 0) text += " and " + counted(variants, "variant") + " of these";
  const bool searched = run.rules_are_final() || run.repeat();
  text += (searched || !run.ended() ? "" : " so far") + std::string("\n");
  if (rules.empty()) return text;
  return text + io::rules_table(std::span(rules).first(std::min(shown, rules.size())),
                                stdout_columns(),
                                {.measures = table_measures(rules),
                                 .held_out = rules.front().held_out.has_value(),
                                 .quantiles = rules.front().quantiles.has_value(),
                                 .gives_way = true});
}

std::string next_text(const RunSummary& run) {
  const std::string command = run.next() + "\n";
  if (run.rules_are_final()) return "print them: " + command;
  if (run.collected_from) return (run.running() ? "look again: " : "collect again: ") + command;
  if (run.running()) return "follow it: " + command;
  if (run.damaged()) {
    return (run.rules ? "the rules written last are left; mine again: " : "mine again: ") + command;
  }
  if (run.finished()) return "write its results again: " + command;
  return (run.checkpoint || run.unknown() ? "go on: " : "begin again: ") + command;
}

std::string as_text(const RunSummary& run) {
  const Experiment& experiment = run.configuration.experiment;
  std::string out = fmt::format("{}: run, {}", run.folder, state_text(run));
  if (const auto repeat = run.repeat())
    out += fmt::format(", repeat {} of {}", repeat->number, repeat->of);
  out += "\n";
  out += line("data", data_text(run));
  if (run.collected_from) {
    if (!run.collected_from->empty())
      out += line("runs", printable(listed(*run.collected_from), 300));
    return out + rules_text(run) + next_text(run);
  }
  out += line("search", fmt::format("preset {}, {} of {}, seed {}", experiment.algorithm->name,
                                    counted(experiment.islands, "island"), experiment.population,
                                    experiment.seed));
  std::string own;
  for (const IslandSettings& settings : experiment.island_settings) {
    own += (own.empty() ? "" : ", ") + settings.islands.to_string();
  }
  if (!own.empty()) out += line("settings", "of their own for islands " + own);
  out += line("migration", migration_text(experiment));
  if (const HoldoutChoice& holdout = experiment.holdout; holdout.any()) {
    out += fmt::format("rows held out: {}{}", printable(holdout.summary(), 200),
                       holdout.share > 0 ? " of all" : "");
    if (experiment.significance > 0) {
      out +=
          fmt::format("; rules significant on them, at {}", format_number(experiment.significance));
    }
    out += "\n";
  }
  if (run.checkpoint) {
    out += line(
        "generation",
        fmt::format("{}{}, {} in {}", run.checkpoint->generation, experiment.of_generations(" of "),
                    time_text(run.checkpoint->seconds), counted(run.checkpoint->jobs, "job")));
  } else {
    out += line("generation", fmt::format("none{} saved", experiment.of_generations(" of ")));
  }
  out += line("checkpoints", checkpoints_text(run));
  if (run.checkpoint && run.checkpoint->experiment != experiment.hash()) {
    out += "[experiment] of config.toml is not that of the checkpoints: resume will refuse it\n";
  }
  return out + jobs_text(run) + warnings_text(run) + rules_text(run) + next_text(run);
}

Json job_record(const RunSummary& run, const JobRecord& job) {
  Json record = {{"job", job.job},     {"host", job.host},       {"ranks", job.ranks},
                 {"team", job.team},   {"threads", job.threads}, {"backend", job.backend},
                 {"began", job.began}, {"seconds", nullptr},     {"from", job.from},
                 {"to", job.to},       {"end", run.end_of(job)}, {"warnings", job.warnings}};
  if (job.seconds) record["seconds"] = *job.seconds;
  return record;
}

Json checkpoint_record(const io::CheckpointFile& file) {
  Json record = {{"generation", file.generation},
                 {"written", utc_text(file.written)},
                 {"file", file.path},
                 {"problem", nullptr}};
  if (!file.header) record["problem"] = file.problem;
  return record;
}

Json limit_of(std::uint32_t generations) {
  return generations == endless_generations ? Json() : Json(generations);
}

/// The share as a number, anything else in words.
Json holdout_json(const HoldoutChoice& holdout) {
  const bool is_share = holdout.condition.empty() && holdout.rows.empty();
  return is_share ? Json(holdout.share) : Json(holdout.summary());
}

std::string as_json(const RunSummary& run) {
  const Experiment& experiment = run.configuration.experiment;
  const char* state = run.finished()                    ? "finished"
                      : run.checkpoint || run.damaged() ? "unfinished"
                                                        : "begun";
  Json report = {{"kind", "run"},
                 {"state", state},
                 {"preset", experiment.algorithm->name},
                 {"generations", limit_of(experiment.generations)},
                 {"generation", nullptr},
                 {"seconds", nullptr},
                 {"jobs", 0},
                 {"repeat", nullptr},
                 {"repeats", static_cast<std::uint32_t>(experiment.repeat)},
                 {"rules", nullptr},
                 {"variants", nullptr},
                 {"holdout", holdout_json(experiment.holdout)},
                 {"significance", experiment.significance},
                 {"experiment", to_hex(experiment.hash())},
                 {"running", run.running()},
                 {"owner", nullptr},
                 {"data", run.configuration.machine.data},
                 {"islands", experiment.islands},
                 {"topology", experiment.topology},
                 {"migrate_every", experiment.migrate_every},
                 {"migrants", experiment.migrants},
                 {"migration",
                  names_of(experiment.migration)[static_cast<std::size_t>(experiment.migration)]}};
  if (run.owner) report["owner"] = *run.owner;
  if (run.collected_from) report["collected_from"] = *run.collected_from;
  if (run.checkpoint) {
    report["generation"] = run.checkpoint->generation;
    report["seconds"] = run.checkpoint->seconds;
    report["jobs"] = run.checkpoint->jobs;
    report["fingerprint"] = to_hex(run.checkpoint->dataset);
  }
  if (const auto repeat = run.repeat()) report["repeat"] = repeat->number;
  if (run.rules) {
    std::vector<WrittenRule> rules = *run.rules;
    report["variants"] = erase_variants(rules);
    report["rules"] = rules.size();
  }
  if (run.list_rules) report["rules"] = *run.list_rules;
  report["checkpoints"] = Json::array();
  for (const io::CheckpointFile& file : run.checkpoints) {
    report["checkpoints"].push_back(checkpoint_record(file));
  }
  report["job_list"] = Json::array();
  for (const JobRecord& job : run.history.jobs) report["job_list"].push_back(job_record(run, job));
  report["next"] = run.next();
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string run_report(const std::string& folder, bool json) {
  const RunSummary run = summarise_run(folder);
  return json ? as_json(run) : as_text(run);
}

}  // namespace atl
