#include "src/exhaustive/rules/exact_search.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "src/core/cpus.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/rules/duration.hpp"
#include "src/exhaustive/rules/items.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_bits = std::uint64_t{1} << 28;  // of rows and labels, 32 MiB
constexpr double most_seconds = 60;
constexpr std::size_t usual_top = 100;  // of atoll enumerate

std::string about(double seconds) {
  if (seconds < 0.1) return "less than 0.1 s";
  return seconds < 1 ? fmt::format("about {:.1f} s", seconds)
                     : fmt::format("about {:.0f} s", seconds);
}

}  // namespace

bool is_after_leverage(const Experiment& experiment) {
  return experiment.algorithm->traits.associations && experiment.aim.open() &&
         experiment.archive_by == "leverage" && experiment.holdout.none();
}

bool is_small_table_of_labels(std::span<const Attribute> attributes, std::uint64_t rows) {
  std::uint64_t labels = 0;
  for (const Attribute& attribute : attributes) {
    if (has_numbers(attribute.kind)) return false;
    labels += attribute.distinct();
  }
  return attributes.size() >= 2 && may_be_tried(labels, rows) &&
         labels <= most_bits / std::max<std::uint64_t>(1, rows);
}

std::optional<std::string> exact_search_hint(const Dataset& dataset,
                                             const SupportThreshold& min_support,
                                             std::uint32_t threads) {
  const Items items(dataset);
  RuleLimits limits;
  limits.min_count = min_support.minimum_count(items.rows());
  ThreadPool pool(threads != 0 ? threads : available_cpus());
  const auto seconds = enumeration_seconds(items, limits, usual_top, pool);
  if (!seconds || *seconds > most_seconds) return std::nullopt;
  return fmt::format(
      "atoll enumerate would find the best rules of this table up to {} comparisons exactly, in {}",
      limits.max_length, about(*seconds));
}

}  // namespace atl
