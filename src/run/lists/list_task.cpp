#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/results/rule_file.hpp"
#include "io/results/rule_set_json.hpp"
#include "io/results/rule_set_pmml.hpp"
#include "io/results/rule_set_table.hpp"
#include "io/run/run_files.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/list_results.hpp"
#include "src/core/error.hpp"
#include "src/core/report.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/core/time_line.hpp"
#include "src/data/row_codes.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/results/written/history.hpp"
#include "src/results/written/list_figures.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/lists/prediction.hpp"
#include "src/run/loop/job_task.hpp"

namespace atl {
namespace {

/// What has been written.
struct WrittenList {
  std::size_t rules = 0;  ///< without the default
  std::size_t comparisons = 0;
};

/// Writes classifier.json, classifier.txt, classifier.pmml and history.csv, and reports the front.
/// Blocking, not collective.
/// @param rows  that were searched, and those held out

void report_lines(const std::string& text, const Report& report) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) report(Severity::info, line);
}

/// As any other table would be put into classes: their bins and labels are not those of the search.
Truth truth_of_rows(const std::string& list, ListProbabilities probabilities, const Dataset& rows,
                    std::span<const Attribute> learnt_from, std::uint32_t class_attribute) {
  const Attribute& learnt = learnt_from[class_attribute];
  return truth_of(parse_rule_set_for(list, rows.attributes(), learnt_from, learnt, "the list"),
                  probabilities, rows, class_attribute, learnt);
}

/// What labels stand for that the import made.
std::string merged_labels(const RuleSet& list, std::span<const Attribute> attributes,
                          std::uint32_t class_attribute) {
  std::string text;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const Attribute& attribute = attributes[a];
    if (attribute.other.empty() || !(a == class_attribute || names(list, a))) continue;
    text += fmt::format("\n'{}' of '{}' is any label but the {} that the import kept\n",
                        attribute.other, printable(attribute.name), attribute.distinct() - 1);
  }
  return text;
}

/// Why a list says one class of all rows, and what to do about it.
void report_no_rules(const ListFront& front, std::span<const Attribute> attributes,
                     std::uint32_t class_attribute, const std::vector<std::string>& excluded,
                     const Report& report) {
  const ListFrontRow& chosen = front.rows[front.chosen];
  if (!chosen.list.rules.empty()) return;
  const Attribute& classes = attributes[class_attribute];
  const bool nothing_to_say =
      std::all_of(attributes.begin(), attributes.end(), [&](const Attribute& attribute) {
        return &attribute == &classes || attribute.distinct() < 2 ||
               std::find(excluded.begin(), excluded.end(), attribute.name) != excluded.end();
      });
  const bool tested = chosen.unseen && front.rows.size() > 1;
  report(Severity::warning,
         fmt::format("no rules, '{}' is said of every row: {}",
                     printable(class_label(chosen.list.default_class, classes)),
                     nothing_to_say ? "no attribute that rules may name has two values"
                     : tested       ? "on rows that they have not seen lists with rules are worse; "
                                      "--inner-folds 0 takes the best on the training rows"
                                    : "no rule gains more rows than its comparisons cost "
                                      "(--comparison-cost)"));
}

