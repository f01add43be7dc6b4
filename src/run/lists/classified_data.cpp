#include "src/run/lists/classified_data.hpp"

#include <utility>

#include "io/hdf5/dataset_tables.hpp"
#include "src/core/error.hpp"
#include "src/core/option_value.hpp"
#include "src/rules/class_target.hpp"
#include "src/run/data/default_target.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/data/named_attributes.hpp"
#include "src/run/data/run_data.hpp"

namespace atl {

ClassifiedData read_classified(const std::string& data, const TextForm& form, Experiment experiment,
                               const Report& report) {
  io::LoadOptions options = exact_values(experiment);
  for (const std::string& target : experiment.aim.target) {
    if (const auto name = any_value_of(target)) options.labels.push_back(*name);
  }
  options.before_rows = [&](const io::DatasetSummary& summary) {
    experiment = fitted_to_data(experiment, summary, report);
  };
  Dataset dataset = option_value(
      "--max-bins", [&] { return read_data(data, options, report, import_for(experiment), form); });
  expect_two_attributes(dataset, printable(data, 200));
  if (experiment.aim.target.empty()) {
    experiment.aim.target = {designated_class(dataset.attributes())};
  }
  return {std::move(dataset), std::move(experiment)};
}

Experiment with_expected_class(Experiment experiment,
                               const std::optional<io::DatasetSummary>& summary,
                               const std::string& data) {
  std::vector<std::string>& target = experiment.aim.target;
  if (!summary) {
    if (target.empty()) throw UsageError("--class is missing");
    return experiment;
  }
  if (summary->of_transactions) throw BadData(data, "holds transactions, expected a table");
  (void)fitted_to_data(experiment, *summary, [](Severity, const std::string&) {});
  io::LoadOptions options = search_bins(experiment);
  if (target.empty()) target = {designated_class(summary->attributes)};
  options.labels = {any_value_of(target.front()).value_or("")};
  const auto plan =
      option_value("--max-bins", [&] { return io::make_load_plan(*summary, options); });
  class_attribute(experiment.aim, plan.attributes);
  return experiment;
}

}  // namespace atl
