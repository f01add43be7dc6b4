#pragma once

#include <optional>

#include "io/dataset_file.hpp"
#include "src/app/job.hpp"
#include "src/core/communicator.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// The rows of a job: those that are mined, and on rank 0 those that the experiment holds out.
struct JobRows {
  Dataset search;
  std::optional<Dataset> held_out;
};

/// The bins that the search sees.
io::LoadOptions search_bins(const Experiment& experiment);

/// Collective. @throws BadData, UsageError for bins of attributes that there are not
JobRows load_rows(const JobSettings& settings, const io::LoadOptions& bins,
                  Communicator& communicator);

}  // namespace atl
