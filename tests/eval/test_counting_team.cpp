#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/divide.hpp"
#include "src/eval/counting_team.hpp"
#include "tests/eval/backend.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"
#include "tests/islands/hooked_resident.hpp"

namespace atl::test {
namespace {

constexpr TeamSplit both_splits[] = {TeamSplit::rows, TeamSplit::rules};

/// All combinations, without a mean and with one.
std::vector<CountingOptions> every_option() {
  std::vector<CountingOptions> all;
  for (const CountingOptions& of : all_options()) {
    all.push_back(of);
    for (const bool deviations : {false, true}) {
      all.push_back(of);
      all.back().mean = MeanTarget{.attribute = 0, .low = false, .deviations = deviations};
    }
  }
  return all;
}

/// Counts of which no two numbers are equal, of what the options ask for.
std::vector<RuleCounts> distinct_counts(std::span<const Rule> rules,
                                        const CountingOptions& options) {
  std::uint64_t next = 0xFFFFFFFF00000000;
  std::vector<RuleCounts> all(rules.size());
  for (std::size_t r = 0; r < rules.size(); ++r) {
    RuleCounts& counts = all[r];
    counts = {.n = ++next,
              .antecedent = ++next,
              .consequent = ++next,
              .both = ++next,
              .missing_consequent = ++next};
    if (options.mean) counts.sum = ++next;
    if (options.mean && options.mean->deviations) counts.squares_low = ++next;
    if (options.mean && options.mean->deviations) counts.squares_high = ++next;
    if (options.comparison_supports) counts.comparison_supports.resize(rules[r].comparisons());
    for (auto& support : counts.comparison_supports) support = ++next;
    if (options.coverage_hashes) counts.coverage_hash = {next + 1, next + 2};
    next += 2;
  }
  return all;
}

std::vector<RuleRange> shares(int members, TeamSplit split, std::size_t rules) {
  Board board(members);
  std::vector<RuleRange> all;
  for (int member = 0; member < members; ++member) {
    ThreadCommunicator communicator(board, member);
    all.push_back(CountingTeam(communicator, split).share(rules));
  }
  return all;
}

const RandomTable& table() {
  static const RandomTable made = random_table(3, 9000, 6, true);
  return made;
}

std::vector<Rule> some_rules(std::size_t count) {
  return random_rules(9, count, table().attributes, 6);
}

TEST(CountingTeam, CountsBecomeNumbersAndCountsAgain) {
  const std::vector<Rule> rules = with_bare_sides(some_rules(10));
  for (const CountingOptions& of : every_option()) {
    const std::vector<RuleCounts> counts = distinct_counts(rules, of);
    std::vector<std::uint64_t> numbers = {1, 2, 3};
    counts_to_numbers(rules, {0, rules.size()}, counts, of, numbers);
    std::vector<RuleCounts> back = distinct_counts(rules, {true, true});
    numbers_to_counts(rules, numbers, of, back);
    EXPECT_EQ(back, counts);
    counts_to_numbers({}, {}, {}, of, numbers);
    EXPECT_TRUE(numbers.empty());
  }
}

TEST(CountingTeam, NumbersOfSharesAddUp) {
  const std::vector<Rule> rules = with_bare_sides(some_rules(7));
  for (const CountingOptions& of : every_option()) {
    const std::vector<RuleCounts> counts = distinct_counts(rules, of);
    std::vector<std::uint64_t> expected, part;
    counts_to_numbers(rules, {0, rules.size()}, counts, of, expected);
    for (const int members : {1, 2, 3, 4, 20}) {
      std::vector<std::uint64_t> sums(expected.size());
      for (const RuleRange& share : shares(members, TeamSplit::rules, rules.size())) {
        // The counts of other shares are whatever they were before.
        std::vector<RuleCounts> own = distinct_counts(rules, {});
        std::copy_n(counts.begin() + static_cast<std::ptrdiff_t>(share.begin), share.size(),
                    own.begin() + static_cast<std::ptrdiff_t>(share.begin));
        counts_to_numbers(rules, share, own, of, part);
        ASSERT_EQ(part.size(), sums.size());
        for (std::size_t i = 0; i < part.size(); ++i) sums[i] += part[i];
      }
      EXPECT_EQ(sums, expected) << members << " members";
    }
  }
}

TEST(CountingTeam, SharesHaveEachRuleOnce) {
  for (const int members : {1, 2, 3, 4, 7}) {
    for (const std::size_t rules : {0U, 1U, 2U, 6U, 100U}) {
      std::size_t next = 0;
      for (const RuleRange& share : shares(members, TeamSplit::rules, rules)) {
        EXPECT_EQ(share.begin, next);
        EXPECT_LE(share.size(), rules / static_cast<std::size_t>(members) + 1);
        next = share.end;
      }
      EXPECT_EQ(next, rules);
      for (const RuleRange& share : shares(members, TeamSplit::rows, rules)) {
        EXPECT_EQ(share.begin, 0U);
        EXPECT_EQ(share.end, rules);
      }
    }
  }
}

/// A table of which each member counts a part.
class CountsInATeam : public testing::Test {
 protected:
  /// One after the other, with the same service.
  struct Task {
    std::vector<Rule> rules;
    CountingOptions options;
  };
  using Statistics = std::vector<RuleStatistics>;

  static Dataset make() { return make_dataset(table().attributes, table().columns, 4096); }

