// Every rank gets what rank 0 reads, and those of a host share it.
#include <fstream>
#include <optional>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "io/hdf5/dataset_file.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/data/shared_dataset.hpp"
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

  /// What rank 0 reads, on every rank.
  static SharedDataset read_and_share(const std::string& path, const io::LoadOptions& options,
                                      int host = host_number()) {
    std::optional<Dataset> read;
    on_root(world(), [&] { read = io::read_dataset(path, options); });
    return share(std::move(read), world(), {}, host);
  }

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
  const Dataset data = read_and_share(path_, {.max_bins = 0, .attribute_bins = {}}).dataset;
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
  const Dataset data = read_and_share(path_, options).dataset;
  const Dataset alone = io::read_dataset(path_, options);
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
      read_and_share(path_, options);
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
  const Dataset data = read_and_share(path, {}).dataset;
  EXPECT_EQ(data.rows(), 5000U);
  EXPECT_EQ(data.partitions(), 2U);
}

TEST_F(ParallelRead, files_of_many_partitions_are_read) {
  const Table table = make_table(200000, 4);
  on_rank_0([&] { write_table(path_, table, 4096); });
  const Dataset data = read_and_share(path_, {}).dataset;
  EXPECT_EQ(data.partitions(), 49U);
  for (std::uint64_t row = 0; row < data.rows(); row += 997) {
    ASSERT_EQ(data.code(row, 2), table.columns[2][row]);
  }
}

/// The file in memory that a dataset's planes are in: "device inode", or nothing.
std::string file_of(const Dataset& data) {
  const auto at = reinterpret_cast<std::uintptr_t>(data.plane(0, 0, 0).data());
  std::ifstream maps("/proc/self/maps");
  std::string range, rights, offset, device, inode, rest;
  while (maps >> range >> rights >> offset >> device >> inode && std::getline(maps, rest)) {
    const std::size_t dash = range.find('-');
    if (at < std::stoull(range.substr(0, dash), nullptr, 16) ||
        at >= std::stoull(range.substr(dash + 1), nullptr, 16))
      continue;
    EXPECT_TRUE(inode == "0" || rights == "r--s") << rights;
    return inode == "0" ? "" : device + " " + inode;
  }
  return "";
}

std::uint64_t ranks() {
  return static_cast<std::uint64_t>(world().size());
}

TEST_F(ParallelRead, ranks_of_a_host_share_one_copy) {
  on_rank_0([&] { write_table(path_, make_table(9000, 1), 4096); });
  const SharedDataset read = read_and_share(path_, {});
  EXPECT_EQ(read.copies.size(), 1U);
  const std::string mine = file_of(read.dataset);
  EXPECT_EQ(mine.empty(), ranks() == 1);
  EXPECT_EQ(text_of_root(world(), [&] { return mine; }), mine);
}

// As if the ranks were on two hosts.
TEST_F(ParallelRead, each_host_has_a_copy) {
  const Table table = make_table(9000, 1);
  on_rank_0([&] { write_table(path_, table, 4096); });
  const SharedDataset read = read_and_share(path_, {}, world().rank() % 2);
  EXPECT_EQ(read.copies.size(), std::min<std::uint64_t>(ranks(), 2));
  for (std::uint64_t row = 0; row < 9000; ++row) {
    ASSERT_EQ(read.dataset.code(row, 2), table.columns[2][row]);
  }
}

// So it is where the system limits the size of files, does not have such files or does not let
// processes see each other's.
TEST_F(ParallelRead, ranks_that_cannot_share_have_a_copy_each) {
  const Table table = make_table(9000, 1);
  on_rank_0([&] { write_table(path_, table, 4096); });
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  if (world().rank() == 0) ::setrlimit(RLIMIT_FSIZE, &small);
  const SharedDataset read = read_and_share(path_, {});
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(read.copies.size(), ranks());
  EXPECT_EQ(file_of(read.dataset), "");
  for (std::uint64_t row = 0; row < 9000; ++row) {
    ASSERT_EQ(read.dataset.code(row, 2), table.columns[2][row]);
  }
}

// Here of two hosts one cannot.
TEST_F(ParallelRead, a_host_that_cannot_share_does_not_keep_others_from_it) {
  on_rank_0([&] { write_table(path_, make_table(9000, 1), 4096); });
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  if (world().rank() == 1) ::setrlimit(RLIMIT_FSIZE, &small);
  const SharedDataset read = read_and_share(path_, {}, world().rank() % 2);
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(read.copies.size(), 1 + ranks() / 2);
  EXPECT_EQ(read.dataset.code(8999, 2), make_table(9000, 1).columns[2][8999]);
}

}  // namespace
}  // namespace atl::test
