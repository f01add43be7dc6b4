#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "islands/g3parm/g3parm.hpp"
#include "src/results/archive/archive.hpp"
#include "tests/fuzz/run_state_table.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/islands/rule_run.hpp"

namespace atl::test {

namespace {

class RunStateTest : public testing::Test {
 protected:
  RunStateTest() {
    ThreadPool pool(1);
    const auto resident = make_reference_device()->load(dataset_);
    LocalCommunicator communicator;
    RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
    archipelago.advance(0);
    for (int generation = 0; generation < 2; ++generation) {
      archipelago.advance(archipelago.generation() + 1);
    }
    state_ = open_run(*archipelago.whole_state(), grammar_);
    state_.islands[0].population[1].statistics.table.target = {
        TargetMoments::Side::low, -1.5, 2.25, 2, 0.75, 0.5};
    state_.header.seconds = 12.5;
    state_.header.jobs = 3;
    state_.header.finished = true;
    state_.history.kept[0].best[0] = std::numeric_limits<double>::quiet_NaN();
  }

  static Experiment tiny_experiment() {
    Experiment experiment = small_experiment("g3parm");
    experiment.population = 6;
    experiment.islands = 2;
    experiment.top = 3;
    experiment.min_support.share = 0.01;
    experiment.min_confidence = 0.1;
    return experiment;
  }

  Dataset dataset_ = planted_table(300, true);
  BoundGrammar grammar_ = association_grammar(dataset_);
  const Experiment experiment_ = tiny_experiment();
  const G3parm algorithm_{experiment_, grammar_};
  RuleRun state_;
};

}  // namespace

TEST_F(RunStateTest, ComesBackAsItWas) {
  const Bytes bytes = encode(state_);
  const RuleRun back = decode_rule_run(bytes, grammar_);
  EXPECT_EQ(back.header.experiment, state_.header.experiment);
  EXPECT_EQ(back.header.dataset, dataset_.fingerprint());
  EXPECT_EQ(back.header.generation, 2U);
  EXPECT_EQ(back.header.seconds, 12.5);
  EXPECT_EQ(back.header.jobs, 3U);
  EXPECT_TRUE(back.header.finished);
  ASSERT_EQ(back.islands.size(), 2U);
  EXPECT_EQ(back.own, state_.own);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.islands[i].island, i);
    const auto pool = algorithm_.individuals_in(back.own[i]);
    EXPECT_FALSE(pool.empty());
    for (const Individual& held : pool) EXPECT_EQ(grammar_.rule(held.derivation), held.rule);
    const auto& was = state_.islands[i].population;
    const auto& is = back.islands[i].population;
    ASSERT_EQ(is.size(), was.size());
    for (std::size_t k = 0; k < is.size(); ++k) {
      EXPECT_EQ(is[k].derivation, was[k].derivation);
      EXPECT_EQ(is[k].rule, was[k].rule);
      EXPECT_EQ(is[k].statistics, was[k].statistics);
    }
  }
  ASSERT_EQ(back.archive.rules().size(), state_.archive.rules().size());
  EXPECT_GT(back.archive.rules().size(), 0U);
  for (std::size_t i = 0; i < back.archive.rules().size(); ++i) {
    EXPECT_EQ(back.archive.rules()[i].rule, state_.archive.rules()[i].rule);
    EXPECT_EQ(back.archive.rules()[i].table, state_.archive.rules()[i].table);
  }
  EXPECT_EQ(encode(back), bytes);
}

