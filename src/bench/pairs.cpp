#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device/device_rates.hpp"
#include "src/bench/benchmarks.hpp"
#include "src/bench/device_pairs.hpp"
#include "src/bench/set_comparisons.hpp"
#include "src/bench/table.hpp"
#include "src/bench/workload.hpp"
#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"
#include "src/data/aligned_words.hpp"
#include "src/exhaustive/pairs/batmap.hpp"
#include "src/exhaustive/pairs/item_bits.hpp"
#include "src/exhaustive/pairs/pair_search.hpp"
#include "src/generate/random_baskets.hpp"

namespace atl {
namespace {

constexpr double seconds_of_form = 1;
constexpr double published_gpu_seconds = 10.87;  // n = 4000, 5%, Figure 6 by the text
constexpr double published_core_bytes = 7.6e9;   // at most, of any number of cores, Figure 11
constexpr double published_gpu_bytes = 36.2e9;   // "Throughput computation"
constexpr PairForm forms_in_turn[] = {PairForm::batmap, PairForm::bitmap, PairForm::lists,
                                      PairForm::product};

/// What bounds the forms: bytes of maps and of columns that a core compares in its first cache.
struct PairRates {
  double batmap_bytes = 0, bitmap_bytes = 0;

  static PairRates measured() {
    constexpr std::size_t words = 1024;
    const AlignedWords a(words), b(words);
    const auto bytes = [](const AlignedWords& some) {
      return std::span(reinterpret_cast<const std::uint8_t*>(some.data()), 8 * some.size());
    };
    constexpr int times = 2000;
    std::uint64_t sum = 0;
    PairRates rates;
    const Timing maps = time_repeatedly(
        [&] {
          for (int k = 0; k < times; ++k) sum += count_common(bytes(a), bytes(b));
        },
        0.1);
    std::uint32_t counts[4] = {0, 0, 0, 0};
    const Timing columns = time_repeatedly(
        [&] {
          for (int k = 0; k < times; ++k) {
            add_common_bits(a.data(), b.data(), 4, words / 4, words / 4, counts);
          }
        },
        0.1);
    if (sum + counts[0] != 0) throw InternalError("bench pairs counts what is not there");
    rates.batmap_bytes = 8.0 * words * times / maps.best;
    rates.bitmap_bytes = 8.0 * words * times / columns.best;
    return rates;
  }
};

/// Transactions, and what their pairs sum up to by bands, which all forms have to find.
struct PairData {
  TransactionSet transactions;
  std::vector<std::uint64_t> sums{};
};

/// Counts bands on the threads of the pool, evenly spread over the triangle, for about a second.
class TimedForm {
 public:
  TimedForm(PairForm form, PairData& data, ThreadPool& pool) : form_(form), data_(data) {
    const MemoryLimit memory(memory_left());
    PairMeans means;
    means.form = form;
    const auto building = std::chrono::steady_clock::now();
    search_ =
        std::make_unique<PairSearch>(PairRows(data.transactions, 1, &pool), 1, means, pool, memory);
    build_seconds_ = seconds_since(building);
    count(pool);
  }

  Record record(const PairRates& rates, unsigned threads) const {
    const PairRows& rows = search_->rows();
    const std::uint64_t own = counter_bytes(form_, rows, rows.items());
    Record record = {{"build_seconds", build_seconds_},
                     {"count_seconds", count_seconds()},
                     {"counted_share", counted_ / pairs()},
                     {"total_seconds", build_seconds_ + count_seconds()},
                     {"bytes", own + 12 * data_.transactions.entries() +
                                   8 * std::uint64_t{rows.transactions()}}};
    const double items = std::max<double>(rows.items(), 1);
    double bound = 0;
    // Each pair has a map, or a column, of the wider item to be read.
    if (form_ == PairForm::batmap) {
      bound = pairs() * static_cast<double>(own) / items / rates.batmap_bytes;
    }
    if (form_ == PairForm::bitmap) {
      bound = pairs() * static_cast<double>(own) / items / rates.bitmap_bytes;
    }
    if (bound > 0) record["bound_seconds"] = bound / threads;
    return record;
  }
  double count_seconds() const { return seconds_ * pairs() / std::max(counted_, 1.0); }
  double pairs() const { return static_cast<double>(pairs_of_rows(0, search_->rows().items())); }

