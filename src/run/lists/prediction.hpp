// Decision lists of runs, applied to other rows.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "io/results/csv_line.hpp"
#include "io/results/rule_set_json.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"
#include "src/data/dataset.hpp"
#include "src/measures/confusion_matrix.hpp"
#include "src/measures/probability_figures.hpp"
#include "src/results/written/list_figures.hpp"
#include "src/rules/rule_set.hpp"
#include "src/run/data/text_form.hpp"

namespace atl {

/// The list that a run has written.
/// @throws UsageError if the run learns none, or has not written it yet; BadData
io::WrittenRuleSet read_classifier(const std::string& run);

/// The form in which another text than that of the run is read: as is said of it, else like the
/// run's. @throws BadData
TextForm or_as_of_run(const TextForm& form, const std::string& run);

/// Tells how right a list is on the rows of a table that it was not learnt from.
struct Truth {
  RuleSetCounts counts;
  ConfusionMatrix matrix{0};
  ProbabilityFigures told;           ///< of the probabilities
  std::vector<std::string> unknown;  ///< classes that the list has never seen, the last of both
};
/// What a list tells, by rule, the default last, and class.
using ListProbabilities = std::span<const std::vector<double>>;
Truth truth_of_counts(const RuleSet& list, ListProbabilities probabilities, RuleSetCounts counts);
/// @param list  of the data's attributes, but for its labels, which are those of `learnt`
Truth truth_of(const RuleSet& list, ListProbabilities probabilities, const Dataset& data,
               std::uint32_t class_attribute, const Attribute& learnt);
/// @param rows  "rows held out: ", or nothing
void report_truth(const std::string& rows, const Truth& truth, const Report& report);

/// Labels of an attribute that the training rows did not have.
struct UnseenLabels {
  std::string attribute;
  std::vector<std::string> labels;
  std::uint64_t rows = 0;
};

/// A column of the table, as text.
struct KeptColumn {
  std::string name;
  std::vector<std::string> values;   ///< [codes]
  std::vector<std::uint32_t> codes;  ///< [rows] missing_code where there is no value
};

/// A list on the rows of a table that it was not learnt from.
class AppliedList {
 public:
  /// @param data  exact; with the class or without it
  /// @param name  of the data, for messages
  /// @param keep  columns that write_csv() is to pass on
  /// @throws BadData if a rule names an attribute that they do not have, or that is of another kind
  AppliedList(const io::WrittenRuleSet& written, Dataset data, const std::string& name,
              std::span<const std::string> keep = {});

  /// Nothing if the data do not have the class.
  std::optional<Truth> truth() const;
  std::vector<ListRuleFigures> figures(const Truth& truth) const {
    return rule_figures(list_, truth.counts);
  }

  std::uint64_t rows() const noexcept { return data_.rows(); }
  /// Of the attributes that the list names. @param training  those of the training rows
  std::vector<UnseenLabels> unseen(std::span<const Attribute> training) const;

  /// A line for each row: the columns that are kept, the class, the rule that decides (0: the
  /// default), and the probability of each class that this rule tells.
  void write_csv(std::ostream& out, io::Formulas formulas) const;

 private:
  const io::WrittenRuleSet& written_;
  std::vector<KeptColumn> kept_;
  Dataset data_;
  RuleSet list_;  // of the data's attributes
};

/// Applies it to every value of the data; labels that look like numbers are what they are in the
/// list. @param with_class  the data must have it
/// @param keep  columns that the data must have, which are read as labels
/// @throws UsageError for one that has the name of a column of predictions
AppliedList apply_list(const io::WrittenRuleSet& written, const std::string& data,
                       const TextForm& form, bool with_class, const Report& report,
                       std::span<const std::string> keep = {});

/// Warns of labels that the training rows did not have. Says nothing where these are not there any
/// more, or are more than 1 GiB.
void report_unseen(const AppliedList& list, const std::string& run, const Report& report);

}  // namespace atl
