#include <optional>

#include <fmt/format.h>

#include "io/results/rule_file.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/archive_section.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/grammar/absences.hpp"
#include "src/results/compare/found_again.hpp"
#include "src/results/written/unmet_targets.hpp"
#include "src/run/data/dependences.hpp"
#include "src/run/loop/job_task.hpp"
#include "src/run/loop/repeats.hpp"
#include "src/run/rules/written_results.hpp"

namespace atl {
namespace {

/// The reason why there are fewer rules than were asked for, and what would bring more; empty if
/// there are not.
std::string why_fewer(std::size_t archived, const Experiment& experiment, const ChosenRules& chosen,
                      const WrittenResults& written, const std::string& folder) {
  if (!chosen.complete)
    return "the bounds of some rules are as they were found: atoll resume " + shell_word(folder) +
           " goes on";
  if (written.rules >= experiment.top || written.rules == 0 || experiment.significance > 0) {
    return "";
  }
  const std::string text = fmt::format("fewer than {}: ", experiment.top);
  if (chosen.alike > 0 && experiment.max_similarity < 1) {
    return text + fmt::format(
                      "{} more are like one of these (a --max-similarity above {} lets "
                      "more of them in); whatever else was found says no more than these",
                      chosen.alike, format_number(experiment.max_similarity));
  }
  if (archived > written.rules + written.definitions) {
    return text + "whatever else the search has found says no more than one of these";
  }
  return text + fmt::format(
                    "the search has found no more with support of at least {} "
                    "(--min-support)",
                    experiment.min_support.to_string());
}

class RuleTask final : public JobTask {
 public:
  RuleTask(MiningParts& parts, const JobSettings& settings, const Report& report)
      : parts_(parts), settings_(settings), report_(report) {}

  void look_at_data() override {
    if (!parts_.dependences) parts_.dependences = dependences_of(parts_.rows, parts_.pool);
  }

  void report_data(const Report& report) override {
    const auto attributes = parts_.dataset().attributes();
    report_dependences(*parts_.dependences, experiment_, attributes, report);
    if (parts_.rows.items) tell_of_items(*parts_.rows.items, experiment_, report);
    warn_of_thin_support(experiment_, parts_.dataset().rows(), report);
    tell_of_labels(attributes, report);
    const auto targets = count_targets(experiment_, attributes, *parts_.resident);
    const std::string limit = unmeetable_limit(experiment_, attributes, targets);
    if (!limit.empty()) throw UsageError(limit);
    for (const auto& line : excluded_targets(experiment_, attributes, targets)) {
      report(Severity::warning, line);
    }
    announce_absences(experiment_, attributes, report);
  }

  std::optional<ArchiveWorth> worth(const Results& found) override {
    const bool in_step = experiment_.migration == Migration::synchronous;
    if (experiment_.patience == Patience::endless || !in_step) return std::nullopt;
    return worth_of(rules_of(found), experiment_.top);
  }

  JobOutcome write(const RunState& found, std::vector<HistoryRow> history, bool repeats_follow,
                   const std::function<bool(const std::string& line)>& go_on) override {
    const FoundRules rules{archive_of(found, parts_.dataset().attributes()), std::move(history)};
    const auto goes_on = [&](const ChoiceProgress& progress) {
      return go_on(fmt::format("making the list: {} rules refined, {} of {} chosen",
                               progress.refined, progress.rules, experiment_.top));
    };
    if (!made_) {
      made_.emplace(
          make_list(rules.archive,
                    {experiment_, parts_.grammars, parts_.tables, *parts_.dependences, goes_on},
                    *settings_.log));
    }
    const auto repeats = rules_of_repeats(settings_);
    RuleList& list = made_->list;
    list.repeated = !repeats.empty();
    if (list.repeated) find_again(list.rules, repeats, made_->chosen.searched);
    write_list(list, rules.history, experiment_, *settings_.lock);
    if (!repeats_follow) report_list(*made_, rules, experiment_, report_);
    const WrittenResults counts = count_written(list.rules, experiment_);
    const std::string why =
        why_fewer(rules.archive.size(), experiment_, made_->chosen.list, counts, settings_.folder);
    return outcome(counts, why, list.repeated);
  }

  JobOutcome written() const override {
    const auto rules = io::read_rules(settings_.lock->folder());
    return outcome(count_written(rules, experiment_), "", false);
  }

 private:
  JobOutcome outcome(const WrittenResults& written, const std::string& why_fewer,
                     bool repeated) const {
    const io::RunPaths paths(settings_.folder);
    JobOutcome outcome;
    outcome.counts = {{"rules", written.rules},
                      {"variants", written.variants},
                      {"definitions", written.definitions}};
    outcome.text = fmt::format("{} in {}", counted(written.rules, "rule"), paths.rules_csv);
    if (written.definitions > 0) {
      outcome.notes.push_back(
          fmt::format("kept apart, behind them: {} (atoll rules --definitions {})",
                      counted(written.definitions, "definition"), paths.folder));
    }
    if (!why_fewer.empty()) outcome.notes.push_back(why_fewer);
    if (experiment_.repeat != Repeats::none && !repeated)
      outcome.notes.emplace_back("found_again comes once all repeats have ended");
    const bool any = written.rules + written.definitions > 0;
    if (any) outcome.print = "atoll rules " + shell_word(paths.folder);
    return outcome;
  }

  MiningParts& parts_;
  const JobSettings& settings_;
  const Report& report_;
  const Experiment& experiment_ = settings_.configuration.experiment;
  std::optional<MadeList> made_;
};

}  // namespace

std::unique_ptr<JobTask> make_rule_task(MiningParts& parts, const JobSettings& settings,
                                        const Report& report) {
  return std::make_unique<RuleTask>(parts, settings, report);
}

std::unique_ptr<JobTask> make_task(MiningParts& parts, Search& search, const JobSettings& settings,
                                   const Report& report) {
  const SearchKind& kind = settings.configuration.experiment.kind();
  return kind.classifies ? make_list_task(parts, search, settings, report)
                         : make_rule_task(parts, settings, report);
}

}  // namespace atl
