// Every rank gets what rank 0 reads.
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "io/hdf5/dataset_file.hpp"
#include "src/core/error.hpp"
#include "tests/io/dataset_fixture.hpp"
#include "tests/mpi/world.hpp"

namespace atl::test {
namespace {

/// A folder of rank 0's that all ranks know.
class ParallelRead : public testing::Test {
 protected:
  void SetUp() override {
    Bytes name;
    if (world().rank() == 0) {
      folder_.emplace();
      const auto bytes = std::as_bytes(std::span(folder_->path()));
      name.assign(bytes.begin(), bytes.end());
    }
    name = world().broadcast(std::move(name), 0);
    path_.assign(reinterpret_cast<const char*>(name.data()), name.size());
    path_ += "/data.h5";
  }
  void TearDown() override { world().barrier(); }

  void on_rank_0(const auto& work) {
    if (world().rank() == 0) work();
    world().barrier();
  }

  std::optional<TemporaryFolder> folder_;
  std::string path_;
};

TEST_F(ParallelRead, every_rank_has_every_row) {
  const Table table = make_table(9000, 1);
  on_rank_0([&] { write_table(path_, table, 4096); });
  const Dataset data = io::read_dataset(path_, {.max_bins = 0, .attribute_bins = {}}, world());
  EXPECT_EQ(data.fingerprint(), make_dataset(table.attributes, table.columns).fingerprint());
  ASSERT_EQ(data.rows(), 9000U);
  for (std::uint32_t a = 0; a < table.columns.size(); ++a) {
    EXPECT_EQ(data.attributes()[a].name, table.attributes[a].name);
    EXPECT_EQ(data.attributes()[a].labels, table.attributes[a].labels);
    EXPECT_EQ(data.attributes()[a].counts, table.attributes[a].counts);
    for (std::uint64_t row = 0; row < data.rows(); ++row) {
      ASSERT_EQ(data.code(row, a), table.columns[a][row]);
    }
  }
}

TEST_F(ParallelRead, bins_are_the_same_on_every_rank_and_in_one_process) {
  on_rank_0([&] { write_table(path_, make_table(9000, 2), 4096); });
  const io::LoadOptions options{.max_bins = 16, .attribute_bins = {{"value", 5}}};
  const Dataset data = io::read_dataset(path_, options, world());
  LocalCommunicator local;
  const Dataset alone = io::read_dataset(path_, options, local);
  for (std::uint32_t a = 0; a < data.attributes().size(); ++a) {
    EXPECT_EQ(data.attributes()[a].low, alone.attributes()[a].low);
    EXPECT_EQ(data.attributes()[a].high, alone.attributes()[a].high);
    for (std::uint32_t bit = 0; bit < data.attributes()[a].planes(); ++bit) {
      for (std::size_t p = 0; p < data.partitions(); ++p) {
        const auto plane = data.plane(p, a, bit);
        const auto expected = alone.plane(p, a, bit);
        EXPECT_TRUE(std::equal(plane.begin(), plane.end(), expected.begin(), expected.end()));
      }
    }
  }
}

TEST_F(ParallelRead, every_rank_throws_what_rank_0_found) {
  const auto refusal = [&](ExitStatus status, const io::LoadOptions& options = {}) -> std::string {
    try {
      io::read_dataset(path_, options, world());
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), status);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(ExitStatus::no_input), "");
  on_rank_0([&] { spill(path_, "a,b\n1,2\n"); });
  EXPECT_EQ(refusal(ExitStatus::bad_data), path_ + ": not an HDF5 file");
  on_rank_0([&] {
    write_table(path_, make_table(5000, 3), 4096);
    std::string content = slurp(path_);
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    spill(path_, content);
  });
  EXPECT_EQ(refusal(ExitStatus::bad_data),
            path_ + ": damaged: the content does not match its hash");
  on_rank_0([&] { write_table(path_, make_table(5000, 3), 4096); });
  EXPECT_NE(refusal(ExitStatus::usage, {.max_bins = 0, .attribute_bins = {{"absent", 5}}}), "");
}

// As if nodes had old copies of the file on disks of their own, or none.
TEST_F(ParallelRead, what_rank_0_sees_is_what_counts) {
  on_rank_0([&] { write_table(path_, make_table(5000, 3), 4096); });
  const std::string path = world().rank() == 0 ? path_ : path_ + ".absent";
  const Dataset data = io::read_dataset(path, {}, world());
  EXPECT_EQ(data.rows(), 5000U);
  EXPECT_EQ(data.partitions(), 2U);
}

TEST_F(ParallelRead, files_of_many_partitions_are_read) {
  const Table table = make_table(200000, 4);
  on_rank_0([&] { write_table(path_, table, 4096); });
  const Dataset data = io::read_dataset(path_, {}, world());
  EXPECT_EQ(data.partitions(), 49U);
  for (std::uint64_t row = 0; row < data.rows(); row += 997) {
    ASSERT_EQ(data.code(row, 2), table.columns[2][row]);
  }
}

}  // namespace
}  // namespace atl::test
