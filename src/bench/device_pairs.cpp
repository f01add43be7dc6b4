#include "src/bench/device_pairs.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "cuda/pairs/pair_counter.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {
namespace {

constexpr int runs = 5;
constexpr std::uint32_t band_rows = 1024;

DevicePairs counted_once(cuda::DevicePairCounter& counter, const PairRows& rows,
                         std::vector<std::uint32_t>& counts) {
  DevicePairs run;
  const auto begun = std::chrono::steady_clock::now();
  for (std::uint32_t first = 0; first < rows.items(); first += band_rows) {
    const RankRange band{first, first + std::min(band_rows, rows.items() - first)};
    counter.count(band, {0, band.end}, counts.data(), band.end, 0);
    run.kernel_seconds += counter.kernel_seconds();
    run.copy_seconds += counter.copy_seconds();
  }
  run.wall_seconds = seconds_since(begun);
  return run;
}

std::uint64_t sum_of_pairs(cuda::DevicePairCounter& counter, const PairRows& rows,
                           std::vector<std::uint32_t>& counts) {
  std::uint64_t sum = 0;
  for (std::uint32_t first = 0; first < rows.items(); first += band_rows) {
    const RankRange band{first, first + std::min(band_rows, rows.items() - first)};
    counter.count(band, {0, band.end}, counts.data(), band.end, 0);
    for (std::uint32_t r = band.first; r < band.end; ++r) {
      const std::uint32_t* const row = counts.data() + std::size_t{r - band.first} * band.end;
      for (std::uint32_t c = 0; c < r; ++c) sum += row[c];
    }
  }
  return sum;
}

}  // namespace

DevicePairs count_on_device(PairForm form, const PairRows& rows, ThreadPool& pool,
                            const cuda::DeviceOptions& options) {
  const auto building = std::chrono::steady_clock::now();
  const auto counter = cuda::make_pair_counter(form, rows, rows.items(), pool, options);
  const double build_seconds = seconds_since(building);
  std::vector<std::uint32_t> counts(std::size_t{std::min(band_rows, rows.items())} * rows.items());
  DevicePairs best;
  best.sum = sum_of_pairs(*counter, rows, counts);
  for (int k = 0; k < runs; ++k) {
    DevicePairs run = counted_once(*counter, rows, counts);
    run.sum = best.sum;
    if (k == 0 || run.kernel_seconds + run.copy_seconds < best.kernel_seconds + best.copy_seconds)
      best = run;
  }
  best.build_seconds = build_seconds;
  return best;
}

Record resident_record(const DevicePairs& pairs, PairForm form, const PairRows& rows, double logic) {
  constexpr double operations_of_word = 6;
  Record record = {{"bench", "pairs"},
                   {"machine", ""},
                   {"backend", "cuda"},
                   {"figure", "resident"},
                   {"form", to_string(form)},
                   {"items", rows.items()},
                   {"build_seconds", pairs.build_seconds},
                   {"kernel_seconds", pairs.kernel_seconds},
                   {"copy_seconds", pairs.copy_seconds},
                   {"wall_seconds", pairs.wall_seconds}};
  if (form == PairForm::batmap) {
    const double words = static_cast<double>(counter_bytes(form, rows, rows.items())) / 4;
    record["bound_seconds"] = (rows.items() - 1) / 2.0 * words * operations_of_word / logic;
  }
  return record;
}

}  // namespace atl
