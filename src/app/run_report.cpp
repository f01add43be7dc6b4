#include "src/app/run_report.hpp"

#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/checkpoint_store.hpp"
#include "io/near_names.hpp"
#include "io/rule_file.hpp"
#include "io/run_folder.hpp"
#include "src/core/error.hpp"
#include "src/core/experiment.hpp"
#include "src/core/number.hpp"

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

struct RunSummary {
  RunConfiguration configuration;
  std::optional<RunStateHeader> checkpoint;
  std::optional<std::vector<io::WrittenRule>> rules;

  const char* state() const {
    if (!checkpoint) return "begun";
    return checkpoint->finished ? "finished" : "unfinished";
  }
};

RunSummary summarise(const std::string& folder, const Report& report) {
  io::require_run(folder);
  const io::RunPaths paths(folder);
  RunSummary summary;
  summary.configuration = parse_run_configuration(io::read_file(paths.config), paths.config);
  io::CheckpointStore store(paths.checkpoints, summary.configuration.machine.checkpoints_kept,
                            report);
  summary.checkpoint = store.latest_header();
  if (std::filesystem::exists(paths.rules_json)) {
    summary.rules = io::parse_rules_json(io::read_file(paths.rules_json), paths.rules_json);
  }
  return summary;
}

std::string as_text(const std::string& folder, const RunSummary& summary) {
  const Experiment& experiment = summary.configuration.experiment;
  std::string out =
      fmt::format("{}: run, {}\npreset {}, {} islands of {}, seed {}\ndata {}\n", folder,
                  summary.state(), experiment.preset, experiment.islands, experiment.population,
                  experiment.seed, printable(summary.configuration.machine.data, 200));
  if (experiment.holdout > 0) {
    out += fmt::format("rows held out: {} of all", format_number(experiment.holdout));
    if (experiment.significance > 0) {
      out +=
          fmt::format("; rules significant on them, at {}", format_number(experiment.significance));
    }
    out += "\n";
  }
  if (summary.checkpoint) {
    out +=
        fmt::format("generation {} of {}, {:.1f} s, jobs: {}\n", summary.checkpoint->generation,
                    experiment.generations, summary.checkpoint->seconds, summary.checkpoint->jobs);
  } else {
    out += fmt::format("no checkpoint yet of {} generations\n", experiment.generations);
  }
  if (!summary.rules) return out + "no rules written yet\n";
  constexpr std::size_t shown = 5;
  const auto& rules = *summary.rules;
  out += io::counted(rules.size(), "rule") + "\n";
  if (rules.empty()) return out;
  return out + io::rules_table(std::span(rules).first(std::min(shown, rules.size())), 0,
                               {.measures = io::table_measures(rules),
                                .held_out = experiment.holdout > 0,
                                .quantiles = experiment.aim.concludes_quantile()});
}

std::string as_json(const RunSummary& summary, const std::optional<std::string>& owner) {
  const Experiment& experiment = summary.configuration.experiment;
  Json report = {{"kind", "run"},
                 {"state", summary.state()},
                 {"preset", experiment.preset},
                 {"generations", experiment.generations},
                 {"generation", nullptr},
                 {"seconds", nullptr},
                 {"jobs", 0},
                 {"rules", nullptr},
                 {"holdout", experiment.holdout},
                 {"significance", experiment.significance},
                 {"experiment", to_hex(experiment.hash())},
                 {"running", owner.has_value()},
                 {"owner", nullptr}};
  if (owner) report["owner"] = *owner;
  if (summary.checkpoint) {
    report["generation"] = summary.checkpoint->generation;
    report["seconds"] = summary.checkpoint->seconds;
    report["jobs"] = summary.checkpoint->jobs;
    report["fingerprint"] = to_hex(summary.checkpoint->dataset);
  }
  if (summary.rules) report["rules"] = summary.rules->size();
  return report.dump(2) + "\n";
}

}  // namespace

std::string run_report(const std::string& folder, bool json, const Report& report) {
  const RunSummary summary = summarise(folder, report);
  return json ? as_json(summary, io::run_owner(folder)) : as_text(folder, summary);
}

}  // namespace atl