TEST_F(RunStateTest, AnotherVersionIsRefusedByName) {
  Bytes bytes = encode(state_);
  const auto refusal = [&](std::uint8_t version) -> std::string {
    bytes[0] = std::byte{version};
    try {
      decode_run_state(bytes);
    } catch (const BadBytes& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal(5), "taken") << "which had all in one file";
  EXPECT_EQ(refusal(6), "taken");
  EXPECT_EQ(refusal(7), "it was written by a newer version of atoll");
  EXPECT_EQ(refusal(4), "it was written by an older version of atoll, which searched otherwise");
}

/// Without seeds of the present version the fuzz target gets no further than the header.
TEST(HistorySection, OfAFormerVersionHasAllRows) {
  const auto row = [](std::uint32_t generation, std::uint32_t island) {
    HistoryRow made;
    made.generation = generation;
    made.island = island;
    return made;
  };
  const History all{{row(0, 0), row(0, 1), row(1, 0), row(1, 1), row(2, 1)},
                    {row(1, 0), row(2, 1)}};
  RunState state;
  state.sections = {history_section(all)};
  const Bytes expected = state.sections.front().bytes;
  Section former = history_section({all.kept, {}});
  former.version = 1;
  former.bytes.resize(former.bytes.size() - sizeof(std::uint64_t));  // without the last rows
  state.sections = {former};
  EXPECT_EQ(history_section(history_of(state)).bytes, expected);
  state.sections.front().version = 3;
  EXPECT_THROW(history_of(state), BadBytes);
}

TEST(RunStateSeeds, AreOfThisVersionAndCanonical) {
  for (const char* name : {"empty", "finished", "mean", "two_islands"}) {
    std::ifstream file(std::string(ATOLL_SOURCE "/tests/fuzz/corpus/run_state/") + name,
                       std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto bytes = std::as_bytes(std::span(text));
    const Bytes again = encode(decode_rule_run(bytes, fuzz::grammar));
    EXPECT_TRUE(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) << name;
  }
}

TEST(RunStateSeeds, OneIsAPartOfACheckpoint) {
  std::ifstream file(ATOLL_SOURCE "/tests/fuzz/corpus/run_state/part", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const RunState state = decode_run_state(std::as_bytes(std::span(text)));
  const auto islands = island_histories_of(state);
  ASSERT_EQ(islands.size(), 2U);
  const auto bytes = state.section("history-0", 1);
  EXPECT_EQ(section_of(islands).bytes, Bytes(bytes.begin(), bytes.end()));
  EXPECT_GT(archive_of(state, fuzz::table).size(), 0U);
}

TEST_F(RunStateTest, AMomentThatIsNoNumberIsRefused) {
  state_.islands[0].population[1].statistics.table.target.mean_rest =
      std::numeric_limits<double>::infinity();
  EXPECT_THROW(decode_rule_run(encode(state_), grammar_), BadBytes);
}

TEST_F(RunStateTest, EveryTruncationIsRefused) {
  const Bytes bytes = encode(state_);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(decode_rule_run(std::span(bytes).first(length), grammar_), BadBytes) << length;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(decode_rule_run(longer, grammar_), BadBytes);
}

TEST_F(RunStateTest, EveryFlippedBitIsRefusedOrGivesAValidState) {
  const Bytes bytes = encode(state_);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 3) {
    Bytes damaged = bytes;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    try {
      const RuleRun state = decode_rule_run(damaged, grammar_);
      for (const IslandState& island : state.islands) {
        for (const Individual& individual : island.population) {
          EXPECT_TRUE(grammar_.accepts(individual.derivation));
        }
      }
      for (const OwnState& own : state.own) {
        for (const Individual& individual : algorithm_.individuals_in(own)) {
          EXPECT_TRUE(grammar_.accepts(individual.derivation));
        }
      }
      EXPECT_EQ(encode(state), damaged);
    } catch (const BadBytes&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, bytes.size() / 4);
}

TEST_F(RunStateTest, RandomDamageIsRefusedOrGivesAValidState) {
  const Bytes bytes = encode(state_);
  EXPECT_TRUE(rc::check([&] {
    Bytes damaged = bytes;
    const auto changes = *rc::gen::inRange(1, 20);
    for (int i = 0; i < changes; ++i) {
      damaged[*rc::gen::inRange<std::size_t>(0, bytes.size())] =
          static_cast<std::byte>(*rc::gen::inRange(0, 256));
    }
    try {
      const RuleRun state = decode_rule_run(damaged, grammar_);
      RC_ASSERT(encode(state) == damaged);
    } catch (const BadBytes&) {
    }
  }));
}

TEST_F(RunStateTest, CountsThatContradictEachOtherAreRefused) {
  const auto refused = [&](const ContingencyTable& table) {
    RuleRun state = state_;
    state.islands[0].population[0].statistics.table = table;
    try {
      decode_rule_run(encode(state), grammar_);
      return false;
    } catch (const BadBytes&) {
      return true;
    }
  };
  EXPECT_FALSE(refused({10, 6, 7, 3}));
  EXPECT_TRUE(refused({10, 11, 7, 3}));
  EXPECT_TRUE(refused({10, 6, 7, 7}));
  EXPECT_TRUE(refused({10, 6, 7, 2}));  // 11 rows would be needed
}

TEST_F(RunStateTest, ARuleThatIsInTheArchiveTwiceIsRefused) {
  RuleRecord record;
  record.rule = state_.archive.rules().front().rule;
  state_.archive = Archive(Measure::leverage, 10);
  const auto offer = [&](std::uint64_t both) {
    record.table = {10, 5, 5, both};
    ASSERT_TRUE(state_.archive.offer(record, niche(record, dataset_.attributes())));
  };
  offer(3);
  EXPECT_NO_THROW(decode_rule_run(encode(state_), grammar_));
  offer(2);
  EXPECT_THROW(decode_rule_run(encode(state_), grammar_), BadBytes);
}

TEST_F(RunStateTest, AnArchivedRuleThatNoSearchWritesIsRefused) {
  RuleRecord record = state_.archive.rules().front();
  const Expression good = record.rule.antecedent;
  const auto expect_refused = [&](const Expression& antecedent) {
    record.rule.antecedent = antecedent;
    state_.archive = Archive(Measure::leverage, 10);
    ASSERT_TRUE(state_.archive.offer(record, niche(record, dataset_.attributes())));
    EXPECT_THROW(decode_rule_run(encode(state_), grammar_), BadBytes);
  };
  const Comparison comparison = good.comparisons().front();
  expect_refused(Expression::conjunction(std::vector<Comparison>(10000, comparison)));
  expect_refused(Expression::conjunction(std::vector<Comparison>(2, comparison)));
  Ops negated = {Op::comparison};
  for (int i = 0; i < 1000; ++i) negated.push_back(Op::negation);
  expect_refused(Expression(negated, Comparisons{comparison}));
}

TEST_F(RunStateTest, AnArchiveOutOfOrderIsRefused) {
  const auto rules = state_.archive.rules();
  ASSERT_GE(rules.size(), 2U);
  RuleRun state = state_;
  state.archive = Archive(Measure::support, state_.archive.capacity());
  for (const RuleRecord& record : rules) {
    state.archive.offer(record, niche(record, dataset_.attributes()));
  }
  RunState closed = close_run(state);
  const auto results = std::find_if(closed.sections.begin(), closed.sections.end(),
                                    [](const Section& s) { return s.name == results_section; });
  ASSERT_NE(results, closed.sections.end());
  std::byte& measure = results->bytes.front();
  ASSERT_EQ(measure, static_cast<std::byte>(Measure::support));
  EXPECT_NO_THROW(open_run(closed, grammar_));
  measure = static_cast<std::byte>(Measure::conviction);
  EXPECT_THROW(open_run(closed, grammar_), BadBytes);
  measure = std::byte{200};
  EXPECT_THROW(open_run(closed, grammar_), BadBytes);
}

TEST_F(RunStateTest, SectionsThatAreMissingOrOfAnotherVersionAreRefused) {
  const RunState whole = close_run(state_);
  for (std::size_t i = 0; i < whole.sections.size(); ++i) {
    RunState other = whole;
    ++other.sections[i].version;
    EXPECT_THROW(open_run(other, grammar_), BadBytes) << whole.sections[i].name;
    other = whole;
    other.sections[i].bytes.push_back(std::byte{0});
    EXPECT_THROW(open_run(other, grammar_), BadBytes) << whole.sections[i].name;
    if (whole.sections[i].name == "island-1") continue;  // a state of fewer islands is left
    other = whole;
    other.sections.erase(other.sections.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_THROW(open_run(other, grammar_), BadBytes) << whole.sections[i].name;
  }
}

}  // namespace atl::test
