#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "src/exhaustive/rules/enumerate_task.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/exhaustive/rules/small_table.hpp"
#include "tests/work/task_in_pieces.hpp"

namespace atl::test {
namespace {

constexpr std::size_t top = 20;

std::string told(const MinedRules& mined, const Dataset& dataset) {
  std::string text = std::to_string(mined.counted) + " " + std::to_string(mined.evaluated) + "\n";
  for (const RuleRecord& record : mined.rules) {
    text += to_text(record.rule, dataset.attributes()) + " " +
            std::to_string(record.table.n_antecedent) + " " + std::to_string(record.table.n_both) +
            "\n";
  }
  return text;
}

std::unique_ptr<EnumerateTask> task_of(const Dataset& dataset) {
  EnumerateParts parts;
  parts.read = [&] { return Items(dataset); };
  parts.marks = [] { return std::vector<Identity::Mark>(); };
  parts.finish = [&](const MinedRules& mined, const WriteText&) { return told(mined, dataset); };
  return std::make_unique<EnumerateTask>(RuleLimits{}, SupportThreshold::parse("1rows"), top,
                                         std::move(parts));
}

/// Of so many rows that a walk takes longer than it takes to stop it.
Dataset wide_table() {
  RandomStream draw({3, 0, 0, 0, Purpose::test});
  std::vector<std::vector<std::uint32_t>> columns(7, std::vector<std::uint32_t>(3000));
  for (std::size_t r = 0; r < 3000; ++r) {
    for (auto& column : columns) column[r] = static_cast<std::uint32_t>(draw.below(3));
    columns[6][r] = columns[0][r] == 0 && columns[3][r] == 0 ? 1 : 0;
  }
  return table_of_labels(columns);
}

TEST(EnumerateTask, FindsAndCountsTheSameInPiecesAndAfterStops) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Dataset dataset = seed < 20 ? small_table(seed) : wide_table();
    ThreadPool pool(1);
    const std::string expected = told(enumerate_rules(Items(dataset), {}, top, pool), dataset);
    TaskInPieces pieces([&] { return task_of(dataset); }, seed,
                        static_cast<unsigned>(1 + seed % 3));
    EXPECT_EQ(pieces.run().line, expected) << seed;
  }
}

TEST(EnumerateTask, RefusesPiecesAndRulesThatCannotBe) {
  const Dataset dataset = small_table(4);
  const auto task = task_of(dataset);
  ThreadPool pool(1);
  LocalCommunicator alone;
  const MemoryLimit memory(std::uint64_t{1} << 40);
  const Report report = [](Severity, const std::string&) {};
  Worker worker{alone, pool, memory, report};
  task->prepare(worker);
  task->begin(0, task->first());
  const auto end = static_cast<Item>(Items(dataset).size());
  EXPECT_NO_THROW(task->expect(to_bytes({{}, 0, end})));
  for (const WalkRange& range : {WalkRange{{}, 0, static_cast<Item>(end + 1)},
                                 {{}, 2, 2},
                                 {{0}, 1, end},  // longer than an antecedent of this length
                                 {{end}, 1, end}}) {
    EXPECT_THROW(task->expect(to_bytes(range)), BadBytes);
  }
  EXPECT_THROW(task->expect(Piece(3)), BadBytes);
  ByteWriter out;
  put(out, {CountedRule{{1, {Item{0}}, end}, 3, 2, {}}});
  ByteReader in(out.bytes());
  EXPECT_THROW(get_rules(in, Items(dataset)), BadBytes);
}

TEST(AntecedentCounts, AreOfEveryRange) {
  const Items items(table_of_labels({{0, 1, 2}, {0, 1, 0}, {0, 1, 1}}));  // of 3, 2 and 2 labels
  const AntecedentCounts pairs(items, 2);
  EXPECT_EQ(pairs.of({{}, 0, 7}), 3 * 2 + 3 * 2 + 2 * 2);
  EXPECT_EQ(pairs.of({{}, 3, 5}), 2 * 2);
  EXPECT_EQ(pairs.of({{1}, 2, 7}), 4);
  EXPECT_EQ(pairs.of({{1}, 4, 6}), 2);
  EXPECT_EQ(pairs.of({{6}, 6, 6}), 0);
  EXPECT_EQ(pairs.cut({{}, 0, 7}, 0.25), 1);
  EXPECT_EQ(pairs.cut({{}, 5, 7}, 0.01), 6);
}

}  // namespace
}  // namespace atl::test
