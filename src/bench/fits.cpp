#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "src/bench/benchmarks.hpp"
#include "src/bench/rule_options.hpp"
#include "src/bench/table.hpp"
#include "src/bench/workload.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {
namespace {

constexpr double seconds_of_batch = 0.2;
constexpr IntervalRows rows_of_fits = {65'536, 2048};  // drawn at most, and enough for a fit

/// Fits to drawn rules: the first comparison of each antecedent is sought anew, the consequent says
/// what is positive.
class FitBatch {
 public:
  explicit FitBatch(std::vector<Rule> rules) : rules_(std::move(rules)) {
    trials_.reserve(rules_.size());  // groups refer to them
    for (const Rule& rule : rules_) {
      const auto rest = rule.antecedent.comparisons();
      IntervalTrial trial;
      trial.attribute = rest[0].attribute;
      trial.rest = rest;
      trial.positives = rule.consequent.comparisons();
      trials_.emplace_back(trial);
      groups_.push_back({{&trials_.back(), 1}});
    }
    fitted_.resize(groups_.size());
  }

  void fit(IntervalFitter& fitter) {
    fitter.prepare(groups_);
    fitter.start();
    fitter.finish();
    fitter.read(fitted_);
  }
  /// How many comparisons gained something.
  std::uint64_t gained() const {
    std::uint64_t number = 0;
    for (const FittedGroup& group : fitted_) number += group.interval.has_value();
    return number;
  }

 private:
  std::vector<Rule> rules_;
  std::vector<std::optional<IntervalTrial>> trials_;
  std::vector<IntervalGroup> groups_;
  std::vector<FittedGroup> fitted_;
};

void run_fits(const BenchState& state) {
  const Workload workload = workload_of(state);
  const Dataset dataset = workload_data(workload);
  const BenchBackend backend = state.machine.choose_backend(state.machine, dataset.rows());
  ThreadPool alone(1);
  const auto resident = backend.backend->load(dataset, alone);
  const auto fitter = resident->interval_fitter(rows_of_fits);
  FitBatch batch(workload_rules(dataset.attributes(), workload));
  const Timing timing = time_repeatedly([&] { batch.fit(*fitter); }, seconds_of_batch);
  const bool on_gpu = resident->device().name() == "cuda";
  state.add({{"bench", "fits"},
             {"machine", machine_description(on_gpu ? backend.device : std::nullopt)},
             {"backend", resident->device().name()},
             {"threads", 1},
             {"rows", dataset.rows()},
             {"attributes", workload.attributes},
             {"planes", workload.planes},
             {"comparisons", workload.comparisons},
             {"fits", workload.rules},
             {"gained", batch.gained()},
             {"seconds", timing.median},
             {"best_seconds", timing.best},
             {"runs", timing.runs},
             {"fits_per_s", workload.rules / timing.median}});
}

std::vector<Table> fit_tables(const BenchMachine&) {
  return {{"",
           {{"backend", "", as_it_is, "{:<9}"},
            {"rows", "rows", as_it_is, "{:>10}"},
            {"comparisons", "comparisons", as_it_is, "{:>12}"},
            {"fits", "fits", as_it_is, "{:>8}"},
            {"gained", "gained", as_it_is, "{:>8}"},
            bar,
            {"seconds", "ms", in_ms, "{:>10.4g}"},
            {"best_seconds", "best", in_ms, "{:>10.4g}"},
            {"fits_per_s", "fits/s", as_it_is, "{:>12.4g}"}}}};
}

}  // namespace

Benchmark fits_benchmark() {
  return {.name = "fits",
          .measures = "fitting a comparison of each rule to rows, on one thread or a GPU",
          .refuses = "fits comparisons in one way",
          .axes = workload_axes("100000", "200", "6"),
          .tables = fit_tables,
          .run = run_fits};
}

}  // namespace atl
