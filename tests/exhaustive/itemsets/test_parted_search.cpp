#include <atomic>
#include <chrono>
#include <future>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/bytes.hpp"
#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "src/exhaustive/itemsets/parted_search.hpp"
#include "tests/exhaustive/itemset_lines.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

using Ranges = std::vector<SearchRange>;

/// Searches on one thread are compared with those of one piece.
struct Case {
  TransactionSet transactions;
  ItemsetLimits limits;

  std::string text() const {
    ThreadPool pool(1);
    std::string text;
    std::atomic<std::uint64_t> sets = 0;
    PartedSearch search(transactions, limits, true, pool);
    search.list(
        {search.whole()}, make_lines, [&](std::string_view piece) { text += piece; }, {}, sets);
    return text;
  }
  std::vector<std::uint64_t> counts() const {
    ThreadPool pool(1);
    return count_itemsets(transactions, limits, pool);
  }
};

/// More text takes long to compare, and shows nothing else.
constexpr std::size_t most_text = std::size_t{1} << 20;

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Shape& shape : shapes()) {
    if (shape.transactions > 10000) continue;
    const TransactionSet transactions = random_set(21, shape.transactions, shape.chance);
    for (const auto& [max_length, family] :
         {std::pair{~0U, ItemsetFamily::all}, std::pair{3U, ItemsetFamily::all},
          std::pair{~0U, ItemsetFamily::closed}, std::pair{~0U, ItemsetFamily::maximal}}) {
      all.push_back({transactions,
                     {.min_count = shape.min_count,
                      .min_length = 2,
                      .max_length = max_length,
                      .family = family}});
    }
  }
  // Items of all transactions, of which closed and maximal sets have all.
  ItemLists lists;
  for (std::uint32_t t = 0; t < 300; ++t) {
    lists.push_back({0, 1});
    for (std::uint32_t i = 2; i < 22; ++i) {
      if ((t * 2654435761U >> i & 3) != 0) lists.back().push_back(i);
    }
  }
  for (const ItemsetFamily family :
       {ItemsetFamily::all, ItemsetFamily::closed, ItemsetFamily::maximal}) {
    all.push_back({transactions_of(22, lists), {.min_count = 20, .family = family}});
  }
  return all;
}

/// The outermost loop in pieces of so many items.
Ranges pieces(std::uint32_t items, std::uint32_t size) {
  Ranges ranges;
  for (std::uint32_t first = 0; first < items || first == 0; first += size) {
    ranges.push_back({{}, first, std::min(items, first + size)});
  }
  return ranges;
}

TEST(PartedSearch, IsTheWholeInAnyPiecesOfTheOutermostLoop) {
  ThreadPool pool(1);
  int compared = 0;
  for (const Case& of : cases()) {
    const std::string whole = of.text();
    PartedSearch lists(of.transactions, of.limits, true, pool);
    PartedSearch counts(of.transactions, of.limits, false, pool);
    if (whole.size() > most_text) continue;
    ++compared;
    for (const std::uint32_t size : {1U, 7U}) {
      std::string text;
      std::atomic<std::uint64_t> sets = 0;
      for (const SearchRange& range : pieces(lists.loop().end, size)) {
        const auto write = [&](std::string_view piece) { text += piece; };
        EXPECT_TRUE(lists.list({range}, make_lines, write, {}, sets).empty());
      }
      EXPECT_TRUE(text == whole);
      EXPECT_EQ(sets, std::count(text.begin(), text.end(), '\n'));
      ItemsetTally tally;
      for (const SearchRange& range : pieces(counts.loop().end, size)) {
        EXPECT_TRUE(counts.count({range}, tally, {}).empty());
      }
      EXPECT_EQ(asked_lengths(tally.by_length(), of.limits), of.counts());
    }
  }
  EXPECT_GT(compared, 15);
}

/// Lines that ask to stop after so many sets.
class StoppingLines final : public Lines {
 public:
  StoppingLines(WriteText write, std::stop_source& stop, std::atomic<int>& left)
      : Lines(std::move(write)), stop_(stop), left_(left) {}
  void found(std::uint32_t support) override {
    Lines::found(support);
    if (--left_ == 0) stop_.request_stop();
  }

 private:
  std::stop_source& stop_;
  std::atomic<int>& left_;
};

