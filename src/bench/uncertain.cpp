#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cuda/uncertain/device_means.hpp"
#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/bench/benchmarks.hpp"
#include "src/bench/uncertain_case.hpp"
#include "src/bench/uncertain_data.hpp"
#include "src/bench/uncertain_job.hpp"
#include "src/bench/uncertain_published.hpp"
#include "src/bench/uncertain_ranks.hpp"
#include "src/bench/uncertain_tables.hpp"
#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {
namespace {

const std::vector<std::string> figures = {"3.7",  "3.8",  "3.9",  "3.10",
                                          "3.11", "3.12", "3.13", "table-3.3"};
constexpr std::uint32_t rows_by_rank = 340'183;  // of accidents; the thesis does not name them

std::vector<std::string> dataset_names() {
  std::vector<std::string> names;
  for (const UncertainDataset& dataset : uncertain_datasets()) names.emplace_back(dataset.name);
  return names;
}

class UncertainBench {
 public:
  explicit UncertainBench(const BenchState& state)
      : state_(state),
        figure_(state.name("--figure")),
        dataset_(state.name("--dataset")),
        pool_(threads_of(state.machine)) {
    const auto starting = std::chrono::steady_clock::now();
    backend_ = state.machine.choose_backend(state.machine, rows_for_any_gpu);
    if (backend_.device) start_seconds_ = seconds_since(starting);
  }

  void run() {
    UncertainMachine machine{pool_, state_.number("--runs")};
    if (backend_.device) {
      machine.device = backend_.options;
      machine.device_means = cuda::means_of_device(backend_.options);
      const std::optional<std::string> missing = cuda::fft_missing();
      machine.transforms = !missing;
      if (missing) {
        state_.report(Severity::warning,
                      *missing + "; distributions as in the thesis are left out");
      }
    }
    std::size_t number = 0;
    for (const UncertainDataset& dataset : uncertain_datasets()) {
      if (!dataset_ || *dataset_ == number) measure(dataset, machine);
      ++number;
    }
    if (wants("3.12") && (figure_ || !dataset_)) measure_by_rank(machine);
  }

 private:
  bool wants(const char* figure) const { return !figure_ || figures[*figure_] == figure; }

  void add(Record record) const {
    Record whole = {{"bench", "uncertain"},
                    {"machine", machine_description(backend_.device)},
                    {"backend", backend_.device ? "cuda" : "cpu"},
                    {"threads", pool_.threads()}};
    if (backend_.device) whole["start_seconds"] = start_seconds_;
    whole.update(record);
    state_.add(std::move(whole));
  }

  void measure(const UncertainDataset& dataset, const UncertainMachine& machine) const {
    if (figure_ && wants("3.12")) return;
    const std::uint32_t rows =
        state_.is_given("--rows") ? state_.small_number("--rows") : dataset.rows;
    const std::optional<UncertainData> data =
        uncertain_data(dataset, rows, state_.data, state_.report);
    if (!data) {
      state_.report(Severity::info, fmt::format("{}: there is no {}.dat in the folder ATOLL_DATA",
                                                dataset.name, dataset.name));
      add({{"dataset", dataset.name}, {"data", "no data"}});
      return;
    }
    if (data->rows_of_file < rows) {
      state_.report(Severity::info,
                    fmt::format("{}: the file has {} transactions, which are repeated up to {}, "
                                "each with a probability of its own",
                                dataset.name, data->rows_of_file, rows));
    }
    std::vector<double> minsups = dataset.minsups;
    if (state_.is_given("--minsup")) minsups = {state_.fraction("--minsup") / 100};
    for (const double minsup : minsups) {
      const bool usual = minsup == dataset.minsup || minsups.size() == 1;
      UncertainCase its(dataset, *data, minsup, machine);
      measure(its, dataset.name, usual);
    }
  }

  void measure(UncertainCase& its, const std::string& name, bool usual) const {
    // Figures 3.8 to 3.10 leave two data sets out, but where they are asked for.
    const bool both = figure_ || name == "accidents" || name == "T25I10D500K";
    if (both && wants("3.8")) add(its.singles());
    if (both && wants("3.9")) add(its.inclusion());
    if (both && wants("3.10") && backend_.device) add(its.decoding());
    if (usual && (wants("3.7") || wants("3.11"))) {
      for (Record& record : its.distributions()) {
        if (wants(record["figure"] == "3.7" ? "3.7" : "3.11")) add(std::move(record));
      }
    }
    if (wants("3.13")) add(its.whole_job());
    if (usual && wants("table-3.3")) {
      for (Record& record : its.breakdown()) add(std::move(record));
    }
  }

  void measure_by_rank(const UncertainMachine& machine) {
    RankBench bench{state_.is_given("--rows") ? state_.small_number("--rows") : rows_by_rank,
                    state_.small_number("--distributions"), machine.repeats, pool_};
    if (machine.transforms) bench.thesis = machine.device;
    if (machine.device_means) {
      bench.make_device_meter = [&](const UncertainColumns& columns) {
        return machine.device_means(columns).meter;
      };
    }
    std::vector<Record> records;
    measure_ranks(bench, [&](Record record) {
      records.push_back(record);
      add(std::move(record));
    });
    if (!backend_.device) return;
    Record record = {{"figure", "3.12"}, {"published", {{"source", "Kozawa 2016, Figure 3.12"}}}};
    record["published"]["crossing"] = published_crossing;
    const auto thesis = crossing(records, "thesis_seconds", "cores_seconds");
    const auto ours = crossing(records, "device_seconds", "cores_seconds");
    if (thesis) record["thesis_crossing"] = *thesis;
    if (ours) record["device_crossing"] = *ours;
    add(std::move(record));
  }

  const BenchState& state_;
  std::optional<std::size_t> figure_, dataset_;
  ThreadPool pool_;
  BenchBackend backend_;
  double start_seconds_ = 0;
};

void run_uncertain(const BenchState& state) {
  if (state.machine.options.backend == "reference") {
    throw UsageError("bench uncertain measures cores and a GPU: take auto, cpu or cuda");
  }
  UncertainBench(state).run();
}

}  // namespace

Benchmark uncertain_benchmark() {
  return {.name = "uncertain",
          .measures = "probabilistic itemsets: its steps, distributions and whole searches",
          .published = "Kozawa 2016, Figures 3.7 to 3.13 and Table 3.3",
          .refuses = "takes the data sets of the thesis",
          .axes = {{"--dataset", "NAME", "the only one to measure", "all", dataset_names()},
                   {"--figure", "FIGURE", "the only one to draw", "all", figures},
                   {"--minsup", "PERCENT", "the only least support, of the rows",
                    "those of the thesis", Fraction{100}},
                   {"--rows", "N", "rows", "those of the thesis", WholeNumber{1, 100'000'000}},
                   {"--distributions", "N", "distributions of each rank", "1024",
                    WholeNumber{1, 1'000'000}},
                   {"--runs", "N", "runs, of which the best counts", "3", WholeNumber{1, 100'000}}},
          .tables = [](const BenchMachine&) { return uncertain_tables(); },
          .run = run_uncertain};
}

}  // namespace atl
