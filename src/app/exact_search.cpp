#include "src/app/exact_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/dataset_file.hpp"
#include "src/config/experiment.hpp"
#include "src/core/cpus.hpp"
#include "src/exhaustive/rules/duration.hpp"
#include "src/exhaustive/rules/items.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_bits = std::uint64_t{1} << 28;  // of rows and labels, 32 MiB
constexpr double most_seconds = 60;
constexpr std::size_t usual_top = 100;  // of atoll enumerate

bool is_small_table_of_labels(const io::DatasetSummary& summary) {
  if (summary.of_transactions) return false;
  std::uint64_t labels = 0;
  for (const Attribute& attribute : summary.attributes) {
    if (has_numbers(attribute.kind)) return false;
    labels += attribute.distinct();
  }
  return summary.attributes.size() >= 2 && may_be_tried(labels, summary.rows) &&
         labels <= most_bits / std::max<std::uint64_t>(1, summary.rows);
}

/// Does the run look for what the best rules by leverage are?
bool is_after_leverage(const Experiment& experiment) {
  return experiment.algorithm->traits.associations && experiment.aim.open() &&
         experiment.archive_by == "leverage" && experiment.holdout == 0;
}

std::string about(double seconds) {
  if (seconds < 0.1) return "less than 0.1 s";
  return seconds < 1 ? fmt::format("about {:.1f} s", seconds)
                     : fmt::format("about {:.0f} s", seconds);
}

}  // namespace

void tell_of_exact_search(const std::string& dataset, const io::Folder& run,
                          const RunConfiguration& configuration, const Report& report) {
  const Experiment& experiment = configuration.experiment;
  if (!is_after_leverage(experiment)) return;
  if (!is_small_table_of_labels(io::read_data_summary(dataset, &run))) return;
  io::LoadOptions options;
  options.folder = &run;
  const Items items(io::read_dataset(dataset, options));
  RuleLimits limits;
  limits.min_count = experiment.min_support.minimum_count(items.rows());
  const std::uint32_t threads = configuration.machine.threads;
  ThreadPool pool(threads != 0 ? threads : available_cpus());
  const auto seconds = enumeration_seconds(items, limits, usual_top, pool);
  if (!seconds || *seconds > most_seconds) return;
  report(Severity::info,
         fmt::format("atoll enumerate would find the best rules of this table up to "
                     "{} comparisons exactly, in {}",
                     limits.max_length, about(*seconds)));
}

}  // namespace atl
