#include <filesystem>
#include <sys/mount.h>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "io/hdf5/h5_writer.hpp"
#include "io/hdf5/trailer.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "tests/io/dataset_fixture.hpp"

namespace atl::test {
namespace {

namespace fs = std::filesystem;
using io::CheckpointStore;

void any(const RunState&) {}

class Checkpoints : public testing::Test {
 protected:
  CheckpointStore store(std::uint32_t keep = 3) { return store_of(run_, keep); }
  CheckpointStore store_of(const io::Folder& run, std::uint32_t keep) {
    return {run, keep, [this](Severity severity, const std::string& line) {
              EXPECT_EQ(severity, Severity::warning);
              EXPECT_EQ(line.find('\n'), std::string::npos);
              lines_.push_back(line);
            }};
  }
  RunState state(std::uint32_t generation) const {
    RunState state;
    state.header.generation = generation;
    state.header.experiment = {1, 2};
    state.header.dataset = {3, 4};
    state.header.seconds = 0.5;
    RandomStream stream({.seed = generation});
    Bytes island(2000);
    for (std::byte& byte : island) byte = static_cast<std::byte>(stream.below(256));
    state.sections = {{"island-0", 1, std::move(island)}, {"results", 2, {}}};
    return state;
  }
  std::string path(std::uint32_t generation) const {
    const std::string digits = std::to_string(generation);
    return checkpoints_ + ("/checkpoint-" + std::string(10 - digits.size(), '0') + digits + ".h5");
  }
  void flip(const std::string& file) const {
    std::string content = slurp(file);
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 4);
    spill(file, content);
  }

  TemporaryFolder folder_;
  io::Folder run_{folder_.path(), io::Access::write};
  std::string checkpoints_ = run_.make_folder(io::run_names::checkpoints).path();
  Table table_ = make_table(100, 1);
  std::vector<std::string> lines_;
};

TEST_F(Checkpoints, there_is_none_at_first) {
  auto checkpoints = store();
  EXPECT_FALSE(checkpoints.latest_header());
  EXPECT_FALSE(checkpoints.latest(any));
}

TEST_F(Checkpoints, the_newest_comes_back_and_the_last_few_are_kept) {
  auto checkpoints = store(2);
  for (const std::uint32_t generation : {0U, 10U, 2000U, 4000000000U})
    checkpoints.save({state(generation), {}, {}});
  EXPECT_EQ(checkpoints.latest_header()->generation, 4000000000);
  const auto back = checkpoints.latest(any);
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), encode(state(4000000000)));
  EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints_), {}), 2);
  EXPECT_TRUE(fs::exists(path(2000)));
  EXPECT_TRUE(lines_.empty());
}

TEST_F(Checkpoints, equal_states_make_equal_bytes) {
  auto checkpoints = store();
  checkpoints.save({state(1), {}, {}});
  const std::string bytes = slurp(path(1));
  checkpoints.save({state(1), {}, {}});
  EXPECT_EQ(slurp(path(1)), bytes);
}

TEST_F(Checkpoints, of_a_damaged_one_is_told_and_the_one_before_taken) {
  auto checkpoints = store();
  for (const std::uint32_t generation : {1, 2, 3}) checkpoints.save({state(generation), {}, {}});
  flip(path(3));
  spill(path(2), slurp(path(2)).substr(0, 1000));
  EXPECT_EQ(checkpoints.latest_header()->generation, 1U);
  EXPECT_EQ(checkpoints.latest(any)->header.generation, 1U);
  ASSERT_EQ(lines_.size(), 2U);  // each is named once
  EXPECT_EQ(lines_[0].find(path(3)), 0U) << lines_[0];
  EXPECT_EQ(lines_[1].find(path(2)), 0U) << lines_[1];
}

TEST_F(Checkpoints, any_flipped_bit_is_found) {
  store().save({state(1), {}, {}});
  store().save({state(2), {}, {}});
  const std::string content = slurp(path(2));
  RandomStream stream({.seed = 5});
  for (int i = 0; i < 200; ++i) {
    const auto at = static_cast<std::size_t>(stream.below(content.size()));
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << stream.below(8)));
    spill(path(2), damaged);
    lines_.clear();
    EXPECT_EQ(store().latest(any)->header.generation, 1U) << "byte " << at;
    EXPECT_EQ(lines_.size(), 1U);
  }
  spill(path(2), content);
  EXPECT_EQ(store().latest(any)->header.generation, 2U);
}

TEST_F(Checkpoints, any_other_length_is_found) {
  store().save({state(1), {}, {}});
  store().save({state(2), {}, {}});
  const std::string content = slurp(path(2));
  const auto refused = [&](const std::string& damaged) {
    spill(path(2), damaged);
    lines_.clear();
    EXPECT_EQ(store().latest(any)->header.generation, 1U) << damaged.size();
    EXPECT_EQ(lines_.size(), 1U);
  };
  for (std::size_t length = 0; length < content.size(); length += 1 + length / 64) {
    refused(content.substr(0, length));
  }
  for (std::size_t less = 1; less < 100; ++less) refused(content.substr(0, content.size() - less));
  refused(content + '\0');
  refused(content + content);
}

