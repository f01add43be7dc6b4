#include "src/run/classifier_files.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "io/results/rule_file.hpp"
#include "io/run/run_files.hpp"
#include "src/core/near_names.hpp"
#include "src/rules/rule_set_text.hpp"

namespace atl {

namespace {

/// Sizes at which the error changes, as a table.
std::string front_table(const ListFront& front) {
  std::string text = fmt::format("{:>5}  {:>11}  {:>9}  {:>9}\n", "rules", "comparisons", "training",
                                 "inner");
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const ListFrontRow& row = front.rows[i];
    text += fmt::format("{:>5}  {:>11}  {:>9.4f}  {:>9}{}\n", row.list.rules.size(),
                        row.list.comparisons(), row.training,
                        row.unseen ? fmt::format("{:.4f}", *row.unseen) : "",
                        i == front.chosen ? "  chosen" : "");
  }
  return text;
}

void report_lines(const std::string& text, const Report& report) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) report(Severity::info, line);
}

}  // namespace

WrittenList write_classifier(const ListFront& front, const std::vector<HistoryRow>& history,
                             const Attribute& class_attribute, const JobRows& rows,
                             const JobSettings& settings, const Report& report) {
  const RuleSet& list = front.rows[front.chosen].list;
  const std::string text = to_text(list, rows.search.attributes(), class_attribute);
  io::write_file(*settings.lock, "classifier.txt", text);
  io::write_file(*settings.lock, io::run_names::history,
                 io::history_csv(history, settings.configuration.experiment.all_maximized()));
  report_lines(front_table(front), report);
  return {list.rules.size(), list.comparisons()};
}

}  // namespace atl
