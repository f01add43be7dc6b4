#include "src/bench/rule_figures.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "src/bench/workload.hpp"
#include "src/eval/bound_comparison.hpp"

namespace atl {
namespace {

/// Three-input operations to compare and to join the result to a rule's side, or the two that stand
/// for each, with `at_once` planes a step.
std::uint32_t least_steps(const BoundComparison& bound, const Attribute& attribute,
                          std::uint32_t at_once) noexcept {
  const std::uint32_t steps = (attribute.planes() + at_once - 1) / at_once;
  const std::uint32_t present = bound.limit_to_present ? 1 : 0;
  const auto steps_above = [&](std::uint32_t code) {
    return steps - 1 - static_cast<std::uint32_t>(std::countr_one(code)) / at_once;
  };
  switch (bound.kind) {
    case BoundKind::greater:
      return steps_above(bound.low) + 1 + present;
    case BoundKind::equal:
      return steps + present;
    case BoundKind::interval:
      return steps_above(bound.low) + steps_above(bound.high) + 2 + present;
    case BoundKind::never:
      break;
  }
  return 0;
}

/// The work that all rules need for a word of rows.
struct Work {
  std::uint64_t steps = 0;         ///< each comparison for itself
  std::uint64_t shared_steps = 0;  ///< distinct ones once, the others joined only
  std::uint64_t planes = 0;        ///< of all comparisons, of an interval twice
  std::uint64_t connectives = 0;   ///< within sides
  std::uint64_t comparisons = 0;
  std::uint64_t symbols = 0;
  std::uint64_t planes_read = 0;  ///< of all attributes that rules name, once
};

Work work_of(std::span<const Rule> rules, std::span<const Attribute> attributes,
             std::uint32_t planes_per_step) {
  Work work;
  std::set<BoundComparison> distinct;
  std::set<std::uint32_t> named;
  for (const Rule& rule : rules) {
    for (const Expression* side : {&rule.antecedent, &rule.consequent}) {
      for (const Comparison& comparison : side->comparisons()) {
        const Attribute& attribute = attributes[comparison.attribute];
        const BoundComparison bound = bind(comparison, attribute).comparison;
        const std::uint32_t steps = least_steps(bound, attribute, planes_per_step);
        work.steps += steps;
        work.shared_steps += distinct.insert(bound).second ? steps : 1;
        work.planes += attribute.planes() * (bound.kind == BoundKind::interval ? 2U : 1U);
        if (named.insert(comparison.attribute).second) {
          work.planes_read += attribute.planes() + (attribute.has_missing ? 1U : 0U);
        }
      }
    }
    ++work.steps;
    ++work.shared_steps;
    work.comparisons += rule.comparisons();
    work.connectives += rule.comparisons() - 2;
    work.symbols += symbols_of(rule.comparisons());
  }
  return work;
}

/// Table 6 and a pipeline of ours have the same stages.
template <typename Stages>
Record stages_of(const Stages& stages) {
  return {{"upload_seconds", stages.upload},
          {"coverage_seconds", stages.coverage},
          {"reduction_seconds", stages.reduction},
          {"fitness_seconds", stages.fitness},
          {"download_seconds", stages.download}};
}

}  // namespace

double core_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                  const CoreRates& rates) {
  const Work work = work_of(rules, attributes, rates.planes_per_step);
  const double seconds = std::max({static_cast<double>(work.steps) / rates.logic,
                                   static_cast<double>(3 * rules.size()) / rates.popcounts,
                                   static_cast<double>(work.comparisons) / rates.loads});
  return static_cast<double>(work.symbols) * 64 / seconds;
}

DeviceBound device_bound(std::span<const Rule> rules, std::span<const Attribute> attributes,
                         std::uint64_t rows, const cuda::DeviceRates& rates) {
  const Work work = work_of(rules, attributes, 2);
  const double words = static_cast<double>(rows) / 32;
  const double plane_bytes = static_cast<double>(work.planes_read) * static_cast<double>(rows) / 8;
  const auto logic = [&](std::uint64_t steps) {
    return words * static_cast<double>(steps) / rates.logic;
  };
  const auto popcounts = [&](std::uint64_t of_comparisons) {
    return words * static_cast<double>(3 * rules.size() + of_comparisons) / rates.popcounts;
  };
  const double shared = words * 8 * static_cast<double>(work.comparisons) / rates.shared;
  const double memory = plane_bytes / (plane_bytes <= rates.l2_bytes ? rates.l2 : rates.memory);
  const double all = static_cast<double>(work.symbols) * static_cast<double>(rows);

  const auto longest =
      std::max({std::pair{logic(work.steps), "logic"}, std::pair{popcounts(0), "popcounts"},
                std::pair{shared, "shared memory"}, std::pair{memory, "memory"}},
               [](const auto& a, const auto& b) { return a.first < b.first; });
  DeviceBound bound;
  bound.raw = all / longest.first;
  bound.limit = longest.second;
  bound.with_supports = all / std::max(longest.first, popcounts(work.comparisons));
  bound.effective = all / std::max({logic(work.shared_steps), popcounts(0), shared, memory});
  bound.plane_an_operation = all / logic(work.planes + work.connectives);
  return bound;
}

