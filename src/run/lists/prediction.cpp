#include "src/run/lists/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "io/hdf5/data_file.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/core/error.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/text/label_number.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/data/date.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/run/data/rule_data.hpp"
#include "src/run/data/run_data.hpp"

namespace atl {
namespace {

std::vector<std::string> names_of(const Dataset& data) {
  std::vector<std::string> names;
  for (const Attribute& attribute : data.attributes()) names.push_back(attribute.name);
  return names;
}

void expect_attributes(const io::WrittenRuleSet& written, const Dataset& data,
                       const std::string& name) {
  for (const Attribute& wanted : written.attributes) {
    const auto found = data.find(wanted.name);
    if (!found) {
      throw BadData(name, missing_column(wanted.name, names_of(data)));
    }
    const Attribute& there = data.attributes()[*found];
    if (has_numbers(wanted.kind) != has_numbers(there.kind)) {
      throw BadData(name, "attribute '" + printable(wanted.name) + "' is " + to_string(there.kind) +
                              ", the list was learnt from one that is " + to_string(wanted.kind));
    }
  }
}

/// @param known  has all labels but those that are merged, and the one that stands for them
/// @param codes  [rows] of the attribute
void merge_labels(const Attribute& known, Attribute& attribute, std::vector<std::uint32_t>& codes) {
  std::vector<std::string> kept;
  for (const std::string& label : known.labels)
    if (label != known.other) kept.push_back(label);
  const bool numbers = are_label_numbers(kept) && are_label_numbers(attribute.labels);
  const std::set<std::string> texts(kept.begin(), kept.end());
  std::map<std::string, std::uint64_t> rows;
  std::vector<std::string> merged;  // [codes]
  for (std::uint32_t code = 0; code < attribute.distinct(); ++code) {
    const std::string& label = attribute.labels[code];
    const auto same = numbers ? find_label(kept, label) : std::nullopt;
    merged.push_back(texts.contains(label) ? label : same ? kept[*same] : known.other);
    rows[merged.back()] += attribute.counts[code];
  }
  attribute.labels.clear();
  attribute.counts.clear();
  for (const auto& [label, of_label] : rows) {
    attribute.labels.push_back(label);
    attribute.counts.push_back(of_label);
  }
  attribute.exact_distinct = attribute.labels.size();
  std::vector<std::uint32_t> new_codes;
  for (const std::string& label : merged) {
    const auto place = std::lower_bound(attribute.labels.begin(), attribute.labels.end(), label);
    new_codes.push_back(static_cast<std::uint32_t>(place - attribute.labels.begin()));
  }
  for (std::uint32_t& code : codes) {
    if (code != missing_code) code = new_codes[code];
  }
}

/// The attribute of the data that an attribute of the list is applied to.
struct Applied {
  const Attribute* of_list;
  std::uint32_t index;
};

/// The columns that the list needs. Where the import of the training table merged rare labels, all
/// labels but those that it kept are merged.
Dataset data_for(const io::WrittenRuleSet& written, Dataset data, const std::string& name) {
  std::vector<ColumnOfRules> wanted;
  for (const Attribute& attribute : written.attributes)
    wanted.push_back({attribute.name, attribute.kind, attribute.labels});
  // Its classes are compared as texts and numbers, whatever they are.
  wanted.push_back({written.class_attribute.name, AttributeKind::nominal});
  data = with_kinds(std::move(data), wanted);
  expect_attributes(written, data, name);
  std::vector<Applied> needed;
  bool merged = false;
  const auto need = [&](const Attribute& attribute) {
    const auto found = data.find(attribute.name);
    if (!found) return;
    needed.push_back({&attribute, *found});
    merged = merged || !attribute.other.empty();
  };
  for (const Attribute& attribute : written.attributes) need(attribute);
  need(written.class_attribute);
  if (!merged) return data;
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;
  for (const Applied& applied : needed) {
    Attribute attribute = data.attributes()[applied.index];
    std::vector<std::uint32_t> codes = all_codes(data, applied.index);
    if (!applied.of_list->other.empty() && attribute.kind == AttributeKind::nominal) {
      merge_labels(*applied.of_list, attribute, codes);
    }
    attributes.push_back(std::move(attribute));
    columns.push_back(std::move(codes));
  }
  return make_dataset(std::move(attributes), columns);
}

/// Readers could not tell the two columns apart.
void expect_no_own_column(const std::string& name, const Attribute& classes) {
  const auto is_share = [&](const std::string& label) { return name == "p(" + label + ")"; };
  if (name == "class" || name == "rule" ||
      std::any_of(classes.labels.begin(), classes.labels.end(), is_share)) {
    throw UsageError("--keep: predict writes a column " + in_quotes(name) + " of its own");
  }
}

std::vector<KeptColumn> kept_columns(const Dataset& data, std::span<const std::string> names,
                                     const std::string& of) {
  std::vector<KeptColumn> kept;
  for (const std::string& name : names) {
    const auto found = data.find(name);
    if (!found)
      throw BadData(of, "--keep: no column " + in_quotes(name) + suggestion(name, names_of(data)));
    const Attribute& attribute = data.attributes()[*found];
    KeptColumn& column = kept.emplace_back();
    column.name = name;
    column.values = attribute.labels;
    for (std::size_t code = 0; has_numbers(attribute.kind) && code < attribute.distinct(); ++code)
      column.values.push_back(value_text(attribute.low[code], attribute.kind));
    column.codes = all_codes(data, *found);
  }
  return kept;
}

/// The attributes of a run's data, if its file is still there and not too large.
std::vector<Attribute> training_attributes(const std::string& run) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 30;
  try {
    const io::Folder folder = io::find_run(run);
    const std::string config = io::read_file(folder, io::run_names::config);
    const std::string given =
        parse_run_configuration(config, folder.path_of(io::run_names::config), algorithms())
            .machine.data;
    for (const std::string& path : {io::RunPaths(run).data, given}) {
      std::error_code absent;
      const std::uintmax_t bytes = std::filesystem::file_size(path, absent);
      if (absent || bytes > most_bytes || !io::is_dataset_file(path)) continue;
      return io::read_data_summary(path).attributes;
    }
  } catch (const Error&) {  // predictions do not need them
  }
  return {};
}

}  // namespace

