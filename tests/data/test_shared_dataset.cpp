#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "src/data/row_codes.hpp"
#include "src/data/shared_dataset.hpp"
#include "tests/data/expect_equal_attributes.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"
#include "tests/support/random.hpp"

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
void expect_shared(int ranks, int hosts, std::size_t copies) {
  test::run_ranks(ranks, [&](Communicator& communicator) {
    std::optional<Dataset> read;
    if (communicator.rank() == 0) read = described_table();
    const SharedDataset shared =
        share(std::move(read), communicator, {}, communicator.rank() % hosts);
    EXPECT_EQ(shared.copies, std::vector<std::uint64_t>(copies, described_rows));
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

/// Members of a team on pretended hosts, each with the part of the rows that it is to count.
class DividedOverHosts : public testing::Test {
 protected:
  DividedOverHosts(std::uint64_t rows, std::uint32_t partition_rows)
      : rows_(rows),
        partition_rows_(partition_rows),
        table_(test::random_table(5, rows, 4, true)) {}

  Dataset whole() const { return make_dataset(table_.attributes, table_.columns, partition_rows_); }

  /// @param hosts  of each rank
  /// @param copies  rows of each that there are to be
  /// @param held  by each rank, rows
  void expect_held(const std::vector<int>& hosts, const std::vector<std::uint64_t>& copies,
                   const std::vector<std::uint64_t>& held) {
    const auto members = static_cast<int>(hosts.size());
    test::run_ranks(members, [&](Communicator& ranks) {
      const auto rank = static_cast<std::size_t>(ranks.rank());
      const RowShare own{ranks.rank(), members};
      std::optional<Dataset> read;
      if (rank == 0) read = whole();
      SharedDataset shared = share(std::move(read), ranks, own, hosts[rank]);
      EXPECT_EQ(shared.copies, copies);
      EXPECT_EQ(shared.dataset.rows_held(), held[rank]) << "rank " << rank;
      EXPECT_EQ(shared.dataset.rows(), rows_);
      EXPECT_EQ(shared.dataset.fingerprint(), whole().fingerprint());
      divide(shared.dataset, own);
      Dataset expected = whole();
      divide(expected, own);
      expect_equal(shared.dataset.shard(), expected.shard());
      expect_kept(shared.dataset, ranks, hosts[rank]);
    });
  }

  const std::uint64_t rows_;
  const std::uint32_t partition_rows_;
  const test::RandomTable table_;

 private:
  /// Every third row, here or not, can be looked at; others only in partitions that are here.
  void expect_kept(Dataset& dataset, Communicator& ranks, int host) const {
    std::vector<std::uint64_t> rows;
    for (std::uint64_t row = 1; row < rows_; row += 3) rows.push_back(row);
    const bool all = dataset.rows_held() == dataset.rows();
    if (!all) {
      EXPECT_THROW(codes_of(dataset, 0, rows), InternalError);
    }
    keep_rows(dataset, rows, ranks, host);
    EXPECT_EQ(dataset.kept_rows() == nullptr, all);
    for (std::uint32_t a = 0; a < table_.columns.size(); ++a) {
      const auto codes = codes_of(dataset, a, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(codes[i], table_.columns[a][rows[i]]) << "row " << rows[i];
      }
      EXPECT_EQ(dataset.code(rows.back(), a), table_.columns[a][rows.back()]);
    }
    for (std::size_t p = 0; p < dataset.partitions(); ++p) {
      const std::uint64_t row = dataset.partition_first_row(p) / 3 * 3 + 3;  // is not kept
      if (dataset.holds(p)) {
        EXPECT_EQ(dataset.code(row, 1), table_.columns[1][row]);
      } else {
        EXPECT_THROW(dataset.code(row, 1), InternalError);
        EXPECT_THROW(codes_of(dataset, 1, std::vector{row - 2, row}), InternalError);
      }
    }
  }
};

class FewPartitions : public DividedOverHosts {
 protected:
  FewPartitions() : DividedOverHosts(8192 * 5 + 100, 8192) {}
};

// Six partitions: eleven granules, of which members have 2, 3, 3 and 3.
TEST_F(FewPartitions, AHostHoldsThoseThatItsRanksHaveRowsOf) {
  const std::uint64_t two = 8192 * 2, last = 8192 + 100;
  expect_held({0, 0, 1, 1}, {rows_, two + last}, {rows_, rows_, two + last, two + last});
  expect_held({0, 1, 0, 1}, {rows_, two + last}, {rows_, two + last, rows_, two + last});
  expect_held({0, 1, 2, 3}, {rows_, two, two, last}, {rows_, two, two, last});
}

class ManyPartitions : public DividedOverHosts {
 protected:
  ManyPartitions() : DividedOverHosts(4096 * 40 + 5, 4096) {}
};

TEST_F(ManyPartitions, AHostHoldsNoMoreThanTheShardsOfItsRanks) {
  const std::uint64_t half = 4096 * 20 + 5, quarter = 4096 * 10 + 5;
  expect_held({0, 1}, {rows_, half}, {rows_, half});
  expect_held({0, 0, 0, 1}, {rows_, quarter}, {rows_, rows_, rows_, quarter});
}

class OnePartition : public DividedOverHosts {
 protected:
  OnePartition() : DividedOverHosts(5000, 4096 * 2) {}
};

// Two granules for four members.
TEST_F(OnePartition, AHostWhoseRanksHaveNoRowsHoldsNone) {
  expect_held({0, 1, 2, 3}, {rows_, rows_, rows_}, {rows_, rows_, 0, rows_});
  expect_held({0, 1, 1, 1}, {rows_, rows_}, {rows_, rows_, rows_, rows_});
  expect_held({0, 0, 1, 0}, {rows_}, {rows_, rows_, 0, rows_});
}

}  // namespace
}  // namespace atl