double operations_of(const Record& record) {
  return number_of(record, "symbols") * number_of(record, "rules") * number_of(record, "rows");
}

void add_evaluation(Record& record, const EvaluationTimes& times) {
  const double all = operations_of(record);
  const Measured& raw = times.raw;
  record["seconds"] = raw.wall.median;
  record["best_seconds"] = raw.wall.best;
  record["runs"] = raw.wall.runs;
  record["raw_gpops_per_s"] = all / raw.wall.median;
  if (times.with_supports) {
    record["supports_gpops_per_s"] = all / times.with_supports->wall.median;
    record["effective_gpops_per_s"] = all / times.effective->wall.median;
    record["distinct_share"] = times.distinct_share;
  }
  if (!raw.device) return;
  record["device_seconds"] = raw.device->total;
  if (raw.device->coverage > 0) {
    record["coverage_seconds"] = raw.device->coverage;
    record["reduction_seconds"] = raw.device->reduction;
  }
  record["device_raw_gpops_per_s"] = all / raw.device->total;
  if (times.with_supports) {
    record["device_supports_gpops_per_s"] = all / times.with_supports->device->total;
    record["device_effective_gpops_per_s"] = all / times.effective->device->total;
  }
}

void add_core(Record& record, const CoreRates& core, double bound) {
  record["bound_gpops_per_s"] = bound;
  record["share_of_bound"] = number_of(record, "raw_gpops_per_s") / bound;
  record["core"] = rates_of(core);
}

void add_device_bound(Record& record, const DeviceBound& bound) {
  record["bound_gpops_per_s"] = bound.raw;
  record["bound_by"] = bound.limit;
  record["supports_bound_gpops_per_s"] = bound.with_supports;
  record["effective_bound_gpops_per_s"] = bound.effective;
  record["plane_an_operation_gpops_per_s"] = bound.plane_an_operation;
  record["share_of_bound"] = number_of(record, "raw_gpops_per_s") / bound.raw;
  record["device_share_of_bound"] = number_of(record, "device_raw_gpops_per_s") / bound.raw;
}

void add_published_pipeline(Record& record, const StageTimes& stages) {
  const double all = operations_of(record);
  Record pipeline = {{"seconds", stages.wall.median}, {"device_seconds", stages.total}};
  pipeline.update(stages_of(stages));
  pipeline["gpops_per_s"] = all / stages.kernels();
  pipeline["coverage_gpops_per_s"] = all / stages.coverage;
  if (record["pipeline"] == to_string(Pipeline::fused)) {
    pipeline["ratio"] = stages.wall.median / number_of(record, "seconds");
    pipeline["device_ratio"] = stages.kernels() / number_of(record, "device_seconds");
  }
  record["published_pipeline"] = std::move(pipeline);
}

void add_concurrency(Record& record, const ConcurrencyTimes& times) {
  record["serial_seconds"] = times.serial.median;
  record["concurrent_seconds"] = times.concurrent.median;
  if (times.stages) record.update(stages_of(*times.stages));
  constexpr PublishedStages table6;
  Record published = {{"source", "Cano et al. 2013, Table 6"}};
  published.update(stages_of(table6));
  published["serial_seconds"] = table6.serial;
  published["concurrent_seconds"] = table6.concurrent;
  record["published"] = std::move(published);
}

void add_published(Record& record, const char* source, const std::string& unit,
                   const PublishedFigures& figures) {
  record["published"] = {{"source", source},
                         {"cpu_" + unit, figures.cpu},
                         {"four_cpus_" + unit, figures.cpus4},
                         {"gpu_" + unit, figures.gpu},
                         {"two_gpus_" + unit, figures.gpus2}};
}

Record rates_of(const CoreRates& core) {
  return {{"instruction_set", core.instruction_set},
          {"logic_words_per_s", core.logic},
          {"load_words_per_s", core.loads},
          {"popcount_words_per_s", core.popcounts}};
}

Record rates_of(const cuda::VisibleDevice& device, const cuda::DeviceRates& rates) {
  return {{"name", device.name},
          {"cuda_driver", device.driver},
          {"cuda_runtime", device.runtime},
          {"clock_hz", rates.clock},
          {"logic_words_per_s", rates.logic},
          {"popcount_words_per_s", rates.popcounts},
          {"shared_bytes_per_s", rates.shared},
          {"l2_bytes_per_s", rates.l2},
          {"memory_bytes_per_s", rates.memory}};
}

}  // namespace atl
