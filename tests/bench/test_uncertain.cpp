// The benchmark of probabilistic itemsets on small data, on the cores alone, and how its figures
// are shown, made up here.
#include <bit>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/bench/uncertain_case.hpp"
#include "src/bench/uncertain_data.hpp"
#include "src/bench/uncertain_job.hpp"
#include "src/bench/uncertain_published.hpp"
#include "src/bench/uncertain_ranks.hpp"
#include "src/bench/uncertain_steps.hpp"
#include "src/bench/uncertain_tables.hpp"
#include "src/core/random.hpp"
#include "src/exhaustive/uncertain/tails.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl {
namespace {

constexpr UncertainLimits least_25 = {.min_count = 25, .min_probability = 0.5};

/// Items 0, 1, ... of which item i is the rarer the greater i is.
TransactionSet small_uncertain_set(std::uint32_t rows, std::uint32_t items) {
  RandomStream stream({.seed = 3, .slot = rows, .purpose = Purpose::test});
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < items; ++i) names.push_back(std::to_string(i));
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> entries;
  for (std::uint32_t t = 0; t < rows; ++t) {
    for (std::uint32_t i = 0; i < items; ++i) {
      if (stream.next_double() < 0.9 - 0.7 * i / items) entries.push_back(i);
    }
    starts.push_back(entries.size());
  }
  std::vector<double> probabilities = drawn_probabilities({}, rows);
  for (std::uint32_t t = 0; t < rows; t += 9) probabilities[t] = 1;
  return TransactionSet(std::move(names), std::move(starts), std::move(entries))
      .with_probabilities(std::move(probabilities));
}

/// P(support >= 25) of all items whose bits are set.
double tail_of_items(const TransactionSet& transactions, unsigned bits) {
  std::vector<double> probabilities;
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    unsigned has = 0;
    for (const std::uint32_t item : transactions.transaction(t)) has |= 1U << item;
    if ((has & bits) == bits) probabilities.push_back(transactions.probabilities()[t]);
  }
  return probabilities.size() < 25 ? 0 : reference_tail(probabilities, 25);
}

TEST(UncertainJobs, FindFrequentSetsAndKeepTheirCandidates) {
  constexpr std::uint32_t items = 7;
  const TransactionSet transactions = small_uncertain_set(120, items);
  std::vector<std::uint64_t> frequent(items, 0);
  for (unsigned bits = 1; bits < 1U << items; ++bits) {
    if (tail_of_items(transactions, bits) < 0.5) continue;
    ++frequent[static_cast<std::size_t>(std::popcount(bits)) - 1];
  }
  while (frequent.back() == 0) frequent.pop_back();
  ASSERT_GE(frequent.size(), 3U);
  ThreadPool pool(2);
  for (const bool bounds : {true, false}) {
    UncertainLimits limits = least_25;
    limits.bounds = bounds;
    const UncertainJob job =
        run_uncertain_job(transactions, limits, means_of_cores(pool), pool, true);
    EXPECT_EQ(job.frequent, frequent);
    ASSERT_GE(job.candidates.size() + 1, frequent.size());
    EXPECT_EQ(job.candidates[0].size(), frequent[0] * (frequent[0] - 1) / 2);
    for (std::size_t l = 0; l < job.candidates.size(); ++l) {
      EXPECT_EQ(job.candidates[l].length, l + 2);
    }
    EXPECT_GE(job.wall_seconds, job.count_seconds + job.sum_seconds + job.tail_seconds);
    EXPECT_TRUE(run_uncertain_job(transactions, limits, means_of_cores(pool), pool, false)
                    .candidates.empty());
  }
}

