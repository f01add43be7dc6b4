#include <span>
#include <vector>

#include "src/bench/benchmarks.hpp"
#include "src/bench/rule_figures.hpp"
#include "src/bench/table.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

void run_rates(const BenchState& state) {
  if (state.machine.options.backend == "reference") {
    throw UsageError("bench rates: the reference has none; take cpu or cuda");
  }
  const BenchBackend backend = state.machine.choose_backend(state.machine, rows_for_any_gpu);
  Record record = {{"bench", "rates"},
                   {"machine", machine_description(backend.device)},
                   {"backend", backend.device ? "cuda" : "cpu"},
                   {"threads", 1}};
  if (backend.device) {
    record["device"] = rates_of(*backend.device, cuda::measure_device_rates());
  } else {
    record["core"] = rates_of(measure_core_rates());
  }
  state.add(std::move(record));
}

/// A line for each rate.
std::vector<Record> rate_by_rate(std::span<const Record> records) {
  std::vector<Record> lines;
  for (const Record& record : records) {
    const Record& rates = record[record.contains("device") ? "device" : "core"];
    for (const auto& [key, rate] : rates.items()) {
      if (rate.is_number()) lines.push_back({{"name", key}, {"rate", rate}});
    }
  }
  return lines;
}

}  // namespace

Benchmark rates_benchmark() {
  return {.name = "rates",
          .measures = "what a core or a GPU does at most, which the bounds of others are made of",
          .refuses = "measures the machine alone",
          .tables =
              [](const BenchMachine&) {
                return std::vector<Table>{{"",
                                           {{"name", "rate", as_it_is, "{:<24}"},
                                            {"rate", "10^9/s", in_billions, "{:>12.4g}"}},
                                           rate_by_rate}};
              },
          .run = run_rates};
}

}  // namespace atl
