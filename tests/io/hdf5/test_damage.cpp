// Files that are not as they were written, and disks that have no room.
#include <algorithm>
#include <filesystem>
#include <sys/mount.h>

#include <gtest/gtest.h>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "io/hdf5/h5_writer.hpp"
#include "io/hdf5/trailer.hpp"
#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "tests/io/dataset_fixture.hpp"

namespace atl::test {
namespace {

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    write_table(path_, make_table(5000, 1), 4096);
    content_ = slurp(path_);
  }
  // One line that names the file and says what is wrong.
  std::string refusal(const std::string& content) const {
    spill(path_, content);
    try {
      io::read_summary(path_);
    } catch (const BadData& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      EXPECT_EQ(what.find(path_ + ": "), 0U);
      return what.substr(path_.size() + 2);
    }
    return "";
  }
  // A file of the given root attributes with our trailer, but without tables.
  std::string foreign(const std::string& format, std::uint64_t version) const {
    io::AtomicFile output(path_);
    io::Hdf5Writer file;
    file.put("format", format);
    file.put("version", version);
    file.finish(output);
    io::append_trailer(output);
    output.commit();
    return slurp(path_);
  }
  TemporaryFolder folder_;
  std::string path_ = folder_ / "data.h5";
  std::string content_;
};

TEST_F(Damage, any_flipped_bit_is_found) {
  RandomStream stream({.seed = 2});
  for (int i = 0; i < 200; ++i) {
    const auto at = static_cast<std::size_t>(stream.below(content_.size()));
    std::string damaged = content_;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << stream.below(8)));
    EXPECT_NE(refusal(damaged), "") << "byte " << at;
  }
  for (std::size_t at = content_.size() - 32; at < content_.size(); ++at) {
    std::string damaged = content_;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_NE(refusal(damaged), "") << "byte " << at << " of the trailer";
  }
  spill(path_, content_);
  EXPECT_NO_THROW(io::read_summary(path_));
}

TEST_F(Damage, a_file_cut_short_or_continued_is_found) {
  RandomStream stream({.seed = 3});
  for (std::size_t length = 0; length < 100; ++length) {
    EXPECT_NE(refusal(content_.substr(0, length)), "") << length;
    EXPECT_NE(refusal(content_.substr(0, content_.size() - 1 - length)), "") << length;
  }
  for (int i = 0; i < 100; ++i) {
    const auto length = static_cast<std::size_t>(stream.below(content_.size()));
    EXPECT_NE(refusal(content_.substr(0, length)), "") << length;
  }
  EXPECT_NE(refusal(content_ + '\0'), "");
  EXPECT_NE(refusal(content_ + content_), "");
}

TEST_F(Damage, foreign_files_are_named_as_such) {
  EXPECT_EQ(refusal(""), "not an HDF5 file");
  EXPECT_EQ(refusal("a,b,c\n1,2,3\n"), "not an HDF5 file");
  EXPECT_NE(refusal(content_.substr(0, content_.size() - 32)).find("not written"),
            std::string::npos);
  EXPECT_NE(refusal(foreign("atoll.other", 1)).find("not a dataset"), std::string::npos);
  const std::string newer = refusal(foreign("atoll.dataset", io::dataset_version + 1));
  EXPECT_NE(newer.find("version 2 is newer"), std::string::npos) << newer;
  EXPECT_NE(refusal(foreign("atoll.dataset", 1)), "");  // ours, but without tables
}

TEST_F(Damage, a_text_file_is_no_dataset_file) {
  EXPECT_TRUE(io::is_dataset_file(path_));
  spill(path_, "\x89HDX");
  EXPECT_FALSE(io::is_dataset_file(path_));
  EXPECT_FALSE(io::is_dataset_file(folder_ / "absent"));
  EXPECT_FALSE(io::is_dataset_file(folder_.path()));
}