TEST(UncertainSteps, FindTheSameByCoresAndByTheReference) {
  const TransactionSet transactions = small_uncertain_set(120, 7);
  ThreadPool pool(2);
  const UncertainJob job =
      run_uncertain_job(transactions, least_25, means_of_cores(pool), pool, true);
  std::vector<RankedSets> levels = job.candidates;
  levels.insert(levels.begin(), single_items(static_cast<std::uint32_t>(job.items.size())));
  const UncertainColumns columns(transactions, job.items);
  const cuda::ThesisLeast least{25, 0.5};
  const MeteredLevels cores =
      meter_levels(*make_cpu_support_meter(columns, pool), levels, least, 1);
  const MeteredLevels reference =
      meter_levels(*make_reference_support_meter(columns), levels, least, 1);
  EXPECT_EQ(cores.ranks, reference.ranks);
  ASSERT_EQ(cores.levels.size(), levels.size());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    ASSERT_EQ(cores.levels[l].open, reference.levels[l].open);
    for (std::size_t k = 0; k < cores.levels[l].open.size(); ++k) {
      EXPECT_NEAR(cores.levels[l].tails[k], reference.levels[l].tails[k], 1e-12);
      unsigned bits = 0;
      for (const std::uint32_t rank : levels[l][cores.levels[l].open[k]]) {
        bits |= 1U << job.items[rank];
      }
      EXPECT_NEAR(cores.levels[l].tails[k], tail_of_items(transactions, bits), 1e-12);
    }
  }
}

TEST(UncertainCases, MeasureCoresWithoutADevice) {
  const UncertainData data{small_uncertain_set(120, 7), 120, 7};
  ThreadPool pool(1);
  const UncertainMachine machine{pool, 1};
  UncertainCase its(uncertain_datasets()[1], data, 0.2, machine);
  EXPECT_GT(number_of(its.singles(), "cores_seconds"), 0);
  EXPECT_EQ(its.singles()["published"]["host_gain"], "7");
  EXPECT_GT(number_of(its.inclusion(), "cores_seconds"), 0);
  EXPECT_FALSE(its.decoding().contains("find_seconds"));
  const Record job = its.whole_job();
  EXPECT_GT(number_of(job, "plain_cores_seconds"), 0);
  EXPECT_EQ(job["published"]["speedup"], "3.6-5.5");
  EXPECT_FALSE(job.contains("thesis_seconds"));
  std::vector<std::string> ways;
  for (const Record& record : its.breakdown()) ways.push_back(record["way"]);
  EXPECT_EQ(ways, (std::vector<std::string>{"paper, cpu", "paper, cuda", "cores", "cores, plain"}));
  const std::vector<Record> distributions = its.distributions();
  EXPECT_EQ(distributions.front()["figure"], "3.7");
  EXPECT_EQ(distributions.back()["figure"], "3.11");
  EXPECT_EQ(distributions.back()["published"]["speedup"], "4.4");
}

TEST(UncertainData, HasPairsOfGivenRanks) {
  const std::vector<std::uint32_t> ranks = {0, 3, 6};
  for (const std::uint32_t rows : {64U, 97U, 100U}) {
    const TransactionSet transactions = paired_transactions(rows, ranks);
    EXPECT_EQ(transactions.supports(), (std::vector<std::uint32_t>{1, 1, 8, 8, 64, 64})) << rows;
  }
}

TEST(UncertainData, RepeatsAPartAndPrefersTheWhole) {
  const test::TemporaryFolder folder;
  const UncertainDataset& accidents = uncertain_datasets()[1];
  const auto read = [&](std::uint32_t rows) {
    return uncertain_data(accidents, rows, folder.path(), [](Severity, const std::string&) {});
  };
  EXPECT_FALSE(read(10));
  EXPECT_FALSE(uncertain_data(accidents, 10, "", [](Severity, const std::string&) {}));
  std::ofstream(folder / "accidents-part.dat") << "1 2\n2 3 4\n1\n";
  const auto part = read(7);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->rows_of_file, 3U);
  EXPECT_EQ(part->items, 4U);
  EXPECT_EQ(part->transactions.supports(), (std::vector<std::uint32_t>{5, 5, 2, 2}));
  EXPECT_EQ(part->transactions.probabilities(), drawn_probabilities(accidents.model, 7));
  std::ofstream(folder / "accidents.dat") << "1 2\n3\n";
  EXPECT_EQ(read(2)->rows_of_file, 2U);
  EXPECT_EQ(read(1)->items, 2U);
}

