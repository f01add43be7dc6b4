#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <rapidcheck.h>

#include "src/exhaustive/itemset_rules/itemset_rules.hpp"
#include "src/exhaustive/pairs/pair_task.hpp"
#include "tests/exhaustive/itemset_lines.hpp"
#include "tests/exhaustive/itemset_reference.hpp"
#include "tests/exhaustive/small_search.hpp"
#include "tests/work/task_in_pieces.hpp"

namespace atl::test {
namespace {

constexpr ItemsetLimits of_two(std::uint64_t min_count) {
  return {.min_count = min_count, .min_length = 2, .max_length = 2};
}

const std::optional<PairForm> every_form[] = {std::nullopt, PairForm::batmap, PairForm::bitmap,
                                              PairForm::lists, PairForm::product};

ItemsetTaskParts parts_of(const TransactionSet& transactions, std::uint64_t min_count) {
  ItemsetTaskParts parts;
  parts.data = "data";
  parts.read = [&transactions] { return transactions; };
  parts.min_count = [min_count](std::uint64_t) { return min_count; };
  parts.limits = of_two(min_count);
  parts.make_text = [](const std::vector<std::string>&, WriteText write) {
    return make_lines(std::move(write));
  };
  return parts;
}

/// Lines "antecedent consequent n_antecedent n_consequent n_both".
class RuleLines final : public ItemsetRuleText {
 public:
  RuleLines(WriteText write, ItemsetRulePart part) : write_(std::move(write)) {
    if (part == ItemsetRulePart::first) text_ = "head\n";
  }
  void write(const ItemsetRule& rule) override {
    text_ += line(rule);
    ++rules_;
  }
  std::uint64_t finish() override {
    write_(text_);
    text_.clear();
    return std::exchange(rules_, 0);
  }
  static std::string line(const ItemsetRule& rule) {
    std::string text;
    for (const std::uint64_t number :
         {std::uint64_t{rule.antecedent.front()}, std::uint64_t{rule.consequent.front()},
          rule.table.n, rule.table.n_antecedent, rule.table.n_consequent, rule.table.n_both}) {
      text += std::to_string(number) + ' ';
    }
    return text + '\n';
  }