io::WrittenRuleSet read_classifier(const std::string& run) {
  const io::Folder folder = io::find_run(run);
  const std::string config = io::read_file(folder, io::run_names::config);
  const auto configuration =
      parse_run_configuration(config, folder.path_of(io::run_names::config), algorithms());
  expect_kind(list_kind, configuration.experiment, run);
  if (!folder.has(io::run_names::classifier_json)) {
    throw MissingInput(folder.path_of(io::run_names::classifier_json),
                       "no list yet: it is written when a job of the run ends; atoll info " +
                           shell_word(run) + " tells how far that is");
  }
  return io::parse_rule_set_json(io::read_file(folder, io::run_names::classifier_json),
                                 folder.path_of(io::run_names::classifier_json));
}

Truth truth_of_counts(const RuleSet& list, ListProbabilities probabilities, RuleSetCounts counts) {
  Truth truth;
  truth.matrix = confusion_matrix(list, counts);
  truth.told = probability_figures(list, counts.decided, probabilities);
  truth.counts = std::move(counts);
  return truth;
}

Truth truth_of(const RuleSet& list, ListProbabilities probabilities, const Dataset& data,
               std::uint32_t class_attribute, const Attribute& learnt) {
  const Attribute& theirs = data.attributes()[class_attribute];
  const JointClasses joint = join_classes(learnt, theirs);
  std::vector<std::string> unknown;
  std::vector<std::uint32_t> joined;  // [codes of theirs]
  for (std::uint32_t code = 0; code < theirs.distinct(); ++code) {
    std::uint32_t its = joint.codes[code];
    if (its >= learnt.distinct() && theirs.counts[code] > 0) {
      unknown.push_back(joint.labels[its]);
      its = static_cast<std::uint32_t>(learnt.distinct() + unknown.size() - 1);
    }
    joined.push_back(its);
  }
  std::vector<std::uint32_t> classes = all_codes(data, class_attribute);
  for (std::uint32_t& code : classes) {
    if (code != missing_code) code = joined[code];
  }
  Truth truth = truth_of_counts(
      list, probabilities, count_classes(list, data, classes, learnt.distinct() + unknown.size()));
  truth.unknown = std::move(unknown);
  return truth;
}

void report_truth(const std::string& rows, const Truth& truth, const Report& report) {
  if (truth.matrix.rows() == 0) {
    report(Severity::warning, rows + "none has a class, so nothing is known of how many are right");
    return;
  }
  std::string line = fmt::format("{}{:.2f}% of {} right, mean recall of the classes {:.2f}%", rows,
                                 100 * accuracy(truth.matrix), counted(truth.matrix.rows(), "row"),
                                 100 * balanced_accuracy(truth.matrix));
  if (truth.told.rows > 0) line += fmt::format(", log-loss {:.4f}", truth.told.log_loss);
  if (!std::isnan(truth.told.auc)) line += fmt::format(", AUC {:.4f}", truth.told.auc);
  report(Severity::info, line);
  if (truth.unknown.empty()) return;
  report(Severity::warning, "classes that the list has never seen, so their rows count as wrong: " +
                                printable(listed(truth.unknown), 300) +
                                " (log-loss and AUC leave them out)");
}

AppliedList::AppliedList(const io::WrittenRuleSet& written, Dataset data, const std::string& name,
                         std::span<const std::string> keep)
    : written_(written),
      kept_(kept_columns(data, keep, name)),
      data_(data_for(written, std::move(data), name)) {
  list_ = parse_rule_set_for(written.text, data_.attributes(), written.attributes,
                             written.class_attribute, "the list");
  if (list_.rules.size() + 1 != written.decided.size()) {
    throw BadData("the list", "has other rules than its text");
  }
}

std::optional<Truth> AppliedList::truth() const {
  const auto found = data_.find(written_.class_attribute.name);
  if (!found) return std::nullopt;
  return truth_of(list_, written_.probabilities, data_, *found, written_.class_attribute);
}