TEST(UncertainRanks, AreMeasuredUpToAllTransactions) {
  ThreadPool pool(2);
  std::vector<Record> records;
  measure_ranks({40, 32, 1, pool}, [&](Record record) { records.push_back(std::move(record)); });
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0]["rank"], 4);
  EXPECT_EQ(records[1]["rank"], 5);
  for (const Record& record : records) EXPECT_GT(number_of(record, "cores_seconds"), 0);
}

TEST(UncertainRanks, CrossWhereOneIsFasterFromThenOn) {
  const auto line = [](unsigned rank, double a, double b) {
    return Record{{"rank", rank}, {"a", a}, {"b", b}};
  };
  EXPECT_EQ(crossing({line(4, 1, 2), line(5, 3, 2), line(6, 1, 2), line(7, 1, 2)}, "a", "b"), 6U);
  EXPECT_EQ(crossing({line(4, 1, 2), line(5, 3, 2)}, "a", "b"), std::nullopt);
  EXPECT_EQ(crossing({line(4, 1, 2)}, "a", "c"), std::nullopt);
  EXPECT_EQ(crossing({}, "a", "b"), std::nullopt);
}

TEST(UncertainTables, ArePlacedWithin80Columns) {
  const char* const of_datasets[] = {"3.7", "3.8", "3.9", "3.10", "3.11", "3.13", "table 3.3"};
  std::vector<Record> records;
  for (const char* const figure : of_datasets) {
    Record& record = records.emplace_back(
        Record{{"figure", figure}, {"dataset", "T25I10D500K"}, {"minsup", 0.0065}});
    record["rank"] = 20;
    record["candidates"] = 123456;
    record["way"] = "cores, plain";
    for (const char* const key :
         {"cores",        "plain_cores", "device",  "plain_device", "thesis",  "host",
          "scan",         "and",         "find",    "loop",         "plain",   "filter",
          "scatter",      "gather",      "several", "inclusion",    "pruning", "filtering",
          "distribution", "other",       "total"}) {
      record[std::string(key) + "_seconds"] = 12.345678;
    }
    for (const char* const key : {"host", "and", "find", "filter", "gather", "several"}) {
      record[std::string(key) + "_gain"] = 12.3456;
    }
    record["speedup"] = 12.3456;
    record["published"] = published_record(
        figure, std::string_view(figure) == "3.9" ? "accidents" : "T25I10D500K",
        {"host_gain", "and_gain", "filter_gain", "gather_gain", "several_gain", "speedup"});
  }
  records.push_back({{"figure", "3.12"}, {"rank", 12}, {"cores_seconds", 1e-5}});
  records.push_back({{"figure", "3.12"},
                     {"thesis_crossing", 11},
                     {"published", {{"crossing", published_crossing}}}});
  std::string text;
  for (const Table& table : uncertain_tables()) text += text_of(table, records);
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    EXPECT_LE(text.find('\n', begin) - begin, 80U) << text.substr(begin, 100);
  }
  EXPECT_NE(text.find("GPU faster from: its way 11, ours no rank; cores of the paper up to 13\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" 18-32.9\n"), std::string::npos) << text;
}

TEST(UncertainFigures, OfThePaperAddUp) {
  for (const PublishedTimes& times : published_times()) {
    const double sum =
        times.inclusion + times.pruning + times.filtering + times.distributions + times.others;
    EXPECT_NEAR(sum, times.total, 1e-3) << times.dataset << " " << times.backend;
  }
}

}  // namespace
}  // namespace atl
