#include "src/bench/pittsburgh_bench.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "cuda/host/power_meter.hpp"
#include "src/bench/workload.hpp"
#include "src/core/random.hpp"
#include "src/core/stopwatch.hpp"
#include "src/eval/rule_set_scorer.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {
namespace {

constexpr std::uint64_t list_seed = 1;

/// Comparisons of a rule that move to another one at most, so that lengths differ.
constexpr std::uint64_t most_moved = 3;

/// [rules] comparisons of each: c of a rule have 4 c - 1 symbols.
std::vector<std::uint32_t> draw_lengths(RandomStream& stream, std::size_t rules, double symbols) {
  const auto all = static_cast<std::size_t>((symbols + static_cast<double>(rules)) / 4 + 0.5);
  std::vector<std::uint32_t> lengths(rules);
  for (std::size_t r = 0; r < rules; ++r) {
    const std::size_t share = all * (r + 1) / rules - all * r / rules;
    lengths[r] = static_cast<std::uint32_t>(std::max<std::size_t>(share, 1));
  }
  for (std::size_t r = 0; r + 1 < rules; r += 2) {
    const std::uint64_t most = std::min<std::uint64_t>(most_moved, lengths[r] - 1);
    const auto moved = static_cast<std::uint32_t>(stream.below(most + 1));
    lengths[r] -= moved;
    lengths[r + 1] += moved;
  }
  return lengths;
}

Comparison draw_comparison_on(RandomStream& stream, const Attribute& attribute,
                              std::uint32_t index) {
  const std::uint32_t codes = attribute.distinct();
  const bool second = stream.below(2) != 0;
  if (attribute.ordered() && codes > 1) {
    const auto bound = static_cast<std::uint32_t>(stream.below(codes - 1));
    if (second) return {index, bound + 1, codes - 1, false};
    return {index, 0, bound, false};
  }
  const auto code = static_cast<std::uint32_t>(stream.below(std::max(1U, codes)));
  return {index, code, code, second};
}

/// @param order  the attributes that antecedents name; what was drawn comes first afterwards
Expression draw_antecedent(RandomStream& stream, std::span<const Attribute> attributes,
                           std::uint32_t comparisons, RuleSetShape shape,
                           std::vector<std::uint32_t>& order) {
  Ops program;
  Comparisons leaves;
  for (std::uint32_t c = 0; c < comparisons; ++c) {
    const std::size_t place = c % order.size();  // all attributes once before one comes again
    std::swap(order[place], order[place + stream.below(order.size() - place)]);
    leaves.push_back(draw_comparison_on(stream, attributes[order[place]], order[place]));
    program.push_back(Op::comparison);
    const bool grammar = shape == RuleSetShape::grammar;
    if (c > 0) {
      program.push_back(grammar && stream.below(2) != 0 ? Op::disjunction : Op::conjunction);
    }
    if (grammar && stream.below(4) == 0) program.push_back(Op::negation);
  }
  return Expression(program, leaves);
}

constexpr double seconds_of_each = 0.2;
/// For a reading of the power, which changes some ten times a second.
constexpr double seconds_of_power = 1.5;
/// Data sets of Figure 6: where one core and the power are measured, too.
constexpr std::uint64_t many_rows = 50'000;
constexpr std::uint32_t full_population = 100;

/// A population on its way through a scorer, again and again.
class ScoringRun {
 public:
  ScoringRun(Resident& resident, std::uint32_t class_attribute, std::span<const RuleSet> lists)
      : scorer_(resident.rule_set_scorer({class_attribute})),
        lists_(lists),
        counts_(lists.size()) {}

  void start(bool staged = false) {
    scorer_->prepare(lists_, {{}, staged});
    scorer_->start();
  }
  void finish() {
    scorer_->finish();
    scorer_->read(counts_);
  }
  void run(bool staged = false) {
    start(staged);
    finish();
  }
  std::optional<RuleSetStageSeconds> stage_seconds() const { return scorer_->stage_seconds(); }
  const std::vector<RuleSetCounts>& counts() const noexcept { return counts_; }