WrittenList write_classifier(const ListFront& front, const std::vector<HistoryRow>& history,
                             std::uint32_t class_attribute, MiningParts& parts,
                             const JobSettings& settings, const Report& report) {
  const JobRows& rows = parts.rows;
  const ListFrontRow& chosen = front.rows[front.chosen];
  const auto attributes = rows.search.attributes();
  const Attribute& classes = attributes[class_attribute];
  const RuleSetCounts counts = in_phase("training rows", [&] {
    return count_classes(chosen.list, rows.search, all_codes(rows.search, class_attribute),
                         classes.distinct(), &parts.pool);
  });
  const auto probabilities = class_probabilities(front.decided, front.smoothing);
  std::vector<io::ListFigures> figures = {{"training", rule_figures(chosen.list, counts)}};
  const std::string list = to_text(chosen.list, attributes, classes);
  std::optional<Truth> held_out;
  if (rows.held_out) {
    held_out = truth_of_rows(list, probabilities, *rows.held_out, attributes, class_attribute);
    figures.push_back({"held out", rule_figures(chosen.list, held_out->counts)});
  }
  const std::string text = list + "\n" + io::list_figures_table(figures) + "\n" +
                           io::front_table(front) +
                           merged_labels(chosen.list, attributes, class_attribute);
  const io::RunLock& run = *settings.lock;
  io::write_file(run, io::run_names::classifier_text, text);
  io::RuleSetContext context{.front = &front};
  if (held_out) {
    context.held_out = &held_out->counts;
    context.unknown = held_out->unknown;
  }
  io::write_file(run, io::run_names::classifier_json,
                 io::rule_set_json(chosen.list, attributes, class_attribute, counts,
                                   front.smoothing, context));
  try {
    io::write_file(
        run, io::run_names::classifier_pmml,
        io::rule_set_pmml(chosen.list, attributes, class_attribute, counts, front.smoothing));
  } catch (const UsageError& error) {
    report(Severity::warning, std::string("no classifier.pmml: ") + error.what());
  }
  io::write_file(run, io::run_names::history,
                 io::history_csv(history, settings.configuration.experiment.all_maximized()));
  report_lines(io::front_table(front), report);
  report_no_rules(front, attributes, class_attribute, settings.configuration.experiment.aim.exclude,
                  report);
  report_truth("training rows: ", truth_of_counts(chosen.list, probabilities, counts), report);
  if (held_out) report_truth("rows held out: ", *held_out, report);
  return {chosen.list.rules.size(), chosen.list.comparisons()};
}

class ListTask final : public JobTask {
 public:
  ListTask(MiningParts& parts, Search& search, const JobSettings& settings, const Report& report)
      : parts_(parts), search_(search), settings_(settings), report_(report) {}

  void report_data(const Report& report) override {
    const Attribute& attribute = parts_.dataset().attributes()[class_attribute()];
    report(Severity::info,
           fmt::format("class '{}': {} of {}", printable(attribute.name),
                       counted(attribute.distinct(), "value"),
                       counted(parts_.dataset().rows() - attribute.missing, "row")));
    warn_of_quantity(attribute, report);
  }

  std::optional<ArchiveWorth> worth(const Results& found) override {
    const bool in_step = experiment_.migration == Migration::synchronous;
    if (experiment_.patience == Patience::endless || !in_step) return std::nullopt;
    return list_worth(found);
  }

  GainWatch gain_watch() const override { return list_gain_watch(); }

  JobOutcome write(const RunState& found, std::vector<HistoryRow> history, bool,
                   const std::function<bool(const std::string& line)>&) override {
    const ListFront front = list_results(search_, found)->front();
    const WrittenList written =
        write_classifier(front, history, class_attribute(), parts_, settings_, report_);
    const std::string& folder = settings_.folder;
    JobOutcome outcome;
    outcome.counts = {{"rules", written.rules}, {"comparisons", written.comparisons}};
    outcome.text = fmt::format("a list of {} in {}", counted(written.rules, "rule"),
                               printable(folder) + "/" + io::run_names::classifier_text);
    outcome.print = "atoll classify rules " + shell_word(folder);
    return outcome;
  }

 private:
  std::uint32_t class_attribute() const {
    return atl::class_attribute(experiment_.aim, parts_.dataset().attributes());
  }

  MiningParts& parts_;
  Search& search_;
  const JobSettings& settings_;
  const Report& report_;
  const Experiment& experiment_ = settings_.configuration.experiment;
};

}  // namespace

std::unique_ptr<JobTask> make_list_task(MiningParts& parts, Search& search,
                                        const JobSettings& settings, const Report& report) {
  return std::make_unique<ListTask>(parts, search, settings, report);
}

}  // namespace atl