std::vector<UnseenLabels> AppliedList::unseen(std::span<const Attribute> training) const {
  std::vector<UnseenLabels> found;
  for (const Attribute& named : written_.attributes) {
    const auto there = data_.find(named.name);
    const auto known = std::find_if(training.begin(), training.end(),
                                    [&](const Attribute& a) { return a.name == named.name; });
    if (!there || known == training.end() || known->labels.empty()) continue;
    const Attribute& its = data_.attributes()[*there];
    const std::set<std::string> texts(known->labels.begin(), known->labels.end());
    const bool numbers = are_label_numbers(known->labels) && are_label_numbers(its.labels);
    UnseenLabels unseen{its.name, {}, 0};
    for (std::size_t code = 0; code < its.labels.size(); ++code) {
      const std::string& label = its.labels[code];
      if (its.counts[code] == 0 || texts.contains(label)) continue;
      if (numbers && find_label(known->labels, label)) continue;
      unseen.labels.push_back(label);
      unseen.rows += its.counts[code];
    }
    if (unseen.rows > 0) found.push_back(std::move(unseen));
  }
  return found;
}

void AppliedList::write_csv(std::ostream& out, io::Formulas formulas) const {
  const auto& labels = written_.class_attribute.labels;
  std::vector<std::string> fields;
  for (const KeptColumn& column : kept_) fields.push_back(column.name);
  fields.insert(fields.end(), {"class", "rule"});
  for (const std::string& label : labels) fields.push_back("p(" + label + ")");
  std::string header;
  io::append_csv_line(header, fields, formulas);
  out << header;
  std::vector<std::string> lines(list_.rules.size() + 1);  // the same for all rows of a rule
  for (std::size_t r = 0; r < lines.size(); ++r) {
    const bool is_default = r == list_.rules.size();
    fields = {labels[is_default ? list_.default_class : list_.rules[r].label],
              is_default ? "0" : std::to_string(r + 1)};
    for (const double its : written_.probabilities[r]) fields.push_back(format_number(its));
    io::append_csv_line(lines[r], fields, formulas);
  }
  std::vector<std::string> kept(kept_.size());
  std::string line;
  std::size_t row = 0;
  for (const std::uint32_t rule : deciding_rules(list_, data_)) {
    line.clear();
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const std::uint32_t code = kept_[k].codes[row];
      kept[k] = code == missing_code ? "" : kept_[k].values[code];
    }
    if (!kept.empty()) {
      io::append_csv_line(line, kept, formulas);
      line.back() = ',';
    }
    out << line << lines[rule];
    ++row;
  }
}

TextForm or_as_of_run(const TextForm& form, const std::string& run) {
  const io::Folder folder = io::find_run(run);
  const std::string text = io::read_file(folder, io::run_names::config);
  return or_as_of_run(
      form, parse_run_configuration(text, folder.path_of(io::run_names::config), algorithms())
                .machine.text);
}

AppliedList apply_list(const io::WrittenRuleSet& written, const std::string& data,
                       const TextForm& form, bool with_class, const Report& report,
                       std::span<const std::string> keep) {
  std::vector<io::NeededColumn> needed;
  const auto need = [&](const Attribute& attribute, bool is_class) {
    needed.push_back({.name = attribute.name,
                      .kind = attribute.kind,
                      .missing = attribute.missing_tokens,
                      .order = attribute.ordered() ? attribute.labels : std::vector<std::string>(),
                      .number_form = attribute.number_form,
                      .is_class = is_class,
                      .required = !is_class || with_class});
  };
  need(written.class_attribute, true);
  for (const Attribute& attribute : written.attributes) need(attribute, false);
  const std::size_t of_list = needed.size();
  std::set<std::string> kept;
  for (const std::string& name : keep) {
    expect_no_own_column(name, written.class_attribute);
    if (name.empty()) throw UsageError("--keep: a name is empty");
    if (!kept.insert(name).second)
      throw UsageError("--keep: " + in_quotes(name) + " is there twice");
    const auto end = needed.begin() + static_cast<std::ptrdiff_t>(of_list);
    const auto same = std::find_if(needed.begin(), end,
                                   [&](const io::NeededColumn& one) { return one.name == name; });
    if (same != end) {
      same->required = true;
    } else {
      needed.push_back({.name = name, .missing = std::vector<std::string>(), .required = true});
    }
  }
  return AppliedList(
      written, read_columns(data, {.max_bins = 0, .attribute_bins = {}}, report, needed, form),
      printable(data, 200), keep);
}

void report_unseen(const AppliedList& list, const std::string& run, const Report& report) {
  for (const UnseenLabels& unseen : list.unseen(training_attributes(run))) {
    report(Severity::warning,
           fmt::format("{}: {} that the training rows did not have, on {}: {}",
                       in_quotes(unseen.attribute), counted(unseen.labels.size(), "label"),
                       counted(unseen.rows, "row"), printable(listed(unseen.labels), 300)));
  }
}

}  // namespace atl
