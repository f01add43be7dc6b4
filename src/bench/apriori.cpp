#include "src/bench/apriori.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "cuda/device/device_rates.hpp"
#include "cuda/host/apriori_tables.hpp"
#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/published/level_pipeline.hpp"
#include "src/bench/benchmarks.hpp"
#include "src/bench/workload.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl {
namespace {

constexpr double seconds_of_step = 0.2;
constexpr std::uint32_t percent = 4;  // of the transactions, at least, that an item is in

/// @throws InternalError
void expect_same(const std::vector<std::uint32_t>& found,
                 const std::vector<std::uint32_t>& expected, const std::string& what) {
  if (found == expected) return;
  throw InternalError(what +
                      " counts the pairs of the benchmark otherwise than one thread of ours");
}

/// Median of what `run` returns, seconds of a kernel.
template <typename Run>
double median_kernel(const Run& run) {
  std::vector<double> seconds;
  time_repeatedly([&] { seconds.push_back(run()); }, seconds_of_step);
  return median(std::move(seconds));
}

/// Figures are of one number of transactions.
class AprioriBench {
 public:
  AprioriBench(const BenchBackend& backend, unsigned threads, const AprioriFigures& paper)
      : backend_(backend),
        paper_(paper),
        threads_(threads),
        transactions_(quest_transactions(quest_options(), paper.transactions)),
        bitmaps_(transactions_, (std::uint64_t{paper.transactions} * percent + 99) / 100),
        tables_(cuda::tables_of_items(transactions_, bitmaps_.names)),
        pool_(threads),
        expected_(pairs_before(bitmaps_.items())) {}

  /// A record of Figure 7 and one of Figure 8.
  void measure(double popcounts, const BenchState& state) {
    const Record ours = time_ours(popcounts);
    AprioriStep counting, generation;
    time_loops(counting, generation);
    if (backend_.device) time_published(counting, generation);
    for (const int figure : {7, 8}) {
      Record record = begin_record(figure);
      add_step(record, figure == 7 ? counting : generation);
      record["machine"] = machine_description(backend_.device);
      record["published"] = published_saving(paper_, figure);
      record["ours"] = ours;
      state.add(std::move(record));
    }
  }

 private:
  static QuestOptions quest_options() {
    QuestOptions options;
    options.length = 40;  // T40I10D100K
    options.pattern_length = 10;
    return options;
  }

  Record begin_record(int figure) const {
    return {{"bench", "apriori"},
            {"figure", figure},
            {"transactions", paper_.transactions},
            {"items", bitmaps_.items()},
            {"candidates", expected_.size()},
            {"backend", backend_.device ? "cuda" : "cpu"},
            {"threads", backend_.device ? 1 : threads_}};
  }

  double time_pairs(CandidateCounter& counter, std::vector<std::uint32_t>& supports) const {
    return time_repeatedly([&] { counter.count_pairs(1, bitmaps_.items(), supports); },
                           seconds_of_step)
        .median;
  }

  /// Ours makes no candidates of pairs: both steps are one.
  Record time_ours(double popcounts) {
    ThreadPool alone(1);
    const auto one_core = make_cpu_candidate_counter(bitmaps_, alone);
    Record ours = {{"one_core_seconds", time_pairs(*one_core, expected_)}};
    std::vector<std::uint32_t> supports(expected_.size());
    if (backend_.device) {
      const auto on_gpu = cuda::make_apriori_counter(bitmaps_, backend_.options);
      ours["seconds"] = time_pairs(*on_gpu, supports);
      const double kernel = median_kernel([&] {
        on_gpu->count_pairs(1, bitmaps_.items(), supports);
        return on_gpu->kernel_seconds();
      });
      const auto words = static_cast<double>((transactions_.size() + 31) / 32);
      ours["kernel_seconds"] = kernel;
      ours["words_per_s"] = static_cast<double>(expected_.size()) * words / kernel;
      ours["popcount_words_per_s"] = popcounts;
    } else if (pool_.threads() > 1) {
      const auto on_cores = make_cpu_candidate_counter(bitmaps_, pool_);
      ours["seconds"] = time_pairs(*on_cores, supports);
    } else {
      return ours;
    }
    expect_same(supports, expected_, backend_.device ? "cuda" : "cpu");
    return ours;
  }

  void time_loops(AprioriStep& counting, AprioriStep& generation) {
    cuda::AprioriTables pairs;
    generation.loop =
        time_repeatedly([&] { cuda::join_all(tables_, pairs); }, seconds_of_step).median;
    counting.loop = time_repeatedly([&] { cuda::count_supports(pairs); }, seconds_of_step).median;
    std::vector<std::uint32_t> supports;
    for (std::size_t s = 0; s < pairs.sets; ++s) {
      supports.push_back(pairs.items[s * pairs.item_columns() + pairs.item_words]);
    }
    expect_same(supports, expected_, "the published loop");
  }

  void time_published(AprioriStep& counting, AprioriStep& generation) {
    const auto pipeline = cuda::make_level_pipeline(tables_, backend_.options);
    const auto join = [&](cuda::LevelJoin how) {
      return median_kernel([&] { return pipeline->join(how); });
    };
    generation.plain = join(cuda::LevelJoin::square);
    generation.improved = join(cuda::LevelJoin::triangular);
    std::vector<std::uint32_t> supports;
    const auto count = [&](cuda::LevelReduction how) {
      const double seconds = median_kernel([&] { return pipeline->count(how, supports); });
      expect_same(supports, expected_, "the published kernel");
      return seconds;
    };
    counting.plain = count(cuda::LevelReduction::plain);
    counting.improved = count(cuda::LevelReduction::flagged);
  }