TEST_F(Checkpoints, a_look_judges_each_and_reports_none) {
  auto checkpoints = store();
  for (const std::uint32_t generation : {1, 2, 3}) checkpoints.save({state(generation), {}, {}});
  flip(path(3));
  const auto files = checkpoints.list();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].generation, 3U);
  EXPECT_FALSE(files[0].header);
  EXPECT_EQ(files[0].problem.find(path(3)), 0U) << files[0].problem;
  EXPECT_EQ(files[1].path, path(2));
  ASSERT_TRUE(files[1].header);
  EXPECT_EQ(files[1].header->generation, 2U);
  EXPECT_EQ(files[1].problem, "");
  EXPECT_GT(files[1].written, 0);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(Checkpoints, what_is_no_file_is_passed_over_and_gives_way) {
  auto checkpoints = store();
  checkpoints.save({state(1), {}, {}});
  fs::create_directory(path(2));
  fs::create_symlink(folder_ / "nowhere", path(3));
  ASSERT_EQ(mkfifo(path(4).c_str(), 0600), 0);
  const io::Folder to_read(run_.path(), io::Access::read);
  auto reader = store_of(to_read, 3);
  EXPECT_EQ(reader.latest_header()->generation, 1U);
  EXPECT_EQ(reader.latest(any)->header.generation, 1U);
  ASSERT_EQ(lines_.size(), 3U);
  EXPECT_EQ(lines_[0].find(path(4) + ": is a named pipe"), 0U) << lines_[0];
  EXPECT_EQ(lines_[1].find(path(3) + ": is a symbolic link"), 0U) << lines_[1];
  EXPECT_EQ(lines_[2].find(path(2) + ": is a folder"), 0U) << lines_[2];
  // Whoever is to trust them refuses by name what is none.
  EXPECT_THROW(checkpoints.latest_header(), CannotCreate);
  for (const std::uint32_t generation : {2, 3, 4}) {
    checkpoints.save({state(generation), {}, {}});
    EXPECT_EQ(encode(*reader.latest(any)), encode(state(generation)));
  }
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(Checkpoints, a_later_damaged_one_does_not_push_out_what_is_saved) {
  auto checkpoints = store(1);
  spill(path(9), "damaged");
  checkpoints.save({state(4), {}, {}});
  checkpoints.save({state(5), {}, {}});
  EXPECT_EQ(checkpoints.latest_header()->generation, 5U);
  EXPECT_FALSE(fs::exists(path(4)));
}

TEST_F(Checkpoints, all_damaged_is_an_error) {
  auto checkpoints = store();
  for (const std::uint32_t generation : {1, 2}) checkpoints.save({state(generation), {}, {}});
  flip(path(1));
  spill(path(2), "");
  EXPECT_THROW(checkpoints.latest_header(), BadData);
  EXPECT_THROW(checkpoints.latest(any), BadData);
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_NE(lines_[0].find("the checkpoint before it is taken"), std::string::npos);
  EXPECT_EQ(lines_[1].find("the checkpoint before it is taken"), std::string::npos);
}

TEST_F(Checkpoints, one_that_a_check_refuses_is_like_a_damaged_one) {
  auto checkpoints = store();
  for (const std::uint32_t generation : {1, 2, 3}) checkpoints.save({state(generation), {}, {}});
  const auto up_to = [](std::uint32_t last) {
    return [last](const RunState& read) {
      if (read.header.generation > last) throw BadBytes("the history of an island has gaps");
    };
  };
  EXPECT_EQ(checkpoints.latest(up_to(1))->header.generation, 1U);
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_EQ(lines_[0], path(3) +
                           ": the history of an island has gaps; the checkpoint before it is "
                           "taken");
  EXPECT_THROW(store().latest(up_to(0)), BadData);
}

TEST_F(Checkpoints, a_newer_version_is_not_passed_over) {
  auto checkpoints = store();
  checkpoints.save({state(1), {}, {}});
  io::AtomicFile file(path(2));
  io::Hdf5Writer content;
  content.put("format", "atoll.checkpoint");
  content.put("version", static_cast<std::uint64_t>(CheckpointVersion::latest) + 1);
  content.write<std::uint8_t>("state", std::vector<std::uint8_t>{1});
  content.finish(file);
  io::append_trailer(file);
  file.commit();
  try {
    checkpoints.latest_header();
    FAIL();
  } catch (const BadData& error) {
    EXPECT_NE(std::string(error.what()).find("newer"), std::string::npos) << error.what();
  }
}

TEST_F(Checkpoints, a_dataset_or_bytes_of_no_state_are_passed_over) {
  auto checkpoints = store();
  checkpoints.save({state(1), {}, {}});
  write_table(path(3), table_, 4096);
  io::AtomicFile file(path(2));
  io::Hdf5Writer content;
  content.put("format", "atoll.checkpoint");
  content.put("version", 1);
  content.write<std::uint8_t>("state", std::vector<std::uint8_t>{1, 0, 0, 0, 5});
  content.finish(file);
  io::append_trailer(file);
  file.commit();
  EXPECT_EQ(checkpoints.latest(any)->header.generation, 1U);
  EXPECT_EQ(lines_.size(), 2U);
}

TEST_F(Checkpoints, other_files_are_left_alone) {
  for (const char* name :
       {"notes.txt", "checkpoint-1.h5", "checkpoint-00000000001.h5", "checkpoint-9999999999.h5"}) {
    spill(checkpoints_ + "/" + name, "x");
  }
  auto checkpoints = store(1);
  checkpoints.save({state(1), {}, {}});
  EXPECT_EQ(checkpoints.latest_header()->generation, 1U);
  EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints_), {}), 5);
}

TEST_F(Checkpoints, a_full_disk_leaves_the_older_ones_intact) {
  if (mount("tmpfs", checkpoints_.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  {
    auto checkpoints = store(100);
    std::uint32_t saved = 0;
    EXPECT_THROW(
        while (saved < 100) {
          checkpoints.save({state(saved + 1), {}, {}});
          ++saved;
        },
        CannotCreate);
    EXPECT_GT(saved, 0U);
    EXPECT_EQ(checkpoints.latest_header()->generation, saved);
    EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints_), {}), saved);
  }
  umount(checkpoints_.c_str());
  EXPECT_TRUE(lines_.empty());
}

}  // namespace
}  // namespace atl::test
