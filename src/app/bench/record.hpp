// What a benchmark found for one size or data set, and how it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/app/bench/published.hpp"
#include "src/app/bench/rates.hpp"

namespace atl {

/// What was published for the same.
struct Published {
  std::string source;
  std::string unit;  ///< "gpops_per_s" or "seconds"
  PublishedFigures figures;
};

struct BenchRecord {
  std::string bench;
  std::string dataset;  ///< empty: as docs/benchmarks.md says how they are drawn
  std::string backend;
  unsigned threads = 0;
  std::uint64_t rows = 0;
  std::uint32_t attributes = 0;
  std::uint32_t rules = 0;
  std::uint64_t symbols = 0;             ///< of each rule
  std::optional<EvaluationTimes> times;  ///< none: no data
  std::optional<CoreRates> core;         ///< only of the CPU evaluator
  double bound = 0;                      ///< of all threads, if core is there
  std::optional<Published> published;
};

/// Name and number of processors of this machine.
std::string machine_description();

/// A JSON array (README, `bench --format json`), with a newline at its end.
std::string bench_json(const std::vector<BenchRecord>& records);

/// Lines for people: rates are in 10^9 symbols times rows a second, medians but for the best raw
/// one, those published beside ours.
std::string bench_table_head(bool datasets);
std::string bench_table_line(const BenchRecord& record);

}  // namespace atl
