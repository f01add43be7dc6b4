#include "src/app/bench/pipelines.hpp"

#include "src/core/error.hpp"

namespace atl {

namespace {

double median_of(const std::vector<cuda::PublishedSeconds>& runs,
                 double cuda::PublishedSeconds::*stage) {
  std::vector<double> seconds;
  for (const cuda::PublishedSeconds& run : runs) seconds.push_back(run.*stage);
  return median(std::move(seconds));
}

}  // namespace

Pipeline pipeline_of(const std::string& name) {
  if (name == "fused") return Pipeline::fused;
  if (name == "published") return Pipeline::published;
  throw UsageError("'" + printable(name) + "', expected fused or published");
}

const char* to_string(Pipeline pipeline) noexcept {
  return pipeline == Pipeline::fused ? "fused" : "published";
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

}  // namespace atl
