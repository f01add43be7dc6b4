#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/refinement/bound_fits.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

/// Counts what a fitter is asked for.
class CountingFitter final : public IntervalFitter {
 public:
  CountingFitter(std::unique_ptr<IntervalFitter> fitter, std::size_t& asked)
      : fitter_(std::move(fitter)), asked_(asked) {}
  void prepare(std::span<const IntervalGroup> groups) override {
    asked_ += groups.size();
    fitter_->prepare(groups);
  }
  void start() override { fitter_->start(); }
  void finish() override { fitter_->finish(); }
  void read(std::span<FittedGroup> out) override { fitter_->read(out); }

 private:
  std::unique_ptr<IntervalFitter> fitter_;
  std::size_t& asked_;
};

class CountingResident final : public Resident {
 public:
  CountingResident(std::shared_ptr<Resident> resident)
      : Resident(resident->device().shared_from_this(), resident->dataset()),
        resident_(std::move(resident)) {}
  std::unique_ptr<RuleCounter> rule_counter() override { return resident_->rule_counter(); }
  std::unique_ptr<IntervalFitter> interval_fitter(const IntervalRows& rows) override {
    return std::make_unique<CountingFitter>(resident_->interval_fitter(rows), asked);
  }

  std::size_t asked = 0;

 private:
  std::shared_ptr<Resident> resident_;
};

// Of x0 and x1 with and without c4, so that some look at the same rows.
std::vector<BoundFit> fits() {
  const std::vector<Comparison> goal = {{5, 1, 1}};
  std::vector<BoundFit> all;
  for (const std::uint32_t label : {0U, 1U, 2U}) {
    for (const std::uint32_t attribute : {0U, 1U}) {
      all.push_back({.rest = {{4, label, label}}, .positives = goal, .attribute = attribute});
      all.push_back({.rest = {}, .positives = goal, .attribute = attribute});
      all.push_back({.rest = {{4, label, label}},
                     .positives = goal,
                     .attribute = attribute,
                     .relation = BoundRelation::greater,
                     .share = PositiveShare{1, 8}});
    }
  }
  return all;
}

}  // namespace

TEST(BoundFits, TogetherAreThoseOfEachAlone) {
  const Dataset data = planted_table(4000, true);
  const BinEdges edges(data.attributes().size(), {8, 16, 24});
  for (const bool refine : {false, true}) {
    ThreadPool one(1);
    const auto reference = make_reference_device()->load(data);
    std::vector<std::optional<FittedInterval>> expected;
    for (const BoundFit& fit : fits()) {
      expected.push_back(BoundFits(*reference, one, edges, refine).fit({fit})[0]);
    }
    for (const unsigned threads : {1U, 3U}) {
      ThreadPool pool(threads);
      const auto resident = make_cpu_device(pool)->load(data);
      EXPECT_EQ(BoundFits(*resident, pool, edges, refine).fit(fits()), expected);
    }
  }
}

TEST(BoundFits, LookAtNoMoreRowsThanAsked) {
  const Dataset data = planted_table(4000, true);
  const std::size_t few = 300;
  const Comparison goal{5, 1, 1};
  const std::optional<IntervalTrial> trial = IntervalTrial{.attribute = 0, .positives = {&goal, 1}};
  const auto reference = make_reference_device()->load(data);
  const auto fit = [&](std::size_t rows) {
    const IntervalGroup group{.trials = {&trial, 1}, .rows = rows};
    return reference->interval_fitter({.most = data.rows(), .enough = data.rows()})
        ->fit(group)
        .interval;
  };
  ASSERT_NE(fit(few), fit(data.rows()));
  ThreadPool pool(2);
  const BinEdges edges;
  BoundFits made(*reference, pool, edges, false);
  BoundFit asked{.rest = {}, .positives = {goal}, .attribute = 0};
  EXPECT_EQ(made.fit({asked})[0], fit(data.rows()));
  asked.rows = few;
  EXPECT_EQ(made.fit({asked})[0], fit(few));
}

TEST(BoundFits, AreMadeOnce) {
  const Dataset data = planted_table(4000, true);
  CountingResident resident(make_reference_device()->load(data));
  ThreadPool pool(1);
  const BinEdges edges;
  BoundFits made(resident, pool, edges, false);
  const auto first = made.fit(fits());
  EXPECT_EQ(resident.asked, 14U);  // those without c4 are three times the same
  EXPECT_EQ(made.fit(fits()), first);
  EXPECT_EQ(resident.asked, 14U);
  EXPECT_TRUE(made.fit({}).empty());
}

}  // namespace atl::test
