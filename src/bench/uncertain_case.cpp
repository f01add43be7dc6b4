#include "src/bench/uncertain_case.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "src/bench/uncertain_published.hpp"
#include "src/core/stopwatch.hpp"
#include "src/exhaustive/uncertain/item_sums.hpp"

namespace atl {
namespace {

/// The techniques of Figure 3.11, each with those before it; scatter and gather are alternatives.
struct Technique {
  const char* key;
  cuda::ThesisOptions options;
};
constexpr cuda::ThesisShared none = cuda::ThesisShared::none;
constexpr cuda::ThesisShared scatter = cuda::ThesisShared::scatter;
constexpr Technique techniques[] = {
    {"plain_seconds", {.filter = false, .shared = none, .several = false}},
    {"filter_seconds", {.shared = none, .several = false}},
    {"scatter_seconds", {.shared = scatter, .shared_levels = 7, .several = false}},
    {"gather_seconds", {.several = false}},
    {"several_seconds", {}}};

double seconds_of_tails(const ThesisLevels& levels) {
  const cuda::ThesisSeconds all = levels.all();
  return all.filtering + all.distributions;
}

/// Those of the job by rank, then all others that occur.
std::vector<std::uint32_t> items_of_thesis(const TransactionSet& transactions,
                                           const std::vector<std::uint32_t>& first) {
  std::vector<bool> known(transactions.item_count(), false);
  for (const std::uint32_t item : first) known[item] = true;
  std::vector<std::uint32_t> items = first;
  for (std::uint32_t i = 0; i < transactions.item_count(); ++i) {
    if (!known[i] && transactions.supports()[i] > 0) items.push_back(i);
  }
  return items;
}

Record step_record(Record record, const char* way, const UncertainJob& job) {
  record["way"] = way;
  record["inclusion_seconds"] = job.count_seconds + job.sum_seconds;
  record["distribution_seconds"] = job.tail_seconds;
  record["other_seconds"] =
      job.wall_seconds - job.count_seconds - job.sum_seconds - job.tail_seconds;
  record["total_seconds"] = job.wall_seconds;
  return record;
}

Record step_record(Record record, const PublishedTimes& times) {
  record["way"] = std::string("paper, ") + times.backend;
  record["inclusion_seconds"] = times.inclusion;
  if (times.pruning > 0) record["pruning_seconds"] = times.pruning;
  if (times.filtering > 0) record["filtering_seconds"] = times.filtering;
  record["distribution_seconds"] = times.distributions;
  record["other_seconds"] = times.others;
  record["total_seconds"] = times.total;
  return record;
}

Record step_record(Record record, const cuda::ThesisSeconds& seconds) {
  record["way"] = "its way";
  record["inclusion_seconds"] = seconds.inclusion;
  record["pruning_seconds"] = seconds.pruning;
  record["filtering_seconds"] = seconds.filtering;
  record["distribution_seconds"] = seconds.distributions;
  record["other_seconds"] = seconds.wall - seconds.inclusion - seconds.pruning - seconds.filtering -
                            seconds.distributions;
  record["plan_seconds"] = seconds.plans;
  record["total_seconds"] = seconds.wall;
  return record;
}

}  // namespace

UncertainCase::UncertainCase(const UncertainDataset& dataset, const UncertainData& data,
                             double minsup, const UncertainMachine& machine)
    : dataset_(dataset), data_(data), minsup_(minsup), machine_(machine) {
  const double rows = data.transactions.size();
  limits_.min_count = std::max<std::uint64_t>(1, std::uint64_t(std::ceil(minsup * rows - 1e-6)));
  limits_.min_probability = 0.5;
  limits_.probabilities = false;
  least_ = {static_cast<std::uint32_t>(limits_.min_count), limits_.min_probability};
  const MakeUncertainMeans cores = means_of_cores(machine.pool);
  job_ = run_uncertain_job(data.transactions, limits_, cores, machine.pool, true);
  std::vector<RankedSets> candidates = std::move(job_.candidates);
  job_ = best_job(cores, true);
  items_ = items_of_thesis(data.transactions, job_.items);
  levels_ = std::move(candidates);
  levels_.insert(levels_.begin(), single_items(static_cast<std::uint32_t>(items_.size())));
}

Record UncertainCase::begin(std::string_view figure) const {
  return {{"figure", figure},
          {"dataset", dataset_.name},
          {"rows", data_.transactions.size()},
          {"rows_of_file", data_.rows_of_file},
          {"items", data_.items},
          {"minsup", minsup_},
          {"sets", job_.sets()}};
}

UncertainJob UncertainCase::best_job(const MakeUncertainMeans& means, bool bounds) const {
  UncertainLimits limits = limits_;
  limits.bounds = bounds;
  const auto run = [&] {
    return run_uncertain_job(data_.transactions, limits, means, machine_.pool, false);
  };
  UncertainJob best = run();
  for (std::uint64_t k = 1; k < machine_.repeats; ++k) {
    UncertainJob job = run();
    if (job.wall_seconds < best.wall_seconds) best = std::move(job);
  }
  return best;
}

const UncertainJob& UncertainCase::plain_job() {
  if (!plain_job_) plain_job_ = best_job(means_of_cores(machine_.pool), false);
  return *plain_job_;
}

const UncertainJob& UncertainCase::device_job() {
  if (!device_job_) device_job_ = best_job(machine_.device_means, true);
  return *device_job_;
}

/// The candidates are given. Pipelines are made anew, as a search makes one.
const cuda::ThesisSeconds& UncertainCase::thesis_job() {
  if (thesis_job_) return *thesis_job_;
  for (std::uint64_t k = 0; k <= machine_.repeats; ++k) {
    const auto begun = std::chrono::steady_clock::now();
    const auto pipeline =
        cuda::make_thesis_pipeline(data_.transactions, items_, machine_.pool, *machine_.device);
    cuda::ThesisSeconds seconds = thesis_levels(*pipeline, levels_, least_, {}).all();
    seconds.wall = seconds_since(begun);
    // The first loads code.
    if (k <= 1 || seconds.wall < thesis_job_->wall) thesis_job_ = seconds;
  }
  return *thesis_job_;
}

ThesisLevels UncertainCase::best_levels(const cuda::ThesisOptions& options, std::size_t levels,
                                        double (*seconds)(const ThesisLevels&)) const {
  const auto pipeline =
      cuda::make_thesis_pipeline(data_.transactions, items_, machine_.pool, *machine_.device);
  const std::vector<RankedSets> first(
      levels_.begin(),
      levels_.begin() + static_cast<std::ptrdiff_t>(std::min(levels, levels_.size())));
  const auto run = [&] { return thesis_levels(*pipeline, first, least_, options); };
  run();
  ThesisLevels best = run();
  for (std::uint64_t k = 1; k < machine_.repeats; ++k) {
    ThesisLevels again = run();
    if (seconds(again) < seconds(best)) best = std::move(again);
  }
  return best;
}

Record UncertainCase::singles() {
  Record record = begin("3.8");
  double best = 0;
  for (std::uint64_t k = 0; k < machine_.repeats; ++k) {
    const auto begun = std::chrono::steady_clock::now();
    const UncertainColumns columns(data_.transactions,
                                   likely_items(data_.transactions, limits_, machine_.pool),
                                   &machine_.pool);
    const double seconds = seconds_since(begun);
    best = k == 0 ? seconds : std::min(best, seconds);
  }
  record["cores_seconds"] = best;
  if (machine_.device) {
    const auto seconds = [](const ThesisLevels& levels) { return levels.singles.inclusion; };
    const double host = seconds(best_levels({.distributions = false}, 1, seconds));
    const double scan =
        seconds(best_levels({.host_singles = false, .distributions = false}, 1, seconds));
    record["host_seconds"] = host;
    record["scan_seconds"] = scan;
    record["host_gain"] = scan / host;
  }
  record["published"] = published_record("3.8", dataset_.name, {"host_gain"});
  return record;
}

Record UncertainCase::inclusion() {
  Record record = begin("3.9");
  record["cores_seconds"] = job_.count_seconds + job_.sum_seconds;
  if (machine_.device_means) {
    record["device_seconds"] = device_job().count_seconds + device_job().sum_seconds;
  }
  if (machine_.device) {
    const auto seconds = [](const ThesisLevels& levels) { return levels.longer.inclusion; };
    const double joined = seconds(best_levels({.distributions = false}, levels_.size(), seconds));
    const double scan = seconds(
        best_levels({.and_parents = false, .distributions = false}, levels_.size(), seconds));
    record["and_seconds"] = joined;
    record["scan_seconds"] = scan;
    if (joined > 0) record["and_gain"] = scan / joined;
  }
  record["published"] = published_record("3.9", dataset_.name, {"and_gain"});
  return record;
}

Record UncertainCase::decoding() {
  Record record = begin("3.10");
  if (!machine_.device) return record;
  const auto seconds = [](const ThesisLevels& levels) { return levels.all().pruning; };
  // The device scans for single items, so that it decodes their inclists, too.
  cuda::ThesisOptions options{.host_singles = false, .distributions = false};
  const double found = seconds(best_levels(options, levels_.size(), seconds));
  options.find_bits = false;
  const double looped = seconds(best_levels(options, levels_.size(), seconds));
  record["find_seconds"] = found;
  record["loop_seconds"] = looped;
  if (found > 0) record["find_gain"] = looped / found;
  return record;
}

Record UncertainCase::whole_job() {
  Record record = begin("3.13");
  record["cores_seconds"] = job_.wall_seconds;
  record["plain_cores_seconds"] = plain_job().wall_seconds;
  if (machine_.device && machine_.transforms) {
    record["thesis_seconds"] = thesis_job().wall;
    record["speedup"] = plain_job().wall_seconds / thesis_job().wall;
  }
  if (machine_.device_means) {
    record["device_seconds"] = device_job().wall_seconds;
    if (!plain_device_job_) plain_device_job_ = best_job(machine_.device_means, false);
    record["plain_device_seconds"] = plain_device_job_->wall_seconds;
  }
  record["published"] = published_record("3.13", dataset_.name, {"speedup"});
  return record;
}

std::vector<Record> UncertainCase::breakdown() {
  const Record start = begin("table 3.3");
  std::vector<Record> records;
  for (const PublishedTimes& times : published_times()) {
    if (std::string_view(times.dataset) == dataset_.name) {
      records.push_back(step_record(start, times));
    }
  }
  records.push_back(step_record(start, "cores", job_));
  records.push_back(step_record(start, "cores, plain", plain_job()));
  if (machine_.device && machine_.transforms) records.push_back(step_record(start, thesis_job()));
  if (machine_.device_means) records.push_back(step_record(start, "our GPU", device_job()));
  return records;
}

std::vector<Record> UncertainCase::distributions() {
  std::vector<RankedSets> levels = levels_;
  levels[0] = single_items(static_cast<std::uint32_t>(job_.items.size()));
  const UncertainColumns columns(data_.transactions, job_.items, &machine_.pool);
  const MeteredLevels cores = meter_levels(*make_cpu_support_meter(columns, machine_.pool), levels,
                                           least_, machine_.repeats);
  std::vector<Record> records;
  for (const auto& [rank, candidates] : cores.ranks) {
    Record record = begin("3.7");
    record["rank"] = rank;
    record["candidates"] = candidates;
    records.push_back(std::move(record));
  }
  Record record = begin("3.11");
  record["cores_seconds"] = cores.tail_seconds;
  if (machine_.device_means) {
    const UncertainMeans means = machine_.device_means(columns);
    record["device_seconds"] =
        meter_levels(*means.meter, levels, least_, machine_.repeats).tail_seconds;
  }
  if (machine_.device && machine_.transforms) add_techniques(record, cores);
  record["published"] = published_record("3.11", dataset_.name,
                                         {"filter_gain", "gather_gain", "several_gain", "speedup"});
  records.push_back(std::move(record));
  return records;
}

void UncertainCase::add_techniques(Record& record, const MeteredLevels& cores) const {
  for (const Technique& technique : techniques) {
    const ThesisLevels levels = best_levels(technique.options, levels_.size(), seconds_of_tails);
    expect_same_tails(levels, cores);
    record[technique.key] = seconds_of_tails(levels);
  }
  const auto gain = [&](const char* before, const char* after) {
    return number_of(record, before) / number_of(record, after);
  };
  record["filter_gain"] = gain("plain_seconds", "filter_seconds");
  record["gather_gain"] = gain("filter_seconds", "gather_seconds");
  record["several_gain"] = gain("gather_seconds", "several_seconds");
  record["speedup"] = gain("cores_seconds", "several_seconds");
}

}  // namespace atl