// Tables that contradict each other, as another program might write them, under a valid trailer;
// what planes and fingerprint have to do with it, tests/e2e/test_foreign_files.py tries.
TEST_F(Damage, contradictions_are_found) {
  const Table good = make_table(100, 4);
  const auto refused = [&](auto&& spoil) {
    Table table = good;
    std::uint64_t rows = 100;
    spoil(table.attributes, rows);
    io::AtomicFile output(path_);
    io::Hdf5Writer file;
    file.put("format", io::dataset_format);
    file.put("version", io::dataset_version);
    file.put("rows", rows);
    file.put("partition_rows", 4096);
    file.put("fingerprint", std::string(32, '0'));
    io::write_tables(file, table.attributes, {});
    const auto extent = io::planes_extent(100, 4096, good.attributes);
    const std::vector<std::uint64_t> words(extent[1] * extent[2]);
    output.write(file.set_aside("planes", extent), std::as_bytes(std::span(words)));
    file.finish(output);
    io::append_trailer(output);
    output.commit();
    return refusal(slurp(path_));
  };
  EXPECT_EQ(refused([](auto&, auto&) {}), "");
  EXPECT_NE(refused([](auto&, auto& rows) { rows = 0; }), "");
  EXPECT_NE(refused([](auto&, auto& rows) { rows = 101; }), "");
  EXPECT_NE(refused([](auto& a, auto&) { std::swap(a[0].low[0], a[0].low[1]); }), "");
  EXPECT_NE(refused([](auto& a, auto&) { std::swap(a[2].labels[0], a[2].labels[1]); }), "");
  EXPECT_NE(refused([](auto& a, auto&) { ++a[1].counts[0]; }), "");
  EXPECT_NE(refused([](auto& a, auto&) { a[0].missing = ~std::uint64_t{0}; }), "");
  EXPECT_NE(refused([](auto& a, auto&) { a[0].has_missing = false; }), "");
  EXPECT_NE(refused([](auto& a, auto&) { a[2].name = "\xFF"; }), "");
  EXPECT_NE(refused([](auto& a, auto&) { a.pop_back(); }), "");
  EXPECT_EQ(refused([](auto& a, auto&) { a[0].kind = AttributeKind::date; }),
            "attribute number: its numbers are no dates");
  EXPECT_EQ(refused([](auto& a, auto&) { a[1].kind = AttributeKind::date_time; }),
            "attribute value: its numbers are no dates");
  EXPECT_EQ(refused([](auto& a, auto&) { a[2].kind = static_cast<AttributeKind>(6); }),
            "attribute label: unknown kind");
  EXPECT_NE(refused([](auto& a, auto&) { a.clear(); }), "");
  EXPECT_EQ(refused([](auto& a, auto&) { a[1].name = a[0].name; }),
            "two attributes have the same name");
  EXPECT_EQ(refused([](auto& a, auto&) { a[1].name = ""; }), "an attribute has no name");
  EXPECT_EQ(refused([](auto& a, auto&) { a[3].labels[0] = a[3].labels[2]; }),
            "attribute Größe, \"quoted\": two of its labels are the same");
  EXPECT_EQ(refused([](auto& a, auto&) { a[0].low[70] = -0.0; }),
            "attribute number: its numbers are not finite and ascending");
}

TEST_F(Damage, planes_that_hold_no_codes_are_found) {
  const Table table = make_table(100, 5);
  io::AtomicFile output(path_);
  io::Hdf5Writer file;
  file.put("format", io::dataset_format);
  file.put("version", io::dataset_version);
  file.put("rows", 100);
  file.put("partition_rows", 4096);
  file.put("fingerprint", std::string(32, '0'));
  io::write_tables(file, table.attributes, {});
  const auto extent = io::planes_extent(100, 4096, table.attributes);
  const std::vector<std::uint64_t> words(extent[1] * extent[2], 3);
  output.write(file.set_aside("planes", extent), std::as_bytes(std::span(words)));
  file.finish(output);
  io::append_trailer(output);
  output.commit();
  EXPECT_THROW(io::read_dataset(path_, {}), BadData);
}

class SmallDisk : public testing::Test {
 protected:
  void SetUp() override {
    if (mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
      GTEST_SKIP() << "no right to mount a small disk";
    }
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) umount(folder_.path().c_str());
  }
  TemporaryFolder folder_;
  bool mounted_ = false;
};

TEST_F(SmallDisk, a_dataset_without_room_leaves_nothing) {
  const Table table = make_table(200000, 6);
  for (const std::uint32_t partition_rows : {4096, 65536}) {
    EXPECT_THROW(write_table(folder_ / "data.h5", table, partition_rows), CannotCreate);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
  write_table(folder_ / "data.h5", make_table(100, 7), 4096);  // HDF5 is still fit for use
  EXPECT_EQ(io::read_summary(folder_ / "data.h5").rows, 100U);
}

TEST_F(SmallDisk, whatever_room_is_left_nothing_half_done_stays) {
  const Table table = make_table(3000, 8);
  int failed = 0, succeeded = 0;
  for (int left = 0; left < 26; ++left) {
    spill(folder_ / "ballast", std::string(static_cast<std::size_t>(256 - 4 * left) * 1024, 'x'));
    try {
      write_table(folder_ / "data.h5", table, 4096);
      ++succeeded;
      EXPECT_NO_THROW(io::read_summary(folder_ / "data.h5"));
      std::filesystem::remove(folder_ / "data.h5");
    } catch (const CannotCreate& error) {
      ++failed;
      EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
    }
    std::filesystem::remove(folder_ / "ballast");
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
  EXPECT_GT(failed, 5);
  EXPECT_GT(succeeded, 0);
}

TEST_F(SmallDisk, a_file_that_has_no_room_stays_as_it_was) {
  const std::string path = folder_ / "file";
  io::write_file(path, "old");
  EXPECT_THROW(io::write_file(path, std::string(1 << 20, 'x')), CannotCreate);
  EXPECT_EQ(io::read_file(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

}  // namespace
}  // namespace atl::test