/// Lists a range as often as it takes, each time in a process of its own, so to say, which stops
/// after a random number of sets.
class Stops {
 public:
  Stops(const Case& of, unsigned threads) : of_(of), pool_(threads) {}

  std::string list(const Ranges& ranges) {
    PartedSearch search(of_.transactions, of_.limits, true, pool_);
    std::stop_source stop;
    std::atomic<int> left = 1 + static_cast<int>(draw_.below(1200));
    std::string text;
    const auto make = [&](WriteText write) {
      return std::make_unique<StoppingLines>(std::move(write), stop, left);
    };
    const std::vector<SearchRest> rest = search.list(
        ranges, make, [&](std::string_view piece) { text += piece; }, stop.get_token(), sets);
    stops += rest.empty() ? 0 : 1;
    for (const SearchRest& part : rest) {
      const std::size_t half = part.left.size() / 2;  // another process has the rest
      const auto middle = part.left.begin() + static_cast<std::ptrdiff_t>(half);
      if (half > 0) text += list(Ranges(part.left.begin(), middle));
      text += list(Ranges(middle, part.left.end()));
      text += part.text;
    }
    return text;
  }

  int stops = 0;
  std::atomic<std::uint64_t> sets = 0;

 private:
  const Case& of_;
  ThreadPool pool_;
  RandomStream draw_{{5, 0, 0, 0, Purpose::test}};
};

TEST(PartedSearch, GoesOnWhereverItWasStopped) {
  int stops = 0;
  for (const Case& of : cases()) {
    for (const unsigned threads : {1U, 3U}) {
      const std::string whole = of.text();
      if (whole.size() > most_text) continue;
      ThreadPool pool(1);
      Stops job(of, threads);
      EXPECT_TRUE(job.list({PartedSearch(of.transactions, of.limits, true, pool).whole()}) == whole)
          << threads;
      EXPECT_EQ(job.sets, std::count(whole.begin(), whole.end(), '\n'));
      stops += job.stops;
    }
  }
  EXPECT_GT(stops, 100);
}

TEST(PartedSearch, CountsTheSameHoweverOftenItIsStopped) {
  const Case of{random_set(10, 400, std::vector<double>(30, 0.7)), {.min_count = 30}};
  const auto whole = of.counts();
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    ItemsetTally tally;
    Ranges left = {PartedSearch(of.transactions, of.limits, false, pool).whole()};
    int stops = 0;
    for (; !left.empty(); ++stops) {
      PartedSearch search(of.transactions, of.limits, false, pool);
      std::stop_source stop;
      auto rest = std::async(std::launch::async,
                             [&] { return search.count(left, tally, stop.get_token()); });
      rest.wait_for(std::chrono::milliseconds(1 + stops));
      stop.request_stop();
      Ranges next;
      for (SearchRest& part : rest.get()) std::ranges::move(part.left, std::back_inserter(next));
      left = std::move(next);
    }
    EXPECT_GT(stops, 2);
    EXPECT_EQ(asked_lengths(tally.by_length(), of.limits), whole);
  }
}

TEST(PartedSearch, SaysWhatIsLeftOfASearchThatNeverBegan) {
  const Case of{random_set(10, 400, std::vector<double>(20, 0.7)), {.min_count = 35}};
  ThreadPool pool(2);
  PartedSearch search(of.transactions, of.limits, false, pool);
  std::stop_source stop;
  stop.request_stop();
  ItemsetTally tally;
  const auto rest = search.count({search.whole()}, tally, stop.get_token());
  ASSERT_EQ(rest.size(), 1U);
  ASSERT_EQ(rest[0].left.size(), 1U);
  EXPECT_TRUE(rest[0].left[0].begins());
  EXPECT_TRUE(tally.by_length().empty());
}

TEST(PartedSearch, NoticesAWayThatLeadsNowhere) {
  const Case of{random_set(10, 400, std::vector<double>(20, 0.7)), {.min_count = 35}};
  ThreadPool pool(1);
  PartedSearch search(of.transactions, of.limits, false, pool);
  ItemsetTally tally;
  for (const std::vector<std::uint32_t>& way :
       {std::vector{20U}, std::vector{19U, 19U}, std::vector{0U}, std::vector{1U, 0U}}) {
    EXPECT_THROW(search.count({{way, 1, 2}}, tally, {}), BadBytes) << way.size();
  }
}

}  // namespace
}  // namespace atl::test
