#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "src/data/split.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

void expect_rows(const Dataset& part, const RandomTable& table,
                 const std::vector<std::uint64_t>& rows) {
  RC_ASSERT(part.rows() == rows.size());
  RC_ASSERT(part.attributes().size() == table.attributes.size());
  for (std::uint32_t a = 0; a < table.attributes.size(); ++a) {
    const Attribute& attribute = part.attributes()[a];
    std::vector<std::uint64_t> counts(attribute.distinct());
    std::uint64_t missing = 0;
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t code = table.columns[a][rows[i]];
      RC_ASSERT(part.code(i, a) == code);
      ++(code == missing_code ? missing : counts[code]);
    }
    RC_ASSERT(attribute.missing == missing);
    RC_ASSERT(attribute.counts == counts);
    RC_ASSERT(attribute.has_missing == table.attributes[a].has_missing);
  }
}

RC_GTEST_PROP(Split, GivesEachRowToOnePartInOrder, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto rows = *rc::gen::element<std::uint64_t>(1, 63, 64, 65, 4096, 4097, 9000, 13'000);
  const auto share = *rc::gen::inRange(0, 101);
  const RandomTable table = random_table(seed, rows, 5, true);
  const auto draws = [&](std::uint64_t row) {
    return RandomStream({.seed = seed, .slot = static_cast<std::uint32_t>(row)})
        .chance(share / 100.0);
  };
  std::vector<std::uint64_t> rest, drawn;
  RowMask mask(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    (draws(row) ? drawn : rest).push_back(row);
    if (draws(row)) mask.set(row);
  }
  ThreadPool pool(*rc::gen::inRange(1U, 4U));

  Dataset whole = make_dataset(table.attributes, table.columns, 4096);
  const Fingerprint fingerprint = whole.fingerprint();
  const SplitDataset parts = split(std::move(whole), mask, pool);
  expect_rows(parts.rest, table, rest);
  expect_rows(parts.drawn, table, drawn);
  RC_ASSERT(parts.rest.fingerprint() == fingerprint);
  RC_ASSERT(parts.drawn.fingerprint() == fingerprint);
}

TEST(Split, LeavesAPartEmptyIfNothingOrAllIsDrawn) {
  const RandomTable table = random_table(3, 5000, 4, true);
  const auto make = [&] { return make_dataset(table.attributes, table.columns, 4096); };
  ThreadPool pool(1);
  RowMask mask(5000);
  const SplitDataset none = split(make(), mask, pool);
  EXPECT_EQ(none.rest.rows(), 5000U);
  EXPECT_EQ(none.drawn.rows(), 0U);
  EXPECT_EQ(none.drawn.partitions(), 0U);
  for (std::uint64_t row = 0; row < 5000; ++row) mask.set(row);
  const SplitDataset all = split(make(), mask, pool);
  EXPECT_EQ(all.rest.rows(), 0U);
  EXPECT_EQ(all.drawn.rows(), 5000U);
}

}  // namespace
}  // namespace atl::test
