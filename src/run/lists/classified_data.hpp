// The rows that decision lists are learnt from, and the class that these are to tell.
#pragma once

#include <optional>
#include <string>

#include "io/hdf5/dataset_file.hpp"
#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/data/dataset.hpp"
#include "src/run/data/text_form.hpp"

namespace atl {

/// What is learnt from.
struct ClassifiedData {
  Dataset exact;          ///< not binned
  Experiment experiment;  ///< names the class
};

/// Reads every value. Names the class that the data designate if the experiment names none.
/// @throws UsageError if nobody names one; as read_data()
ClassifiedData read_classified(const std::string& data, const TextForm& form, Experiment experiment,
                               const Report& report);

/// Checks before a job what it would say of the class: all of a dataset file, of a text only that
/// somebody names the class. @param summary  of a dataset file  @param data  what messages call it
/// @return the experiment, which names the class  @throws UsageError, BadData
Experiment with_expected_class(Experiment experiment,
                               const std::optional<io::DatasetSummary>& summary,
                               const std::string& data);

}  // namespace atl
