#include <string>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/shared_dataset.hpp"
#include "tests/data/expect_equal_attributes.hpp"
#include "tests/islands/thread_communicator.hpp"

namespace atl {
namespace {

constexpr std::uint64_t described_rows = 4096 * 2 + 100;

/// Three partitions; an attribute of each kind, with all that an import may say of it.
Dataset described_table() {
  std::vector<Attribute> attributes(3);
  attributes[0].name = "number";
  attributes[0].kind = AttributeKind::numeric;
  attributes[0].has_missing = true;
  attributes[0].missing_tokens = {"?", "none"};
  attributes[0].low = {1, 2, 5};
  attributes[0].high = {1, 4, 9};
  attributes[0].exact_distinct = 7;
  attributes[1].name = "label";
  attributes[1].kind = AttributeKind::nominal;
  attributes[1].role = AttributeRole::target;
  attributes[1].labels = {"a", "b", "rest"};
  attributes[1].other = "rest";
  attributes[2].name = "level";
  attributes[2].kind = AttributeKind::ordinal;
  attributes[2].labels = {"small", "large"};
  attributes[2].as_labels = true;
  std::vector<std::vector<std::uint32_t>> columns(attributes.size());
  RandomStream stream({.seed = 1});
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    Attribute& attribute = attributes[a];
    attribute.counts.assign(attribute.distinct(), 0);
    for (std::uint64_t row = 0; row < described_rows; ++row) {
      const bool missing = attribute.has_missing && stream.chance(0.2);
      const auto code = static_cast<std::uint32_t>(stream.below(attribute.distinct()));
      columns[a].push_back(missing ? missing_code : code);
      ++(missing ? attribute.missing : attribute.counts[code]);
    }
  }
  return make_dataset(attributes, columns, 4096);
}

using test::expect_equal;

void expect_equal(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.rows(), b.rows());
  EXPECT_EQ(a.first_row(), b.first_row());
  EXPECT_EQ(a.fingerprint(), b.fingerprint());
  ASSERT_EQ(a.partitions(), b.partitions());
  ASSERT_EQ(a.attributes().size(), b.attributes().size());
  for (std::uint32_t i = 0; i < a.attributes().size(); ++i) {
    expect_equal(a.attributes()[i], b.attributes()[i]);
    EXPECT_EQ(all_codes(a, i), all_codes(b, i));
  }
  for (std::size_t p = 0; p < a.partitions(); ++p) {
    EXPECT_EQ(a.plane_stride(p), b.plane_stride(p));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.plane(p, 1, 0).data()) % 64, 0U);
  }
}

/// @param hosts  that the ranks are on, in turn
void expect_shared(int ranks, int hosts, std::uint64_t copies) {
  test::run_ranks(ranks, [&](Communicator& communicator) {
    std::optional<Dataset> read;
    if (communicator.rank() == 0) read = described_table();
    const SharedDataset shared = share(std::move(read), communicator, communicator.rank() % hosts);
    EXPECT_EQ(shared.copies, copies);
    expect_equal(shared.dataset, described_table());
  });
}

TEST(SharedDataset, OfOneRankIsItsOwn) {
  expect_shared(1, 1, 1);
}

TEST(SharedDataset, OfAHostIsThereOnce) {
  expect_shared(4, 1, 1);
}

TEST(SharedDataset, IsThereOnceOnEachHost) {
  expect_shared(5, 2, 2);
  expect_shared(3, 3, 3);
}

}  // namespace
}  // namespace atl
