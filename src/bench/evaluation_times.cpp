#include "src/bench/evaluation_times.hpp"

#include <memory>
#include <utility>

#include "src/eval/batch.hpp"

namespace atl {
namespace {

/// A batch on its way, again and again.
class BatchRun {
 public:
  BatchRun(Resident& resident, std::span<const Rule> rules, const CountingOptions& options)
      : counter_(resident.rule_counter()),
        rules_(rules),
        options_(options),
        counts_(rules.size()) {}

  void start() {
    counter_->prepare(rules_, options_);
    counter_->start();
  }
  void finish() {
    counter_->finish();
    counter_->read(counts_);
  }
  void run() {
    start();
    finish();
  }
  std::optional<KernelSeconds> kernel_seconds() const { return counter_->kernel_seconds(); }

 private:
  std::unique_ptr<RuleCounter> counter_;
  std::span<const Rule> rules_;
  CountingOptions options_;
  std::vector<RuleCounts> counts_;
};

Measured measure(Resident& resident, std::span<const Rule> rules, CountingOptions options,
                 double seconds) {
  BatchRun untimed(resident, rules, options);
  Measured measured;
  measured.wall = time_repeatedly([&] { untimed.run(); }, seconds);
  options.time_kernels = true;
  BatchRun timed(resident, rules, options);
  timed.run();
  if (!timed.kernel_seconds()) return measured;
  std::vector<KernelSeconds> runs;
  time_repeatedly(
      [&] {
        timed.run();
        runs.push_back(*timed.kernel_seconds());
      },
      seconds);
  measured.device.emplace();
  for (const auto part :
       {&KernelSeconds::coverage, &KernelSeconds::reduction, &KernelSeconds::total}) {
    (*measured.device).*part = median_of(runs, part);
  }
  return measured;
}

}  // namespace

const char* to_string(Pipeline pipeline) noexcept {
  switch (pipeline) {
    case Pipeline::fused:
      return "fused";
    case Pipeline::staged:
      return "staged";
    case Pipeline::published:
      break;
  }
  return "published";
}

StageTimes time_published(cuda::PublishedPipeline& pipeline, std::span<const Rule> rules,
                          bool concurrent, double seconds, std::vector<RuleCounts>& counts) {
  using Seconds = cuda::PublishedSeconds;
  cuda::PublishedResults results;
  StageTimes times;
  times.wall = time_repeatedly(
      [&] {
        pipeline.evaluate(rules, {concurrent, false}, results);
      },
      seconds);
  std::vector<Seconds> runs;
  time_repeatedly(
      [&] {
        pipeline.evaluate(rules, {concurrent, true}, results);
        runs.push_back(results.seconds);
      },
      seconds);
  times.upload = median_of(runs, &Seconds::upload);
  times.coverage = median_of(runs, &Seconds::coverage);
  times.reduction = median_of(runs, &Seconds::reduction);
  times.fitness = median_of(runs, &Seconds::fitness);
  times.download = median_of(runs, &Seconds::download);
  times.total = median_of(runs, &Seconds::total);
  counts = std::move(results.counts);
  return times;
}

EvaluationTimes time_evaluation(Resident& resident, std::span<const Rule> rules,
                                std::span<const Attribute> attributes, double seconds) {
  const auto time = [&](bool share, bool supports) {
    CountingOptions options;
    options.share_comparisons = share;
    options.comparison_supports = supports;
    return measure(resident, rules, options, seconds);
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

BatchTimes time_batches(Resident& resident, std::span<const Rule> rules, double seconds) {
  CountingOptions options;
  options.share_comparisons = false;
  std::vector<BatchRun> batches;
  for (unsigned b = 0; b < BatchTimes::batches; ++b) batches.emplace_back(resident, rules, options);
  BatchTimes times;
  times.serial = time_repeatedly(
      [&] {
        for (unsigned b = 0; b < BatchTimes::batches; ++b) batches.front().run();
      },
      seconds);
  times.concurrent = time_repeatedly(
      [&] {
        for (BatchRun& batch : batches) batch.start();
        for (BatchRun& batch : batches) batch.finish();
      },
      seconds);
  for (Timing* timing : {&times.serial, &times.concurrent}) {
    timing->median /= BatchTimes::batches;
    timing->best /= BatchTimes::batches;
  }
  return times;
}

}  // namespace atl
