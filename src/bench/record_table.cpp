#include "src/bench/record_table.hpp"

#include <fmt/format.h>

namespace atl {

namespace {

std::string first_columns(const BenchRecord& record) {
  return fmt::format("{:<12} {:>8} {:>6} ", record.dataset, record.rows, record.rules);
}

std::string milliseconds(double seconds) {
  return fmt::format("{:>10.4g} ", seconds * 1e3);
}

double scale_of(const Published& published) {
  return published.unit == "seconds" ? 1e3 : 1e-9;
}

std::string bound_columns(double bound, double reached) {
  return fmt::format("{:>8.1f} {:>5.0f}% ", bound * 1e-9, 100 * reached / bound);
}

std::string rates_line(const BenchRecord& record) {
  std::string line = first_columns(record);
  if (record.times) {
    const double all = operations_of(record);
    const EvaluationTimes& times = *record.times;
    const double raw = all / times.raw.wall.median;
    line += milliseconds(times.raw.wall.median);
    line += fmt::format(
        "{:>8.1f} {:>8.1f} {:>8.1f} {:>9.1f} ", raw * 1e-9, all / times.raw.wall.best * 1e-9,
        all / times.with_supports->wall.median * 1e-9, all / times.effective->wall.median * 1e-9);
    const double bound = record.device_bound ? record.device_bound->raw : record.bound;
    line += bound > 0 ? bound_columns(bound, raw) : fmt::format("{:>16}", "");
  } else {
    line += fmt::format("{:>63} ", "no data");
  }
  if (record.published) {
    const PublishedFigures& p = record.published->figures;
    const double scale = scale_of(*record.published);
    line += fmt::format("| {:>10.4g} {:>10.4g} {:>9.4g} {:>9.4g}", p.cpu * scale, p.cpus4 * scale,
                        p.gpu * scale, p.gpus2 * scale);
  }
  return line;
}

std::string device_columns(const BenchRecord& record) {
  const double all = operations_of(record) * 1e-9;
  const EvaluationTimes& times = *record.times;
  std::string line = milliseconds(times.raw.wall.median);
  line += fmt::format("{:>9.1f} | ", all / times.raw.wall.median);
  line += milliseconds(times.raw.device->total);
  line += fmt::format("{:>9.1f} ", all / times.raw.device->total);
  if (!record.device_bound) return line + fmt::format("{:>36}", "");
  line += fmt::format("{:>9.1f} {:>9.1f} ", all / times.with_supports->device->total,
                      all / times.effective->device->total);
  return line + bound_columns(record.device_bound->raw, all * 1e9 / times.raw.device->total);
}

std::string device_line(const BenchRecord& record) {
  std::string line = first_columns(record);
  line += record.times ? device_columns(record) : fmt::format("{:>21}| {:>56} ", "", "no data");
  if (record.published_pipeline) {
    const StageTimes& stages = *record.published_pipeline;
    line += "| " + milliseconds(stages.kernels());
    line += fmt::format("{:>8.1f} ", operations_of(record) * 1e-9 / stages.kernels());
    line += record.pipeline == Pipeline::fused
                ? fmt::format("{:>6.1f} ", stages.kernels() / record.times->raw.device->total)
                : fmt::format("{:>7}", "");
  } else {
    line += fmt::format("| {:>27}", "");
  }
  if (record.published) {
    const PublishedFigures& p = record.published->figures;
    const double scale = scale_of(*record.published);
    line += fmt::format("| {:>9.4g} {:>9.4g}", p.gpu * scale, p.gpus2 * scale);
  }
  return line;
}

template <typename Stages>
std::string stage_columns(const Stages& stages) {
  return milliseconds(stages.upload) + milliseconds(stages.coverage) +
         milliseconds(stages.reduction) + milliseconds(stages.fitness) +
         milliseconds(stages.download);
}

std::string concurrency_line(const BenchRecord& record) {
  const ConcurrencyTimes& times = *record.concurrency;
  return fmt::format("{:<10} {:>8} {:>6} | ",
                     record.pipeline ? to_string(*record.pipeline) : record.backend, record.rows,
                     record.rules) +
         (times.stages ? stage_columns(*times.stages) : fmt::format("{:>55}", "")) + "| " +
         milliseconds(times.serial.median) + milliseconds(times.concurrent.median);
}

std::string without_blanks_at_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

std::string device_rates_text(const cuda::DeviceRates& rates) {
  return fmt::format(
      "{:.3g} GHz, 10^12 a second: {:.3g} words combined, {:.3g} counted; bytes: {:.3g} shared "
      "memory, {:.3g} second-level cache, {:.3g} memory",
      rates.clock * 1e-9, rates.logic * 1e-12, rates.popcounts * 1e-12, rates.shared * 1e-12,
      rates.l2 * 1e-12, rates.memory * 1e-12);
}

std::string bench_table_head(BenchTable table, bool datasets) {
  const char* const first = datasets ? "data" : "";
  const char* const unit = datasets ? "published ms:" : "published 10^9/s:";
  switch (table) {
    case BenchTable::rates:
      return fmt::format(
          "{:<12} {:>8} {:>6} {:>10} {:>8} {:>8} {:>8} {:>9} {:>8} {:>6} | {} CPU, 4 CPUs, GPU, 2 "
          "GPUs\n",
          first, "rows", "rules", "ms", "raw", "best", "supports", "effective", "bound", "share",
          unit);
    case BenchTable::device_rates:
      return fmt::format(
          "{:<12} {:>8} {:>6} {:>10} {:>9} | {:>10} {:>9} {:>9} {:>9} {:>8} {:>6} | {:>10} {:>8} "
          "{:>6} | {} GPU, 2 GPUs\n",
          first, "rows", "rules", "ms", "raw", "device ms", "raw", "supports", "effective", "bound",
          "share", "pipeline", "raw", "ratio", unit);
    case BenchTable::concurrency:
      break;
  }
  return fmt::format("{:<10} {:>8} {:>6} | {:>10} {:>10} {:>10} {:>10} {:>10} | {:>10} {:>10}\n",
                     "ms", "rows", "rules", "upload", "coverage", "reduction", "fitness",
                     "download", "serial", "concurrent");
}

std::string bench_table_line(BenchTable table, const BenchRecord& record) {
  switch (table) {
    case BenchTable::rates:
      return without_blanks_at_end(rates_line(record));
    case BenchTable::device_rates:
      return without_blanks_at_end(device_line(record));
    case BenchTable::concurrency:
      break;
  }
  return without_blanks_at_end(concurrency_line(record));
}

std::string bench_table_end(BenchTable table) {
  if (table != BenchTable::concurrency) return "";
  constexpr PublishedStages table6;
  return without_blanks_at_end(fmt::format("{:<26} | ", "paper") + stage_columns(table6) + "| " +
                               milliseconds(table6.serial) + milliseconds(table6.concurrent));
}

}  // namespace atl