  const BenchBackend& backend_;
  const AprioriFigures& paper_;
  const unsigned threads_;
  TransactionSet transactions_;
  ItemBitmaps bitmaps_;
  cuda::AprioriTables tables_;
  ThreadPool pool_;
  std::vector<std::uint32_t> expected_;  // supports of the pairs
};

void run_apriori(const BenchState& state) {
  if (state.machine.options.backend == "reference") {
    throw UsageError(
        "bench apriori: the reference counter looks at each transaction for each pair; "
        "take cpu or cuda");
  }
  const BenchBackend backend = state.machine.choose_backend(state.machine, rows_for_any_gpu);
  const double popcounts = backend.device ? cuda::measure_device_rates().popcounts : 0;
  for (const AprioriFigures& paper : apriori_figures) {
    AprioriBench(backend, threads_of(state.machine), paper).measure(popcounts, state);
  }
}

std::vector<Record> lines_of_figure(std::span<const Record> records, int figure) {
  std::vector<Record> lines;
  for (const Record& record : records) {
    if (record["figure"] != figure) continue;
    lines.push_back(record);
    Record& published = lines.back()["published"];
    if (published.contains("slower")) published["saved"] = "slower";
  }
  return lines;
}

/// Ours stands beside both figures.
std::vector<Record> our_lines(std::span<const Record> records) {
  std::vector<Record> lines;
  double improved = 0;  // seconds of the paper's two kernels
  for (const Record& record : records) {
    if (record.contains("improved_seconds")) improved += number_of(record, "improved_seconds");
    if (record["figure"] != 8) continue;
    Record& line = lines.emplace_back(record["ours"]);
    line["transactions"] = record["transactions"];
    if (line.contains("words_per_s")) {
      line["share"] = number_of(line, "words_per_s") / number_of(line, "popcount_words_per_s");
      line["ratio"] = improved / number_of(line, "kernel_seconds");
    }
    improved = 0;
  }
  return lines;
}

/// A figure: the paper's three variants on this machine, and what the improvement saves, there and
/// here.
std::vector<Column> figure_columns(const char* loop, const char* plain, const char* improved) {
  return {{"transactions", "transactions", as_it_is, "{:>12}"},
          {"items", "items", as_it_is, " {:>6}"},
          {"candidates", "candidates", as_it_is, "{:>12}"},
          bar,
          {"loop_seconds", loop, in_ms, "{:>10.4g}", "no data"},
          {"plain_seconds", plain, in_ms, "{:>10.4g}", "no data"},
          {"improved_seconds", improved, in_ms, "{:>10.4g}", "no data"},
          bar,
          {"saved", "saves, %", in_percent, "{:>9.1f}", "no data"},
          {"published.saved", "paper", in_percent, "{:>9.1f}"}};
}

}  // namespace

void add_step(Record& record, const AprioriStep& step) {
  record["loop_seconds"] = step.loop;
  if (step.plain) record["plain_seconds"] = *step.plain;
  if (step.improved) record["improved_seconds"] = *step.improved;
  if (step.plain && step.improved) record["saved"] = 1 - *step.improved / *step.plain;
}

Record published_saving(const AprioriFigures& paper, int figure) {
  Record published = {{"source", "Tang and Wang 2014, Figure " + std::to_string(figure)}};
  const std::optional<double>& saved = figure == 7 ? paper.reduction : paper.generator;
  if (saved) {
    published["saved"] = *saved;
  } else {
    published["slower"] = true;
  }
  return published;
}

std::vector<Table> apriori_tables() {
  return {{"Figure 7: counting supports, ms\n", figure_columns("loop", "plain", "flagged"),
           [](std::span<const Record> records) { return lines_of_figure(records, 7); }},
          {"\nFigure 8: making candidates, ms\n", figure_columns("loops", "square", "triangle"),
           [](std::span<const Record> records) { return lines_of_figure(records, 8); }},
          {"\nOurs, both steps in one, ms\n",
           {{"transactions", "transactions", as_it_is, "{:>12}"},
            bar,
            {"one_core_seconds", "one core", in_ms, "{:>10.4g}", "no data"},
            {"seconds", "backend", in_ms, "{:>10.4g}", "no data"},
            {"kernel_seconds", "kernel", in_ms, "{:>10.4g}", "no data"},
            bar,
            {"words_per_s", "words/s", as_it_is, "{:>12.3g}", "no data"},
            {"share", "popc, %", in_percent, "{:>9.1f}", "no data"},
            {"ratio", "ratio", as_it_is, "{:>9.1f}", "no data"}},
           our_lines}};
}

Benchmark apriori_benchmark() {
  return {.name = "apriori",
          .measures = "a level of the search for itemsets, on generated transactions",
          .published = "Tang and Wang 2014, Figures 7 and 8",
          .refuses = "takes transactions as in the paper, by all pipelines",
          .tables = [](const BenchMachine&) { return apriori_tables(); },
          .run = run_apriori};
}

}  // namespace atl
