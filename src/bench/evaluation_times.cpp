#include "src/bench/evaluation_times.hpp"

#include <array>
#include <vector>

#include "src/eval/batch.hpp"

namespace atl {

namespace {

Measured measure(Evaluator& evaluator, std::span<const Rule> rules, const EvaluateOptions& options,
                 double seconds) {
  std::vector<RuleCounts> counts(rules.size());
  const auto run = [&] { evaluator.wait(evaluator.submit(rules, options), counts); };
  Measured measured;
  measured.wall = time_repeatedly(run, seconds);
  cuda::time_batches(evaluator, true);
  run();
  if (cuda::last_device_seconds(evaluator)) {
    std::vector<cuda::DeviceSeconds> runs;
    time_repeatedly(
        [&] {
          run();
          runs.push_back(*cuda::last_device_seconds(evaluator));
        },
        seconds);
    measured.device.emplace();
    for (const auto part : {&cuda::DeviceSeconds::coverage, &cuda::DeviceSeconds::reduction,
                            &cuda::DeviceSeconds::total}) {
      (*measured.device).*part = median_of(runs, part);
    }
  }
  cuda::time_batches(evaluator, false);
  return measured;
}

}  // namespace

EvaluationTimes time_evaluation(Evaluator& evaluator, std::span<const Rule> rules,
                                std::span<const Attribute> attributes, double seconds) {
  const auto time = [&](bool share, bool supports) {
    EvaluateOptions options;
    options.share_comparisons = share;
    options.comparison_supports = supports;
    return measure(evaluator, rules, options, seconds);
  };
  EvaluationTimes times;
  times.raw = time(false, false);
  times.with_supports = time(false, true);
  times.effective = time(true, false);
  Batch batch;
  batch.compile(rules, attributes, {});
  times.distinct_share = static_cast<double>(batch.comparisons().size()) /
                         static_cast<double>(batch.operands().size());
  return times;
}

BatchTimes time_batches(Evaluator& evaluator, std::span<const Rule> rules, double seconds) {
  EvaluateOptions options;
  options.share_comparisons = false;
  std::vector<RuleCounts> counts(rules.size());
  std::array<BatchId, BatchTimes::batches> submitted{};
  BatchTimes times;
  times.serial = time_repeatedly(
      [&] {
        for (BatchId& batch : submitted) {
          batch = evaluator.submit(rules, options);
          evaluator.wait(batch, counts);
        }
      },
      seconds);
  times.concurrent = time_repeatedly(
      [&] {
        for (BatchId& batch : submitted) batch = evaluator.submit(rules, options);
        for (const BatchId batch : submitted) evaluator.wait(batch, counts);
      },
      seconds);
  for (Timing* timing : {&times.serial, &times.concurrent}) {
    timing->median /= BatchTimes::batches;
    timing->best /= BatchTimes::batches;
  }
  return times;
}

}  // namespace atl
