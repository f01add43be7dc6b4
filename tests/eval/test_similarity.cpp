// The contract of similarities, for every kind of device.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/eval/backend.hpp"

namespace atl::test {
namespace {

void compare(SimilarityTable& table, std::span<const Rule> rules) {
  std::vector<const Rule*> pointers;
  for (const Rule& rule : rules) pointers.push_back(&rule);
  table.prepare(pointers);
  table.start();
  table.finish();
}

std::vector<std::uint64_t> bits(std::span<const std::uint64_t> words) {
  return {words.begin(), words.end()};
}

/// What a table answers while the candidates compete for the places of the residents.
struct Answers {
  std::vector<std::uint32_t> first_rows;
  std::vector<std::optional<std::size_t>> most_similar;
  std::vector<std::vector<std::uint64_t>> sides;
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers_of(SimilarityTable& table, std::span<const Rule> residents,
                   std::span<const Rule> candidates) {
  Answers answers;
  table.clear();
  compare(table, residents);
  for (std::size_t i = 0; i < residents.size(); ++i) table.place(i, i);
  compare(table, candidates);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    answers.first_rows.push_back(table.first_row(i));
    for (const double least : {1e-6, 0.2, 0.7})
      answers.most_similar.push_back(table.most_similar(i, least, i % residents.size()));
    // Every third takes the place of the one that is most like it, or of any.
    if (i % 3 == 0) table.place(i, answers.most_similar.back().value_or(i % residents.size()));
    if (i % 10 == 0) table.place(i, table.size());
  }
  for (std::size_t slot = 0; slot < table.size(); ++slot) {
    answers.sides.push_back(bits(table.antecedent(slot)));
    answers.sides.push_back(bits(table.consequent(slot)));
  }
  return answers;
}

TEST(Similarities, EqualTheReference) {
  std::size_t found = 0;
  for (const std::uint64_t rows : {1U, 63U, 65U, 600U, 6000U}) {
    for (const bool missing : {false, true}) {
      const RandomTable table = random_table(rows + missing, rows, 8, missing);
      const Dataset data = make_dataset(table.attributes, table.columns, 4096);
      const auto usable = std::all_of(data.attributes().begin(), data.attributes().end(),
                                      [](const Attribute& a) { return a.distinct() > 0; });
      if (!usable) continue;
      const auto reference = make_reference_device()->load(data);
      const auto resident = load(data);
      const auto expecting = reference->similarity();
      const auto similarities = resident->similarity();
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {  // of one table, which is reused
        auto residents = random_rules(seed, 40, data.attributes(), 2);
        residents.insert(residents.end(), residents.begin(), residents.begin() + 10);  // ties
        const auto candidates = random_rules(seed + 10, 60, data.attributes(), 2);
        const Answers expected = answers_of(*expecting, residents, candidates);
        EXPECT_EQ(answers_of(*similarities, residents, candidates), expected) << rows;
        found += std::count_if(expected.most_similar.begin(), expected.most_similar.end(),
                               [](const auto& slot) { return slot.has_value(); });
      }
    }
  }
  EXPECT_GT(found, 500U);
}

Attribute binary(const std::string& name) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::nominal;
  attribute.labels = {"0", "1"};
  return attribute;
}

// By hand: 4 rows, a = 1 1 0 0, b = 1 0 1 0 and c = 1 1 1 0.
TEST(Similarities, AreProductsOfJaccardIndices) {
  const Dataset data = make_dataset({binary("a"), binary("b"), binary("c")},
                                    {{1, 1, 0, 0}, {1, 0, 1, 0}, {1, 1, 1, 0}});
  const auto rule = [](std::uint32_t attribute, std::uint32_t code, std::uint32_t consequent) {
    return Rule{Expression::of({attribute, code, code, false}),
                Expression::of({consequent, 1, 1, false})};
  };
  const std::vector<Rule> rules = {rule(0, 1, 2), rule(1, 1, 2), rule(0, 0, 2), rule(0, 1, 1)};
  const auto table = load(data)->similarity();
  compare(*table, rules);
  EXPECT_EQ(table->size(), 0U);
  table->place(1, 0);  // b = 1 => c = 1, on rows 0 and 2
  table->place(2, 1);  // a = 0 => c = 1, on rows 2 and 3
  // a = 1, on rows 0 and 1, has one of three rows in common with the first and none with the
  // second.
  EXPECT_EQ(table->most_similar(0, 0.33, 1), std::optional<std::size_t>(0));
  EXPECT_EQ(table->most_similar(0, 0.34, 1), std::nullopt);
  // a = 1 => b = 1: the consequents have two of three rows in common, 1/3 x 2/3 in all.
  EXPECT_EQ(table->most_similar(3, 0.22, 1), std::optional<std::size_t>(0));
  EXPECT_EQ(table->most_similar(3, 0.23, 1), std::nullopt);
  table->place(0, 0);
  EXPECT_EQ(table->most_similar(0, 1, 1), std::optional<std::size_t>(0));
  EXPECT_EQ(bits(table->antecedent(0)), (std::vector<std::uint64_t>{0b0011}));
  EXPECT_EQ(bits(table->consequent(0)), (std::vector<std::uint64_t>{0b0111}));
  table->clear();
  EXPECT_EQ(table->size(), 0U);
}

TEST(Similarities, WorkOnSeveralThreads) {
  const RandomTable random = random_table(9, 2000, 8, true);
  const Dataset data = make_dataset(random.attributes, random.columns, 4096);
  const auto resident = load(data);
  const auto residents = random_rules(1, 50, data.attributes(), 2);
  const auto candidates = random_rules(2, 50, data.attributes(), 2);
  ThreadPool pool(4);
  std::vector<Answers> answers(8);
  pool.wait(pool.submit(answers.size(), [&](std::size_t i, unsigned) {
    answers[i] = answers_of(*resident->similarity(), residents, candidates);
  }));
  for (const Answers& one : answers) EXPECT_EQ(one, answers.front());
}

}  // namespace
}  // namespace atl::test
