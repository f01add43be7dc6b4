#include "src/run/prediction.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "io/results/csv_line.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/core/error.hpp"
#include "src/core/number.hpp"
#include "src/core/shell_word.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/rules/rule_set_text.hpp"

namespace atl {

namespace {

void expect_attributes(const io::WrittenRuleSet& written, const Dataset& data,
                       const std::string& name) {
  for (const Attribute& wanted : written.attributes) {
    const auto found = data.find(wanted.name);
    if (!found) {
      throw BadData(name, "has no attribute '" + printable(wanted.name) +
                              "', which a rule of the list names");
    }
    const Attribute& there = data.attributes()[*found];
    if (has_numbers(wanted.kind) != has_numbers(there.kind)) {
      throw BadData(name, "attribute '" + printable(wanted.name) + "' is " + to_string(there.kind) +
                              ", the list was learnt from one that is " + to_string(wanted.kind));
    }
  }
}

}  // namespace

io::WrittenRuleSet read_classifier(const std::string& run) {
  const io::Folder folder = io::find_run(run);
  const std::string config = io::read_file(folder, io::run_names::config);
  const auto configuration =
      parse_run_configuration(config, folder.path_of(io::run_names::config), algorithms());
  if (!configuration.experiment.algorithm->traits.classifies) {
    throw UsageError(printable(run) +
                     " mines rules and learns no classes; print them: atoll rules " +
                     shell_word(run));
  }
  if (!folder.has(io::run_names::classifier_json)) {
    throw MissingInput(folder.path_of(io::run_names::classifier_json),
                       "no list yet: it is written when a job of the run ends; atoll info " +
                           shell_word(run) + " tells how far that is");
  }
  return io::parse_rule_set_json(io::read_file(folder, io::run_names::classifier_json),
                                 folder.path_of(io::run_names::classifier_json));
}

AppliedList::AppliedList(const io::WrittenRuleSet& written, Dataset data, const std::string& name)
    : written_(written), data_(std::move(data)) {
  expect_attributes(written, data_, name);
  list_ = parse_rule_set_for(written.text, data_.attributes(), written.attributes,
                             written.class_attribute, "the list");
  if (list_.rules.size() + 1 != written.decided.size()) {
    throw BadData("the list", "has other rules than its text");
  }
}

std::optional<AppliedList::Truth> AppliedList::truth() const {
  const auto found = data_.find(written_.class_attribute.name);
  if (!found) return std::nullopt;
  const JointClasses joint = join_classes(written_.class_attribute, data_.attributes()[*found]);
  std::vector<std::uint32_t> classes = all_codes(data_, *found);
  for (std::uint32_t& code : classes) {
    if (code != missing_code) code = joint.codes[code];
  }
  RuleSetCounts counts = count_classes(list_, data_, classes, joint.labels.size());
  ConfusionMatrix matrix = confusion_matrix(list_, counts);
  const auto known = static_cast<std::ptrdiff_t>(written_.class_attribute.labels.size());
  return Truth{
      std::move(counts), std::move(matrix), {joint.labels.begin() + known, joint.labels.end()}};
}

void AppliedList::write_csv(std::ostream& out) const {
  const auto& labels = written_.class_attribute.labels;
  std::vector<std::string> fields = {"class", "rule"};
  for (const std::string& label : labels) fields.push_back("p(" + label + ")");
  std::string header;
  io::append_csv_line(header, fields);
  out << header;
  std::vector<std::string> lines(list_.rules.size() + 1);  // the same for all rows of a rule
  for (std::size_t r = 0; r < lines.size(); ++r) {
    const bool is_default = r == list_.rules.size();
    fields = {labels[is_default ? list_.default_class : list_.rules[r].label],
              is_default ? "0" : std::to_string(r + 1)};
    const std::vector<std::uint64_t>& decided = written_.decided[r];
    const auto all = std::accumulate(decided.begin(), decided.end(), std::uint64_t{0});
    for (const std::uint64_t rows : decided) {
      fields.push_back(
          all == 0 ? "" : format_number(static_cast<double>(rows) / static_cast<double>(all)));
    }
    io::append_csv_line(lines[r], fields);
  }
  for (const std::uint32_t rule : deciding_rules(list_, data_)) out << lines[rule];
}

}  // namespace atl
