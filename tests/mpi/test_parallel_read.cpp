// Every rank reads a dataset file, through MPI-IO where HDF5 is parallel.
#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "io/dataset_file.hpp"
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
  const auto refusal = [&]() -> std::string {
    try {
      io::read_dataset(path_, {}, world());
    } catch (const BadData& error) {
      EXPECT_EQ(error.file, path_);
      return error.what();
    }
    return "";
  };
  EXPECT_THROW(io::read_dataset(path_, {}, world()), MissingInput);
  on_rank_0([&] { spill(path_, "a,b\n1,2\n"); });
  EXPECT_EQ(refusal(), path_ + ": not an HDF5 file");
  on_rank_0([&] {
    write_table(path_, make_table(5000, 3), 4096);
    std::string content = slurp(path_);
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    spill(path_, content);
  });
  EXPECT_EQ(refusal(), path_ + ": damaged: the content does not match its hash");
  on_rank_0([&] { write_table(path_, make_table(5000, 3), 4096); });
  EXPECT_THROW(io::read_dataset(path_, {.max_bins = 0, .attribute_bins = {{"absent", 5}}}, world()),
               UsageError);
}

// As if some node had an old copy of the file, or none, on a disk of its own.
TEST_F(ParallelRead, a_rank_that_sees_another_file_is_named_by_all) {
  if (world().size() == 1) GTEST_SKIP() << "one rank";
  const int last = world().size() - 1;
  const std::string own = path_ + "." + std::to_string(world().rank());
  const std::string others = path_ + "." + std::to_string(last);
  write_table(own, make_table(5000, 3), 4096);
  EXPECT_EQ(io::read_dataset(own, {}, world()).rows(), 5000U);

  const auto refusal = [&](const auto& spoil) -> std::string {
    if (world().rank() == last) spoil();
    try {
      io::read_dataset(own, {}, world());
    } catch (const BadData& error) {
      EXPECT_EQ(error.file, others);
      return error.what();
    }
    return "";
  };
  const std::string expected =
      others + ": rank " + std::to_string(last) + " sees another file than rank 0";
  const std::string whole = slurp(own);
  EXPECT_EQ(refusal([&] { write_table(own, make_table(5000, 4), 4096); }), expected);
  EXPECT_EQ(refusal([&] { spill(own, whole.substr(0, 3000)); }), expected);
  EXPECT_EQ(refusal([&] { spill(own, ""); }), expected);
  EXPECT_EQ(refusal([&] { std::filesystem::remove(own); }),
            expected + ": No such file or directory");
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
