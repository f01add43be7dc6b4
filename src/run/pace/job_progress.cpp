#include "src/run/pace/job_progress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/text/time_text.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

std::string rate_text(double rate, std::string_view what) {
  if (rate >= 1e6) return fmt::format("{:.1f} M {}/s", rate / 1e6, what);
  if (rate >= 1e3) return fmt::format("{:.1f} k {}/s", rate / 1e3, what);
  return fmt::format("{:.0f} {}/s", rate, what);
}

std::string best_text(double best, const std::string& measure, bool share) {
  if (std::isnan(best)) return "  " + measure + " -";
  if (share) return fmt::format("  {} {:.2f}%", measure, 100 * best);  // as the front has it
  return fmt::format("  {} {:.4g}", measure, best);
}

}  // namespace

Bytes encode(const Progress& progress) {
  ByteWriter writer;
  writer.put(progress.generation);
  writer.put(progress.evaluated);
  writer.put(std::uint64_t{progress.archived});
  writer.put_all(std::span<const double>(progress.best));
  for (const Phase& phase : phases) writer.put(progress.times.*phase.seconds);
  for (const auto kind : busy_kinds) writer.put(progress.device_seconds.*kind);
  writer.put(progress.devices);
  return std::move(writer).take();
}

Progress decode_progress(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Progress progress;
  progress.generation = reader.get<std::uint32_t>();
  progress.evaluated = reader.get<std::uint64_t>();
  progress.archived = static_cast<std::size_t>(reader.get<std::uint64_t>());
  progress.best = reader.get_all<double>();
  for (const Phase& phase : phases) progress.times.*phase.seconds = reader.get<double>();
  for (const auto kind : busy_kinds) progress.device_seconds.*kind = reader.get<double>();
  progress.devices = reader.get<std::uint64_t>();
  return progress;
}

void add(Progress& sum, const Progress& theirs) {
  sum.generation = std::min(sum.generation, theirs.generation);
  sum.evaluated += theirs.evaluated;
  sum.archived = std::max(sum.archived, theirs.archived);
  for (std::size_t i = 0; i < sum.best.size(); ++i) {
    if (by_measure(theirs.best[i], sum.best[i]) < 0) sum.best[i] = theirs.best[i];
  }
  for (const Phase& phase : phases) sum.times.*phase.seconds += theirs.times.*phase.seconds;
  for (const auto kind : busy_kinds) sum.device_seconds.*kind += theirs.device_seconds.*kind;
  sum.devices += theirs.devices;
}

std::optional<Progress> gather_progress(const Progress& mine, Communicator& communicator) {
  const std::vector<Bytes> all = communicator.gather(encode(mine), 0);
  if (communicator.rank() != 0) return std::nullopt;
  Progress sum = mine;
  for (std::size_t rank = 1; rank < all.size(); ++rank) add(sum, decode_progress(all[rank]));
  return sum;
}

std::string progress_line(const Progress& progress, const Experiment& experiment, double seconds,
                          std::uint32_t first_generation, double seconds_left) {
  std::string line =
      fmt::format("generation {}{}", progress.generation, experiment.of_generations("/"));
  const auto measures = experiment.all_maximized();
  const SearchKind& kind = experiment.kind();
  for (std::size_t i = 0; i < progress.best.size(); ++i) {
    line += best_text(progress.best[i], measures[i], !kind.single_rules);
  }
  if (kind.single_rules) line += fmt::format("  archive {}", progress.archived);
  if (seconds > 0) {
    line += "  " + rate_text(static_cast<double>(progress.evaluated) / seconds, kind.results);
  }
  const std::uint32_t done = progress.generation - first_generation;
  if (done > 0 && experiment.generations != endless_generations) {
    const std::uint32_t left = experiment.generations - progress.generation;
    seconds_left = std::min(seconds_left, seconds / done * left);
  }
  if (done > 0 && std::isfinite(seconds_left)) {
    const auto patience = static_cast<std::uint32_t>(experiment.patience);
    const bool may_end = patience != 0 && patience < experiment.generations;
    line += fmt::format("  {}{} left", may_end ? "at most " : "",
                        time_text(std::max(seconds_left, 0.0)));
  }
  return line;
}

nlohmann::ordered_json progress_record(const Progress& progress, const Experiment& experiment,
                                       double seconds, int ranks) {
  nlohmann::ordered_json best, shares;
  const auto measures = experiment.all_maximized();
  for (std::size_t i = 0; i < progress.best.size(); ++i) {
    best[measures[i]] = progress.best[i];
  }
  const auto share = [&](double sum, std::uint64_t of) {
    return seconds > 0 ? std::round(sum / (seconds * static_cast<double>(of)) * 1000) / 1000 : 0;
  };
  for (const Phase& phase : phases) {
    shares[phase.name] = share(progress.times.*phase.seconds, static_cast<std::uint64_t>(ranks));
  }
  const double rate = seconds > 0 ? static_cast<double>(progress.evaluated) / seconds : 0;
  nlohmann::ordered_json record = {{"generation", progress.generation},
                                   {"evaluated", progress.evaluated},
                                   {"rules_per_second", rate},
                                   {"archived", progress.archived},
                                   {"best", best},
                                   {"phases", shares}};
  if (progress.devices != 0) {
    const auto busy = [&](double of) { return share(of, progress.devices); };
    record["device_busy"] = busy(progress.device_seconds.all);
    record["device_counts"] = busy(progress.device_seconds.counts);
    record["device_fits"] = busy(progress.device_seconds.fits);
  }
  return record;
}

}  // namespace atl
