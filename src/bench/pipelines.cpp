#include "src/bench/pipelines.hpp"

#include <utility>

namespace atl {

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

}  // namespace atl
