#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/core/files/folder_lock.hpp"
#include "src/work/task_folder.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

class TaskFolderTest : public testing::Test {
 protected:
  std::string output() const { return path_.path() + "/out"; }
  fs::path kept() const { return output() + ".checkpoint"; }
  std::unique_ptr<TaskFolder> open() { return std::make_unique<TaskFolder>(output(), report_); }
  static void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string content(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::optional<TaskState> load(TaskFolder& folder, bool force = false) {
    return folder.load([this]() -> const Identity& { return identity_; }, force,
                       [](const TaskState&) {});
  }
  TaskState state() const {
    TaskState state;
    state.identity = identity_;
    state.own = Bytes(3, std::byte{7});
    return state;
  }
  void keep(TaskFolder& folder) const {
    put(kept() / "output", "");
    folder.save(state());
  }

  test::TemporaryFolder path_;
  std::vector<std::string> said_;
  Report report_ = [this](Severity, const std::string& line) { said_.push_back(line); };
  Identity identity_{"toy", 1, {{"other data", "a"}}};
};

TEST_F(TaskFolderTest, IsGoneWithoutAStateAndStaysWithOne) {
  open();
  EXPECT_FALSE(fs::exists(kept()));
  {
    const auto folder = open();
    EXPECT_FALSE(load(*folder));
    keep(*folder);
  }
  EXPECT_TRUE(fs::exists(kept()));
  const auto folder = open();
  const auto found = load(*folder);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->own, state().own);
  folder->remove();
  EXPECT_FALSE(fs::exists(kept()));
  EXPECT_TRUE(said_.empty());
}

TEST_F(TaskFolderTest, FilesOfOthersAreLeftAlone) {
  fs::create_directory(kept());
  for (const char* name : {"output", "state", "text-12"}) put(kept() / name, "precious");
  EXPECT_THROW(open(), CannotCreate);
  for (const char* name : {"output", "state", "text-12"}) {
    EXPECT_EQ(content(kept() / name), "precious");
  }
  put(kept() / "atoll", "my notes on islands");
  EXPECT_THROW(open(), CannotCreate);
}

TEST_F(TaskFolderTest, ALinkIsRefused) {
  fs::create_directory(path_.path() + "/mine");
  fs::create_directory_symlink("mine", kept());
  EXPECT_THROW(open(), CannotCreate);
  EXPECT_TRUE(fs::is_empty(path_.path() + "/mine"));
}

TEST_F(TaskFolderTest, WhatIsNoneOfOursStaysWithTheMark) {
  {
    const auto folder = open();
    put(kept() / "thesis.txt", "precious");
  }
  EXPECT_EQ(content(kept() / "thesis.txt"), "precious");
  EXPECT_FALSE(load(*open()));
}

TEST_F(TaskFolderTest, OneProcessHasIt) {
  const auto folder = open();
  EXPECT_THROW(open(), UsageError);
}

TEST_F(TaskFolderTest, NothingIsWrittenOnceItIsLost) {
  const auto folder = open();
  fs::remove(kept() / "lock");
  const auto other = open();  // the user was told to remove the lock
  EXPECT_THROW(folder->expect_held(), Error);
  EXPECT_THROW(folder->save(state()), Error);
  EXPECT_FALSE(fs::exists(kept() / "state"));
  folder->remove();
  EXPECT_TRUE(other->is_held());
}

TEST_F(TaskFolderTest, ARemovedFolderOrLockEndsTheJob) {
  auto folder = open();
  fs::remove(kept() / "lock");
  EXPECT_THROW(folder->expect_held(), CannotCreate);
  folder.reset();
  fs::remove_all(kept());
  folder = open();
  fs::remove_all(kept());
  EXPECT_THROW(folder->expect_held(), CannotCreate);
  fs::create_directory(kept());
  EXPECT_THROW(folder->expect_held(), CannotCreate);
}

TEST_F(TaskFolderTest, AnotherTaskNeedsForce) {
  {
    const auto folder = open();
    keep(*folder);
  }
  identity_.marks[0].value = "b";
  const auto folder = open();
  try {
    load(*folder);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("is of a task with other data"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(folder->is_kept());
  EXPECT_FALSE(load(*folder, true));
  EXPECT_FALSE(folder->is_kept());
}

TEST_F(TaskFolderTest, DamageIsReportedAndBeginsAgain) {
  {
    const auto folder = open();
    keep(*folder);
  }
  fs::resize_file(kept() / "state", 20);
  const auto folder = open();
  EXPECT_FALSE(load(*folder));
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_NE(said_[0].find("is damaged, the work begins again"), std::string::npos);
  EXPECT_FALSE(folder->is_kept());
}

TEST_F(TaskFolderTest, AFileTellsToStopOnce) {
  const auto folder = open();
  EXPECT_FALSE(folder->tells_to_stop());
  put(kept() / "stop", "");
  EXPECT_TRUE(folder->tells_to_stop());
  load(*folder);
  EXPECT_FALSE(folder->tells_to_stop());
}

}  // namespace
}  // namespace atl