 private:
  void count(ThreadPool& pool) {
    const std::vector<PairBand>& bands = search_->plan().bands();
    if (data_.sums.empty()) data_.sums.resize(bands.size(), ~std::uint64_t{0});
    const std::size_t together = std::size_t{2} * pool.threads();
    const std::size_t turns = (bands.size() + together - 1) / together;
    const auto counting = std::chrono::steady_clock::now();
    // The last rows first, which are the longest, then every other turn of what is left, and so on.
    for (std::size_t turn = 0; turn < turns && seconds_ < seconds_of_form; ++turn) {
      pool.wait(pool.submit(together, [&](std::size_t k, unsigned worker) {
        const std::size_t band = turn + k * turns;
        if (band < bands.size()) count_band(band, bands[band].rows, worker);
      }));
      seconds_ = seconds_since(counting);
    }
    counted_ = static_cast<double>(counted_pairs_.load());
  }

  void count_band(std::size_t band, RankRange rows, unsigned worker) {
    std::uint64_t sum = 0;
    search_->count(band, rows, worker, [&](const PairRow& row) {
      for (const std::uint32_t count : row.counts) sum += count;
    });
    counted_pairs_ += pairs_of_rows(rows.first, rows.end);
    std::uint64_t& known = data_.sums[band];
    if (known == ~std::uint64_t{0}) known = sum;
    if (known == sum) return;
    throw InternalError(std::string("bench pairs: ") + to_string(form_) +
                        " counts otherwise than another form");
  }

  PairForm form_;
  PairData& data_;
  std::unique_ptr<PairSearch> search_;
  double build_seconds_ = 0, seconds_ = 0, counted_ = 0;
  std::atomic<std::uint64_t> counted_pairs_ = 0;
};

class PairsBench {
 public:
  explicit PairsBench(const BenchState& state)
      : state_(state), threads_(threads_of(state.machine)), rates_(PairRates::measured()) {}

  /// The sizes of Figure 6 with the items resident on a GPU.
  void run_on(const BenchBackend& backend) const {
    const std::uint64_t entries = state_.number("--entries");
    std::vector<std::uint32_t> sizes = {1000, 4000, 16000};
    if (state_.is_given("--items")) sizes = {state_.small_number("--items")};
    const double logic = cuda::measure_device_rates().logic;
    ThreadPool pool(threads_);
    for (const std::uint32_t items : sizes) {
      const PairRows rows(drawn(items, 0.05, entries).transactions, 1);
      for (Record& record : resident_records(rows, pool, backend.options, logic)) {
        record["machine"] = machine_description(backend.device);
        record["threads"] = threads_;
        if (items == 4000 && entries == 10'000'000) {
          record["published"] = {{"gpu_seconds", published_gpu_seconds}};
        }
        state_.add(std::move(record));
      }
    }
  }

  void run() {
    const std::uint64_t entries = state_.number("--entries");
    std::vector<std::uint32_t> sizes = {1000, 2000, 4000, 8000, 16000, 32000, 64000};
    if (state_.is_given("--items")) sizes = {state_.small_number("--items")};
    const auto usual = [&](std::uint32_t items) {
      return state_.is_given("--items") ? sizes.front() : items;
    };
    for (const std::uint32_t items : sizes) {
      PairData data = drawn(items, 0.05, entries);
      Record record = record_of(5, data, 0.05);
      if (items == 4000 && entries == 10'000'000) {
        record["published"] = {{"gpu_seconds", published_gpu_seconds}};
      }
      add(std::move(record), data, threads_);
    }
    for (const double density : {0.01, 0.05, 0.1, 0.2}) {
      PairData data = drawn(usual(8000), density, entries);
      add(record_of(8, data, density), data, threads_);
    }
    PairData cores = drawn(usual(4000), 0.05, entries);
    for (unsigned threads = 1; threads <= std::min(threads_, 8U); threads *= 2) {
      add(record_of(9, cores, 0.05), cores, threads);
    }
    ThreadPool one(1);
    Record sets = triples_record(PairRows(cores.transactions, 1), one);
    sets["machine"] = machine_description(std::nullopt);
    state_.add(std::move(sets));
    PairData words = {word_transactions(usual(20000), entries)};
    add(record_of(10, words, std::nullopt), words, threads_);
    for (unsigned threads = 1; threads <= std::min(threads_, 8U); threads *= 2) compare(threads);
    Record merged = merging_record(entries);
    merged["machine"] = machine_description(std::nullopt);
    state_.add(std::move(merged));
  }