 private:
  std::unique_ptr<RuleSetScorer> scorer_;
  std::span<const RuleSet> lists_;
  std::vector<RuleSetCounts> counts_;
};

/// @throws InternalError if the pipeline counts otherwise than the scorer
void expect_same(const cuda::PittsburghResults& results, std::span<const RuleSet> lists,
                 const std::vector<RuleSetCounts>& counts) {
  std::size_t rule = 0;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    bool same = results.accuracy[l] == accuracy(confusion_matrix(lists[l], counts[l]));
    for (std::size_t r = 0; r < lists[l].rules.size(); ++r, ++rule) {
      same =
          same && results.confusions[rule] == confusion_of(counts[l], r, lists[l].rules[r].label);
    }
    if (same) continue;
    throw InternalError("the published pipeline counts list " + std::to_string(l) +
                        " of the benchmark otherwise than the device");
  }
}

/// Mean power of a device while something runs.
template <typename Run>
std::optional<double> watts_of(const cuda::PowerMeter& meter, const Run& run) {
  const std::optional<double> before = meter.joules();
  if (!before) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  while (seconds_since(start) < seconds_of_power) run();
  const double seconds = seconds_since(start);
  return (*meter.joules() - *before) / seconds;
}

/// One data set on the machine's backend.
class PittsburghBench {
 public:
  PittsburghBench(const BenchMachine& machine, const PittsburghData& data, const Dataset& dataset)
      : data_(data),
        dataset_(dataset),
        class_attribute_(static_cast<std::uint32_t>(dataset.attributes().size() - 1)),
        backend_(machine.choose_backend(machine, dataset.rows())),
        on_gpu_(backend_.backend->load_on_gpu(dataset)),
        pool_(threads_of(machine)),
        resident_(on_gpu_ ? on_gpu_ : backend_.backend->load(dataset, pool_)),
        one_core_(make_cpu_device(alone_)->load(dataset)) {
    if (resident_->device().name() != "cuda") return;
    published_ = cuda::make_pittsburgh_pipeline(dataset, class_attribute_, backend_.options);
    meter_.emplace(backend_.device->uuid);
    for (const cuda::VisibleDevice& other : cuda::visible_devices()) {
      if (other.number == backend_.options.device) continue;
      cuda::DeviceOptions options = backend_.options;
      options.device = other.number;
      second_ = cuda::make_device(options)->load(dataset);
      break;
    }
  }

  Record measure(std::uint32_t population, RuleSetShape shape) {
    const double of_list =
        data_.sizes[0].operations / static_cast<double>(data_.rows) / data_.sizes[0].population;
    const PittsburghSize* const paper = size_of(population);
    RuleSetWorkload workload{population, of_list, shape};
    if (paper != nullptr) {
      workload.symbols = paper->operations / static_cast<double>(data_.rows) / population;
    }
    const std::vector<RuleSet> lists =
        workload_lists(dataset_.attributes(), class_attribute_, workload);
    Record record = begin_record(lists, population, shape);
    const bool large = dataset_.rows() > many_rows && population == full_population &&
                       shape == RuleSetShape::conjunctions;
    time_scorer(lists, large, record);
    if (published_ != nullptr) time_published(lists, large, record);
    if (paper != nullptr && shape == RuleSetShape::conjunctions) add_paper(record, *paper);
    return record;
  }

  /// Table 1.
  std::vector<Record> measure_blocks() {
    std::vector<Record> blocks;
    if (published_ == nullptr) return blocks;
    const auto symbols = data_.sizes[0].operations / static_cast<double>(data_.rows) / 10;
    const auto lists = workload_lists(dataset_.attributes(), class_attribute_,
                                      {full_population, symbols, RuleSetShape::conjunctions});
    for (const std::uint32_t threads : cuda::pittsburgh_block_sizes) {
      const std::vector<cuda::PittsburghSeconds> runs = runs_of(lists, threads);
      blocks.push_back(block_record(published_->occupancy(threads),
                                    median_of(runs, &cuda::PittsburghSeconds::coverage)));
    }
    return blocks;
  }

