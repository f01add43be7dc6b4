#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/results/archive/archive.hpp"

namespace atl::test {

namespace {

// Few rules, values, niches and finders, so that repeats, ties and quotas matter. A rule's counts
// and niche follow from its number.
struct Offered {
  RuleRecord record;
  Niche niche;
};

Offered offered(std::uint32_t number, std::uint32_t generation, std::uint32_t island) {
  Offered made;
  std::vector<Comparison> antecedent;
  for (std::uint32_t i = 0; i < 1 + number % 3; ++i) {
    antecedent.push_back({i, number, number, false});
  }
  made.record.rule = {Expression::conjunction(antecedent), Expression::of({9, 0, 0, false})};
  const std::uint64_t structure = number % 13;
  // Some have no confidence.
  made.record.table = {1000, number % 11 == 0 ? 0U : 100U, 200, number % 7 + 60};
  made.record.generation = generation;
  made.record.island = island;
  made.niche = {structure / 6, structure / 2, structure};
  return made;
}

std::vector<Offered> arbitrary_offers() {
  const auto numbers = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 150U));
  std::vector<Offered> offers;
  for (const std::uint32_t number : numbers) {
    offers.push_back(offered(number, *rc::gen::inRange(0U, 3U), *rc::gen::inRange(0U, 3U)));
  }
  return offers;
}

using Finds = std::vector<std::tuple<Rule, std::uint32_t, std::uint32_t>>;

Finds finds(const Archive& archive) {
  Finds seen;
  for (const RuleRecord& r : archive.rules()) seen.emplace_back(r.rule, r.generation, r.island);
  return seen;
}

double value_of(const Archive& archive, const Offered& offer) {
  return evaluate(archive.by(), offer.record.table);
}

void add(Archive& archive, const Offered& offer) {
  archive.offer(offer.record, offer.niche);
}

}  // namespace

TEST(ArchiveBars, AnArchiveThatIsAskedFirstEndsTheSameWhateverTheOrder) {
  EXPECT_TRUE(rc::check([] {
    const auto capacity = *rc::gen::inRange<std::size_t>(0, 12);
    const auto near = *rc::gen::inRange<std::size_t>(1, 8);
    const auto by = *rc::gen::element(Measure::leverage, Measure::confidence);
    auto offers = arbitrary_offers();
    Archive all(by, capacity, near);
    for (const Offered& offer : offers) add(all, offer);

    for (std::size_t i = offers.size(); i > 1; --i) {
      std::swap(offers[i - 1], offers[*rc::gen::inRange<std::size_t>(0, i)]);
    }
    // Each of two archives takes a part and then goes on with the other's; what is asked may be out
    // of date.
    const auto middle = *rc::gen::inRange<std::size_t>(0, offers.size() + 1);
    Archive first(by, capacity, near);
    Archive second(by, capacity, near);
    ArchiveBars of_first;
    ArchiveBars of_second;
    for (std::size_t i = 0; i < offers.size(); ++i) {
      Archive& archive = i < middle ? first : second;
      ArchiveBars& bars = i < middle ? of_first : of_second;
      const Offered& offer = offers[i];
      if (bars.refuse(value_of(archive, offer), offer.niche)) continue;
      add(archive, offer);
      if (*rc::gen::inRange(0, 3) > 0) bars.raise(offer.niche, archive.bars(offer.niche));
    }
    Archive merged = first;
    merged.merge(second);
    RC_ASSERT(finds(merged) == finds(all));
    // The bars of a part hold for the whole.
    for (const Offered& offer : offers) {
      if (of_first.refuse(value_of(first, offer), offer.niche)) add(merged, offer);
    }
    RC_ASSERT(finds(merged) == finds(all));
  }));
}

TEST(ArchiveBars, RefuseWhatIsWeakerThanAFullQuota) {
  Archive archive(Measure::leverage, 2, 1);
  ArchiveBars bars;
  const Niche full{1, 1, 1}, beside{1, 2, 2}, elsewhere{2, 3, 3};
  RuleRecord record = offered(1, 0, 0).record;
  const double value = evaluate(Measure::leverage, record.table);
  archive.offer(record, full);
  bars.raise(full, archive.bars(full));
  EXPECT_TRUE(bars.refuse(value - 0.01, full));
  EXPECT_TRUE(bars.refuse(std::numeric_limits<double>::quiet_NaN(), full));
  EXPECT_FALSE(bars.refuse(value, full)) << "a shorter rule of the same value may enter";
  EXPECT_FALSE(bars.refuse(value - 0.01, beside));
  archive.offer(offered(2, 0, 0).record, beside);
  bars.raise(beside, archive.bars(beside));
  EXPECT_TRUE(bars.refuse(value - 0.1, {1, 4, 4})) << "the consequent has all it may";
  EXPECT_FALSE(bars.refuse(value - 0.1, elsewhere));
}

TEST(ArchiveBars, AreAskedWhileTheyAreRaised) {
  ArchiveBars bars;
  const auto niche = [](std::uint64_t i) { return Niche{i % 7, 100 + i % 50'000, i}; };
  std::thread raising([&] {
    for (std::uint64_t i = 0; i < 200'000; ++i) {
      bars.raise(niche(i), {1.0, 2.0, static_cast<double>(i % 3)});
    }
  });
  for (std::uint64_t i = 0; i < 200'000; ++i) EXPECT_FALSE(bars.refuse(2, niche(i)));
  raising.join();
  EXPECT_TRUE(bars.refuse(0.5, niche(1)));
}

}  // namespace atl::test