 private:
  static PairData drawn(std::uint32_t items, double density, std::uint64_t entries) {
    RandomBasketsOptions options;
    options.items = items;
    options.probability = density;
    const RandomBasketsSource source(options);
    const double rows = static_cast<double>(entries) / source.mean_items();
    return {first_transactions(source, items, std::max<std::uint64_t>(1, std::uint64_t(rows)))};
  }
  /// In the place of WebDocs: documents of about 100 words, of which few are frequent.
  static TransactionSet word_transactions(std::uint32_t items, std::uint64_t entries) {
    QuestOptions options;
    options.items = items;
    options.length = 100;
    options.pattern_length = 10;
    return quest_transactions(options, std::max<std::uint64_t>(1, entries / 100));
  }

  Record record_of(int figure, const PairData& data, std::optional<double> density) const {
    const PairRows rows(data.transactions, 1);
    const PairPlan plan(rows, std::nullopt, 64);
    Record record = {{"bench", "pairs"},
                     {"machine", machine_description(std::nullopt)},
                     {"backend", "cpu"},
                     {"threads", threads_},
                     {"figure", figure},
                     {"rows", data.transactions.size()},
                     {"items", rows.items()},
                     {"entries", data.transactions.entries()},
                     {"pairs", pairs_of_rows(0, rows.items())},
                     {"auto", plan.in_words()}};
    if (density) record["density"] = *density;
    return record;
  }

  void add(Record record, PairData& data, unsigned threads) const {
    ThreadPool pool(threads);
    record["threads"] = threads;
    for (const PairForm form : forms_in_turn) {
      record[to_string(form)] = TimedForm(form, data, pool).record(rates_, threads);
    }
    state_.add(std::move(record));
  }

  /// Figure 11: each core compares two arrays of 20 MB again and again.
  void compare(unsigned threads) const {
    constexpr std::size_t words = 20'000'000 / 64 * 8;
    const std::uint64_t times = state_.number("--repeats");
    std::vector<AlignedWords> arrays;
    for (unsigned k = 0; k < 2 * threads; ++k) arrays.emplace_back(words);
    const auto bytes = [&](std::size_t k) {
      return std::span(reinterpret_cast<const std::uint8_t*>(arrays[k].data()), 8 * words);
    };
    ThreadPool pool(threads);
    std::atomic<std::uint64_t> common = 0;
    const auto comparing = std::chrono::steady_clock::now();
    pool.wait(pool.submit(threads, [&](std::size_t k, unsigned) {
      for (std::uint64_t n = 0; n < times; ++n)
        common += count_common(bytes(2 * k), bytes(2 * k + 1));
    }));
    const double seconds = seconds_since(comparing);
    if (common != 0) throw InternalError("bench pairs finds common elements in nothing");
    const double rate = 2.0 * 8 * words * static_cast<double>(times) * threads / seconds;
    state_.add(
        {{"bench", "pairs"},
         {"machine", machine_description(std::nullopt)},
         {"backend", "cpu"},
         {"threads", threads},
         {"figure", 11},
         {"seconds", seconds},
         {"bytes_per_s", rate},
         {"bound_bytes_per_s", 2 * rates_.batmap_bytes * threads},
         {"published",
          {{"cpu_bytes_per_s", published_core_bytes}, {"gpu_bytes_per_s", published_gpu_bytes}}}});
  }