 private:
  const PittsburghSize* size_of(std::uint32_t population) const {
    for (const PittsburghSize& size : data_.sizes) {
      if (size.population == population) return &size;
    }
    return nullptr;
  }

  Record begin_record(std::span<const RuleSet> lists, std::uint32_t population,
                      RuleSetShape shape) const {
    const std::string backend = resident_->device().name();
    Record record =
        population_record(data_.name, dataset_.rows(), class_attribute_,
                          dataset_.attributes()[class_attribute_].distinct(), population, shape,
                          backend == "cuda" ? backend_.device : std::nullopt);
    std::uint64_t all = 0;
    for (const RuleSet& list : lists) all += symbols(list);
    record["symbols"] = all;
    record["backend"] = backend;
    record["threads"] = backend == "cpu" ? pool_.threads() : 1;
    return record;
  }

  /// @param large  a population of Figure 6
  void time_scorer(std::span<const RuleSet> lists, bool large, Record& record) {
    ScoringRun run(*resident_, class_attribute_, lists);
    const auto busy_before = resident_->device().busy_seconds();
    unsigned runs = 0;
    add_scoring(record, time_repeatedly(
                            [&] {
                              run.run();
                              ++runs;
                            },
                            seconds_of_each));
    if (busy_before) {
      record["device_seconds"] =
          (resident_->device().busy_seconds()->counts - busy_before->counts) / runs;
    }
    std::vector<RuleSetStageSeconds> stages;
    const Timing staged = time_repeatedly(
        [&] {
          run.run(true);
          if (const auto seconds = run.stage_seconds()) stages.push_back(*seconds);
        },
        seconds_of_each);
    std::optional<double> watts;
    if (meter_ && large) watts = watts_of(*meter_, [&] { run.run(); });
    if (second_ != nullptr) record["two_gpus_seconds"] = time_split(lists, run.counts()).median;
    if (record["backend"] == "cuda" && large) {
      ScoringRun alone(*one_core_, class_attribute_, lists);
      record["one_core_seconds"] = time_repeatedly([&] { alone.run(); }, seconds_of_each).median;
    }
    record["staged_seconds"] = staged.median;
    if (!stages.empty()) {
      RuleSetStageSeconds medians;
      for (const auto stage :
           {&RuleSetStageSeconds::coverage, &RuleSetStageSeconds::rule_fitness,
            &RuleSetStageSeconds::classification, &RuleSetStageSeconds::set_fitness}) {
        medians.*stage = median_of(stages, stage);
      }
      add_stages(record, medians);
    }
    if (watts) add_watts(record, *watts);
  }

  /// As the paper splits them: half of the population to each. One prepares while the other scores.
  /// @throws InternalError if they count otherwise than one device
  Timing time_split(std::span<const RuleSet> lists, const std::vector<RuleSetCounts>& expected) {
    const std::size_t half = (lists.size() + 1) / 2;
    ScoringRun first(*resident_, class_attribute_, lists.first(half));
    ScoringRun second(*second_, class_attribute_, lists.subspan(half));
    const Timing timing = time_repeatedly(
        [&] {
          first.start();
          second.start();
          first.finish();
          second.finish();
        },
        seconds_of_each);
    std::vector<RuleSetCounts> both = first.counts();
    both.insert(both.end(), second.counts().begin(), second.counts().end());
    if (both != expected) {
      throw InternalError("two GPUs count the lists of the benchmark otherwise than one");
    }
    return timing;
  }

  std::vector<cuda::PittsburghSeconds> runs_of(std::span<const RuleSet> lists,
                                               std::uint32_t threads) {
    std::vector<cuda::PittsburghSeconds> runs;
    cuda::PittsburghResults results;
    time_repeatedly(
        [&] {
          published_->evaluate(lists, {threads, true}, results);
          runs.push_back(results.seconds);
        },
        seconds_of_each);
    return runs;
  }

