#include "src/run/classifier_files.hpp"

#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "io/results/rule_file.hpp"
#include "io/results/rule_set_json.hpp"
#include "io/results/rule_set_pmml.hpp"
#include "io/results/rule_set_table.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/core/near_names.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/rules/rule_set_text.hpp"

namespace atl {

namespace {

void report_lines(const std::string& text, const Report& report) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) report(Severity::info, line);
}

std::string figures_line(const std::string& rows, const ConfusionMatrix& matrix) {
  return fmt::format("{}: {:.2f}% of {} right, mean recall of the classes {:.2f}%", rows,
                     100 * accuracy(matrix), counted(matrix.rows(), "row"),
                     100 * balanced_accuracy(matrix));
}

}  // namespace

WrittenList write_classifier(const ListFront& front, const std::vector<HistoryRow>& history,
                             std::uint32_t class_attribute, const JobRows& rows,
                             const JobSettings& settings, const Report& report) {
  const ListFrontRow& chosen = front.rows[front.chosen];
  const auto attributes = rows.search.attributes();
  const Attribute& classes = attributes[class_attribute];
  std::vector<io::ListFigures> figures = {{"training", rule_figures(chosen.list, chosen.counts)}};
  std::optional<RuleSetCounts> held_out;
  if (rows.held_out) {
    held_out = count_classes(chosen.list, *rows.held_out,
                             all_codes(*rows.held_out, class_attribute), classes.distinct());
    figures.push_back({"held out", rule_figures(chosen.list, *held_out)});
  }
  const std::string list = to_text(chosen.list, attributes, classes);
  const std::string text =
      list + "\n" + io::list_figures_table(figures) + "\n" + io::front_table(front);
  const io::RunLock& run = *settings.lock;
  io::write_file(run, io::run_names::classifier_text, text);
  io::write_file(run, io::run_names::classifier_json,
                 io::rule_set_json(chosen.list, attributes, class_attribute, chosen.counts,
                                   {&front, held_out ? &*held_out : nullptr}));
  try {
    io::write_file(run, io::run_names::classifier_pmml,
                   io::rule_set_pmml(chosen.list, attributes, class_attribute, chosen.counts));
  } catch (const UsageError& error) {
    report(Severity::warning, std::string("no classifier.pmml: ") + error.what());
  }
  io::write_file(run, io::run_names::history,
                 io::history_csv(history, settings.configuration.experiment.all_maximized()));
  report_lines(io::front_table(front), report);
  report(Severity::info,
         figures_line("training rows", confusion_matrix(chosen.list, chosen.counts)));
  if (held_out) {
    report(Severity::info, figures_line("rows held out", confusion_matrix(chosen.list, *held_out)));
  }
  return {chosen.list.rules.size(), chosen.list.comparisons()};
}

}  // namespace atl