  /// Members take different devices.
  static std::shared_ptr<Resident> part(const Dataset& dataset, int member, ThreadPool& pool) {
    return (member % 2 == 0 ? make_cpu_device(pool) : make_reference_device())->load(dataset);
  }

  static std::vector<Task> tasks() {
    CountingOptions all{.comparison_supports = true, .coverage_hashes = true};
    CountingOptions known = all;
    known.exclude_missing_consequent = true;
    return {{some_rules(10), {}},    {some_rules(3), all},   {{}, all},
            {some_rules(12), known}, {some_rules(1), known}, {some_rules(9), all}};
  }

  static std::vector<Statistics> alone(const std::vector<Task>& tasks) {
    const Dataset whole = make();
    const auto resident = make_reference_device()->load(whole);
    std::vector<Statistics> all;
    for (const Task& task : tasks) all.push_back(resident->count(task.rules, task.options));
    return all;
  }

  /// @param work  of each member, whose resident fails wherever the hook does
  static void run_team(int members, TeamSplit split, const std::function<void(int member)>& hook,
                       const std::function<void(int member, Resident&)>& work) {
    run_ranks(members, [&](Communicator& communicator) {
      const int member = communicator.rank();
      Dataset dataset = make();
      if (split == TeamSplit::rows) divide(dataset, {member, members});
      ThreadPool pool(1);
      HookedResident resident(
          part(dataset, member, pool), [&](int) { hook(member); }, nullptr);
      const CountingTeam team(communicator, split);
      resident.join(team);
      work(member, resident);
    });
  }

  static void nothing(int) {}
};

TEST_F(CountsInATeam, EqualThoseOfOneRank) {
  const std::vector<Task> all = tasks();
  const std::vector<Statistics> expected = alone(all);
  for (const TeamSplit split : both_splits) {
    for (const int members : {1, 2, 3, 4}) {
      run_team(members, split, nothing, [&](int member, Resident& resident) {
        for (std::size_t i = 0; i < all.size(); ++i) {
          EXPECT_EQ(resident.count(all[i].rules, all[i].options), expected[i])
              << "task " << i << " on member " << member << " of " << members;
        }
      });
    }
  }
}

TEST_F(CountsInATeam, WhoCountsIsToldBefore) {
  run_ranks(2, [](Communicator& communicator) {
    const Dataset dataset = make();
    const auto resident = make_reference_device()->load(dataset);
    const CountingTeam team(communicator, TeamSplit::rules);
    std::vector<Rule> told;
    resident->join(team, [&](std::span<const Rule> rules, const CountingOptions& options) {
      told.assign(rules.begin(), rules.end());
      EXPECT_TRUE(options.coverage_hashes);
    });
    const std::vector<Rule> rules = some_rules(5);
    resident->count(rules, {.coverage_hashes = true});
    EXPECT_EQ(told, rules);
  });
}

/// One of three members fails at every other task.
class FailuresInATeam : public CountsInATeam {
 protected:
  void expect_failures(TeamSplit split, int fails) {
    std::vector<std::string> said(3);
    std::vector<int> batches(3);
    const auto hook = [&](int member) {
      const int batch = ++batches[static_cast<std::size_t>(member)];
      if (member == fails && batch % 2 == 0) throw BackendUnavailable("cuda", "it is lost");
    };
    run_team(3, split, hook, [&](int member, Resident& resident) {
      for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const std::string error = count(resident, i);
        EXPECT_EQ(error.empty(), i % 2 == 0) << "task " << i << " on member " << member;
        if (!error.empty()) said[static_cast<std::size_t>(member)] = error;
      }
    });
    for (int member = 0; member < 3; ++member) {
      const std::string& what = said[static_cast<std::size_t>(member)];
      const char* const expected = member == fails ? "it is lost" : CountingTeam::other_failed;
      EXPECT_NE(what.find(expected), std::string::npos) << what;
    }
  }

 private:
  /// @return the error; empty if there is none
  std::string count(Resident& resident, std::size_t task) {
    try {
      EXPECT_EQ(resident.count(tasks_[task].rules, tasks_[task].options), expected_[task]);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::unavailable);
      return error.what();
    }
  }

  const std::vector<Task> tasks_ = tasks();
  const std::vector<Statistics> expected_ = alone(tasks_);
};

// What the one that failed has counted before is of other rules and options.
TEST_F(FailuresInATeam, AllLearnOfThemAndGoOn) {
  for (const TeamSplit split : both_splits) {
    for (const int fails : {0, 1, 2}) expect_failures(split, fails);
  }
}

TEST_F(CountsInATeam, ARuleOfAnUnknownAttributeFailsOnAll) {
  std::vector<Rule> rules = some_rules(4);
  const CountingOptions options{.comparison_supports = true};
  const auto expected = alone({{rules, options}}).front();
  std::vector<Rule> wrong = rules;
  wrong.back().consequent = Expression::of({99, 0, 0, false});
  for (const TeamSplit split : both_splits) {
    run_team(2, split, nothing, [&](int member, Resident& resident) {
      try {
        resident.count(wrong, options);
        ADD_FAILURE() << "member " << member << " has counted it";
      } catch (const UnknownAttribute& error) {
        EXPECT_EQ(error.attribute, 99U);
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), CountingTeam::other_failed);
        EXPECT_EQ(split, TeamSplit::rules);  // it is in the share of the other
        EXPECT_EQ(member, 0);
      }
      EXPECT_EQ(resident.count(rules, options), expected);
    });
  }
}

}  // namespace
}  // namespace atl::test