  const BenchState& state_;
  unsigned threads_;
  PairRates rates_;
};

void run_pairs(const BenchState& state) {
  if (state.machine.options.backend == "reference") {
    throw UsageError("bench pairs counts on the cores and a GPU: take auto, cpu or cuda");
  }
  PairsBench bench(state);
  const BenchBackend backend = state.machine.choose_backend(state.machine, rows_for_any_gpu);
  if (backend.device) bench.run_on(backend);
  if (state.machine.options.backend != "cuda") bench.run();
}

enum class PairLines { counts, resident, comparisons };

template <PairLines kind>
std::vector<Record> pair_lines(std::span<const Record> records) {
  std::vector<Record> lines;
  for (const Record& record : records) {
    const PairLines its = record.contains("pairs")  ? PairLines::counts
                          : record.contains("form") ? PairLines::resident
                                                    : PairLines::comparisons;
    if (its == kind) lines.push_back(record);
  }
  return lines;
}

std::vector<Table> pair_tables(const BenchMachine&) {
  std::vector<Column> counts = {{"figure", "figure", as_it_is, "{:>6}"},
                                {"items", "items", as_it_is, "{:>7}"},
                                {"rows", "rows", as_it_is, "{:>9}"},
                                {"density", "density, %", in_percent, "{:>11.3g}", "-"},
                                {"threads", "threads", as_it_is, "{:>8}"}};
  for (const char* form : {"batmap", "bitmap", "lists", "product"}) {
    const std::string name = form;
    counts.push_back(bar);
    counts.push_back({name + ".bytes", name + ", MB", 1e-6, "{:>12.0f}"});
    counts.push_back({name + ".build_seconds", "build, s", as_it_is, "{:>9.3g}"});
    counts.push_back({name + ".count_seconds", "count", as_it_is, "{:>8.3g}"});
    if (name[0] == 'b') counts.push_back({name + ".bound_seconds", "bound", as_it_is, "{:>8.3g}"});
  }
  counts.push_back(bar);
  counts.push_back({"published.gpu_seconds", "paper, s", as_it_is, "{:>9.4g}", "no data"});
  const std::vector<Column> resident = {
      {"items", "items", as_it_is, "{:>7}"},
      {"form", "form", as_it_is, "{:>8}"},
      {"build_seconds", "build, ms", in_ms, "{:>10.4g}"},
      {"kernel_seconds", "kernels", in_ms, "{:>9.4g}"},
      {"bound_seconds", "bound", in_ms, "{:>9.4g}", "-"},
      {"copy_seconds", "copies", in_ms, "{:>9.4g}"},
      {"wall_seconds", "in all", in_ms, "{:>9.4g}"},
      {"published.gpu_seconds", "paper, ms", in_ms, "{:>10.5g}", "no data"}};
  return {{"Items resident on a GPU\n", resident, pair_lines<PairLines::resident>},
          {"", counts, pair_lines<PairLines::counts>},
          {"\nThree sets, comparing maps of 20 MB, and merging\n",
           {{"figure", "figure", as_it_is, "{:>8}"},
            {"threads", "threads", as_it_is, "{:>8}"},
            {"batmap_seconds", "batmap, ms", in_ms, "{:>11.4g}", "-"},
            {"bitmap_seconds", "bitmap, ms", in_ms, " {:>10.4g}", "-"},
            {"lists_seconds", "lists, ms", in_ms, " {:>9.4g}", "-"},
            {"bytes_per_s", "10^9 bytes/s", in_billions, "{:>13.4g}", "-"},
            {"bound_bytes_per_s", "bound", in_billions, "{:>9.4g}", "-"},
            {"published.cpu_bytes_per_s", "paper", in_billions, "{:>7.3g}", "-"},
            {"elements_per_s", "10^6 elements/s", in_millions, "{:>16.4g}", "-"},
            {"published.elements_per_s", "paper", in_millions, "{:>7.4g}", "-"}},
           pair_lines<PairLines::comparisons>}};
}

}  // namespace

Benchmark pairs_benchmark() {
  return {.name = "pairs",
          .measures = "counting all pairs of items by four forms of their sets",
          .published = "Amossen and Pagh 2011, Figures 5 to 11",
          .refuses = "draws transactions of its own",
          .axes = {{"--entries", "N", "items of all transactions together", "10000000",
                    WholeNumber{1000, 1'000'000'000}},
                   {"--items", "N", "different items", "those of the figures",
                    WholeNumber{2, 1'000'000}},
                   {"--repeats", "N", "times that maps of 20 MB are compared", "300",
                    WholeNumber{1, 100'000}}},
          .tables = pair_tables,
          .run = run_pairs};
}

}  // namespace atl