 private:
  WriteText write_;
  std::string text_;
  std::uint64_t rules_ = 0;
};

std::string listed_text(const TransactionSet& transactions, std::uint64_t min_count) {
  std::string text;
  const auto lines = make_lines([&](std::string_view more) { text += more; });
  list_itemsets(transactions, of_two(min_count), *lines);
  lines->finish();
  return text;
}

PairMeans means_of(std::optional<PairForm> form) {
  PairMeans means;
  means.form = form;
  return means;
}

void expect_text(const TransactionSet& transactions, std::uint64_t min_count,
                 const PairMeans& means, std::uint64_t seed, unsigned threads,
                 const std::string& expected) {
  const auto make = [&] {
    return std::make_unique<PairTask>(
        parts_of(transactions, min_count), [means](const PairRows&) { return means; },
        std::nullopt);
  };
  ASSERT_EQ(TaskInPieces(make, seed, threads).run().text, expected);
}

TEST(PairTask, FindsPairsWorkedOutByHand) {
  const TransactionSet transactions =
      transactions_of(4, {{0, 1, 2}, {0, 1}, {0, 1, 2, 3}, {}, {1}, {0, 2}});
  for (const auto& form : every_form) {
    expect_text(transactions, 2, means_of(form), 1, 1, "1 0 3\n2 0 3\n2 1 2\n");
    expect_text(transactions, 3, means_of(form), 1, 1, "1 0 3\n2 0 3\n");
    expect_text(transactions, 7, means_of(form), 1, 1, "");
  }
}

TEST(PairTask, FindsWhatTheSearchFindsInItsOrder) {
  EXPECT_TRUE(rc::check([] {
    const SmallSearch search = any_small_search();
    const std::string expected = listed_text(search.transactions, search.limits.min_count);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    for (const auto& form : every_form) {
      expect_text(search.transactions, search.limits.min_count, means_of(form), seed, 2, expected);
    }
    RC_ASSERT(!testing::Test::HasFatalFailure());
  }));
}

TEST(PairTask, FormsOfAllShapesCountAlike) {
  std::uint64_t seed = 0;
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(seed);
    const TransactionSet transactions = random_set(++seed, shape.transactions, shape.chance);
    const std::uint64_t min_count = std::max<std::uint64_t>(1, shape.min_count / 8);
    const std::string expected = listed_text(transactions, min_count);
    for (const auto& form : every_form) {
      expect_text(transactions, min_count, means_of(form), seed, 3, expected);
    }
  }
}

TEST(PairTask, FormsOfAllLengthsCountAlike) {
  for (const std::size_t count : {1U, 31U, 63U, 64U, 65U, 127U, 128U, 129U, 511U, 513U, 4097U}) {
    SCOPED_TRACE(count);
    const TransactionSet transactions = random_set(count, count, falling(130, 0.9, 0.98));
    const std::string expected = listed_text(transactions, 1);
    for (const auto& form : every_form) {
      expect_text(transactions, 1, means_of(form), count, 2, expected);
    }
  }
}

TEST(PairTask, CountsAsTheReferenceForEachInstructionSet) {
  const TransactionSet transactions = random_set(9, 700, falling(90, 0.7, 0.98));
  PairMeans means = means_of(PairForm::bitmap);
  means.make_counter = [](PairForm, const PairRows& rows, std::uint32_t, ThreadPool&) {
    return make_reference_pair_counter(rows);
  };
  const std::string expected = listed_text(transactions, 3);
  expect_text(transactions, 3, means, 1, 1, expected);
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    for (const auto& form : every_form) {
      expect_text(transactions, 3, means_of(form), 1, 1, expected);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(PairTask, SumsBeyondSixteenBitsAreExact) {
  const TransactionSet transactions = random_set(10, 140000, std::vector<double>(6, 0.98));
  const std::string expected = listed_text(transactions, 1);
  for (const auto& form : every_form) {
    expect_text(transactions, 1, means_of(form), 1, 1, expected);
  }
}

TEST(PairTask, ChoosesFormsByDensity) {
  const auto planned = [](const TransactionSet& transactions) {
    const PairRows rows(transactions, 1);
    return PairPlan(rows, std::nullopt, 64).pairs();
  };
  const auto lists = static_cast<std::size_t>(PairForm::lists);
  const auto sparse = planned(random_set(11, 4000, std::vector<double>(300, 0.005)));
  EXPECT_EQ(sparse[lists], 300U * 299 / 2);
  const auto dense = planned(random_set(12, 4000, std::vector<double>(300, 0.4)));
  EXPECT_EQ(dense[lists], 0U);
  std::vector<double> both(64, 0.6);
  both.resize(400, 0.004);
  const auto mixed = planned(random_set(13, 4000, both));
  EXPECT_GT(mixed[lists], 40000U);
  EXPECT_LT(mixed[lists], 400U * 399 / 2);
}

std::string rules_text(const TransactionSet& transactions, std::uint64_t min_count,
                       const ItemsetRuleChoice& choice) {
  ThreadPool pool(1);
  const MemoryLimit memory(std::uint64_t{1} << 40);
  std::string text = "head\n";
  make_itemset_rules(
      transactions, {.min_count = min_count, .max_length = 2}, choice, {}, pool, memory,
      [](Severity, const std::string&) {},
      [&](const ItemsetRule& rule) { text += RuleLines::line(rule); });
  return text;
}

TEST(PairTask, MakesTheRulesThatTheSearchMakes) {
  const TransactionSet transactions = random_set(14, 500, falling(100, 0.6, 0.97));
  std::vector<ItemsetRuleChoice> choices(4);
  choices[1].limits.min_confidence = 0.5;
  choices[2].sort = Measure::lift;
  choices[2].top = 17;
  choices[3].sort = Measure::confidence;
  choices[3].limits.min_confidence = 0.2;
  for (const ItemsetRuleChoice& choice : choices) {
    const std::string expected = rules_text(transactions, 5, choice);
    const auto make = [&] {
      PairRulesParts rules;
      rules.choice = choice;
      rules.make_text = [](const std::vector<std::string>&, WriteText write, ItemsetRulePart part) {
        return std::make_unique<RuleLines>(std::move(write), part);
      };
      return std::make_unique<PairTask>(
          parts_of(transactions, 5), [](const PairRows&) { return means_of(std::nullopt); }, rules);
    };
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      ASSERT_EQ(TaskInPieces(make, seed, 2).run().text, expected);
    }
  }
}

TEST(PairTask, RefusesPiecesAndStatesThatCannotBe) {
  const TransactionSet transactions = transactions_of(3, {{0, 1}, {0, 1, 2}});
  PairTask task(
      parts_of(transactions, 1), [](const PairRows&) { return PairMeans(); }, std::nullopt);
  LocalCommunicator alone;
  ThreadPool pool(1);
  const MemoryLimit memory(std::uint64_t{1} << 40);
  const Report report = [](Severity, const std::string&) {};
  Worker worker{alone, pool, memory, report};
  task.prepare(worker);
  for (const auto& [first, end] : {std::pair{0U, 4U}, {2U, 1U}, {1U, 1U}}) {
    ByteWriter out;
    out.put(first);
    out.put(end);
    EXPECT_THROW(task.expect(out.bytes()), BadBytes);
  }
  ByteWriter out;
  out.put(std::uint64_t{1});
  out.put(std::uint64_t{1});
  out.put(std::uint64_t{1});
  for (const std::uint32_t number : {1U, 1U, 1U}) out.put(number);  // an item with itself
  out.put(std::uint8_t{0});
  ByteReader in(out.bytes());
  EXPECT_THROW(task.load(in), BadBytes);
}

}  // namespace
}  // namespace atl::test
