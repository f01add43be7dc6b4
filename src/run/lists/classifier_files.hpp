// What a run that learns a decision list writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/report.hpp"
#include "src/results/written/history.hpp"
#include "src/results/written/list_front.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/job_settings.hpp"

namespace atl {

/// What has been written.
struct WrittenList {
  std::size_t rules = 0;  ///< without the default
  std::size_t comparisons = 0;
};

/// Writes classifier.json, classifier.txt, classifier.pmml and history.csv, and reports the front.
/// Blocking, not collective.
/// @param rows  that were searched, and those held out
WrittenList write_classifier(const ListFront& front, const std::vector<HistoryRow>& history,
                             std::uint32_t class_attribute, const JobRows& rows,
                             const JobSettings& settings, const Report& report);

}  // namespace atl