  void time_published(std::span<const RuleSet> lists, bool large, Record& record) {
    cuda::PittsburghResults results;
    const auto run = [&] { published_->evaluate(lists, {}, results); };
    const Timing wall = time_repeatedly(run, seconds_of_each);
    ScoringRun ours(*resident_, class_attribute_, lists);
    ours.run();
    expect_same(results, lists, ours.counts());
    const std::vector<cuda::PittsburghSeconds> runs = runs_of(lists, cuda::pittsburgh_threads);
    using Seconds = cuda::PittsburghSeconds;
    Seconds medians;
    for (const auto part : {&Seconds::upload, &Seconds::coverage, &Seconds::rule_fitness,
                            &Seconds::classification, &Seconds::set_fitness, &Seconds::download}) {
      medians.*part = median_of(runs, part);
    }
    add_published_pipeline(record, wall, medians);
    if (!meter_ || !large) return;
    if (const auto watts = watts_of(*meter_, run)) record["published_pipeline"]["watts"] = *watts;
  }

  const PittsburghData& data_;
  const Dataset& dataset_;
  const std::uint32_t class_attribute_;  // the last one, as in all these data sets
  BenchBackend backend_;
  std::shared_ptr<Resident> on_gpu_;  // how many threads depends on it
  ThreadPool pool_;
  std::shared_ptr<Resident> resident_;
  ThreadPool alone_{1};
  std::shared_ptr<Resident> one_core_;
  std::shared_ptr<Resident> second_;                     // on another GPU, if there is one
  std::unique_ptr<cuda::PittsburghPipeline> published_;  // on the first
  std::optional<cuda::PowerMeter> meter_;                // of the first
};

/// The record of a data set that is not there.
Record paper_record(const PittsburghData& data, const PittsburghSize& size) {
  Record record = population_record(data.name, data.rows, data.attributes, data.classes,
                                    size.population, RuleSetShape::conjunctions, {});
  record["data"] = "no data";
  add_paper(record, size);
  return record;
}

}  // namespace

const char* to_string(RuleSetShape shape) noexcept {
  return shape == RuleSetShape::conjunctions ? "conjunctions" : "grammar";
}

std::vector<RuleSet> workload_lists(std::span<const Attribute> attributes,
                                    std::uint32_t class_attribute,
                                    const RuleSetWorkload& workload) {
  const Attribute& label = attributes[class_attribute];
  const std::uint32_t classes = label.distinct();
  const auto most = std::max_element(label.counts.begin(), label.counts.end());
  std::vector<std::uint32_t> order;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    if (a != class_attribute) order.push_back(a);
  }
  std::vector<RuleSet> lists(workload.lists);
  for (std::uint32_t l = 0; l < workload.lists; ++l) {
    RandomStream stream({list_seed, static_cast<std::uint32_t>(GenerateStream::bench_lists), 0, l,
                         Purpose::generate});
    const auto lengths = draw_lengths(stream, classes, workload.symbols);
    for (std::uint32_t c = 0; c < classes; ++c) {
      std::sort(order.begin(), order.end());
      lists[l].rules.push_back(
          {draw_antecedent(stream, attributes, lengths[c], workload.shape, order), c});
    }
    if (most != label.counts.end()) {
      lists[l].default_class = static_cast<std::uint32_t>(most - label.counts.begin());
    }
  }
  return lists;
}

void run_pittsburgh(const BenchState& state) {
  if (state.machine.options.backend == "reference") {
    throw UsageError("bench pittsburgh: the reference device would take hours");
  }
  expect_available(state.machine);
  for (const PittsburghData& of : pittsburgh_data()) {
    const std::optional<Dataset> dataset =
        bench_data(of.name, of.file, of.rows, state.data, state.report);
    if (!dataset) {
      for (const PittsburghSize& size : of.sizes) state.add(paper_record(of, size));
      continue;
    }
    PittsburghBench bench(state.machine, of, *dataset);
    for (const PittsburghSize& size : of.sizes) {
      state.add(bench.measure(size.population, RuleSetShape::conjunctions));
    }
    state.add(bench.measure(full_population, RuleSetShape::grammar));
    if (&of != &pittsburgh_data().back()) continue;
    for (Record& blocks : bench.measure_blocks()) state.add(std::move(blocks));
  }
}

}  // namespace atl
