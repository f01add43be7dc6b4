// What others put into a run's folder.
#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "src/core/files/folder.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {
namespace {

namespace fs = std::filesystem;

constexpr uid_t stranger = 65534;

class Planted : public testing::Test {
 protected:
  Planted() {
    io::create_run(run_, false);
    spill(run_ + "/config.toml", "[experiment]\n[machine]\n");
    fs::create_directory(elsewhere_);
    spill(elsewhere_ + "/file", "theirs");
  }
  /// Who would write to the run, or only read it, is refused, by name.
  void expect_refused(const std::string& name, const std::string& says, bool to_readers = true) {
    const std::string line = run_ + "/" + name + ": " + says;
    const auto said = [&](const std::function<void()>& action) -> std::string {
      try {
        action();
      } catch (const Error& error) {
        return error.what();
      }
      return "nothing";
    };
    EXPECT_EQ(said([&] { io::lock_run(run_); }), line);
    EXPECT_EQ(said([&] { io::create_run(run_, true); }), line);
    EXPECT_EQ(said([&] { io::expect_free(run_, true); }), line);
    if (to_readers) {
      EXPECT_EQ(said([&] { io::find_run(run_); }), line);
    }
    EXPECT_EQ(slurp(elsewhere_ + "/file"), "theirs");
    EXPECT_EQ(std::distance(fs::directory_iterator(elsewhere_), {}), 1);
  }
  const std::vector<std::string> files_ = {"lock",       "config.toml",
                                           "log.jsonl",  "rules.csv",
                                           "rules.json", "history.csv",
                                           "data.h5",    "runs.json",
                                           "stop",       "checkpoints/checkpoint-0000000001.h5"};
  TemporaryFolder folder_;
  std::string run_ = folder_ / "run", elsewhere_ = folder_ / "elsewhere";
};

TEST_F(Planted, LinksAndPipesInPlaceOfFiles) {
  for (const std::string& name : files_) {
    const std::string path = run_ + "/" + name, kept = folder_ / "kept";
    if (fs::exists(path)) fs::rename(path, kept);
    for (const std::string& target : {elsewhere_ + "/file", folder_ / "nowhere"}) {
      fs::create_symlink(target, path);
      expect_refused(name, "is a symbolic link, expected a file");
      fs::remove(path);
    }
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    expect_refused(name, "is a named pipe, expected a file");
    fs::remove(path);
    if (fs::exists(kept)) fs::rename(kept, path);
  }
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
}

TEST_F(Planted, LinksAndFilesInPlaceOfFolders) {
  fs::remove(run_ + "/checkpoints");
  for (const std::string name : {"checkpoints", ".former", ".replaced"}) {
    fs::create_directory_symlink(elsewhere_, run_ + "/" + name);
    expect_refused(name, "is a symbolic link, expected a folder");
    fs::remove(run_ + "/" + name);
    spill(run_ + "/" + name, "");
    expect_refused(name, "is a file, expected a folder");
    fs::remove(run_ + "/" + name);
  }
  fs::create_directory(run_ + "/.replaced");
  fs::create_directory_symlink(elsewhere_, run_ + "/.replaced/checkpoints");
  expect_refused(".replaced/checkpoints", "is a symbolic link, expected a folder");
}

TEST_F(Planted, WhatIsAnotherUsersIsReadAndNotWritten) {
  if (::geteuid() != 0) GTEST_SKIP() << "no right to give files away";
  const std::string says =
      "belongs to another user (uid 65534), neither to this one nor to the owner of the folder; "
      "remove it, or go on with a copy of the folder (cp -r)";
  for (const std::string& name : files_) {
    const std::string path = run_ + "/" + name;
    if (!fs::exists(path)) spill(path, "");
    ASSERT_EQ(::chown(path.c_str(), stranger, stranger), 0);
    expect_refused(name, says, false);
    EXPECT_EQ(io::find_run(run_).path(), run_);
    ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  }
  ASSERT_EQ(::chown((run_ + "/checkpoints").c_str(), stranger, stranger), 0);
  expect_refused("checkpoints", says, false);
}

TEST_F(Planted, WhatBelongsToTheOwnerOfTheFolderIsNoStrangers) {
  if (::geteuid() != 0) GTEST_SKIP() << "no right to give files away";
  for (const std::string& path : {run_, run_ + "/config.toml", run_ + "/checkpoints"}) {
    ASSERT_EQ(::chown(path.c_str(), stranger, stranger), 0);
  }
  EXPECT_NO_THROW(io::lock_run(run_));
}

TEST_F(Planted, ALinkToTheFolderItselfIsTheUsersWord) {
  fs::create_directory_symlink(run_, folder_ / "link");
  EXPECT_NO_THROW(io::lock_run(folder_ / "link"));
  EXPECT_NO_THROW(io::find_run(folder_ / "link"));
}

TEST_F(Planted, WhatWasToBeRemovedGoesWithTheNextJob) {
  fs::create_directories(run_ + "/.replaced/checkpoints");
  spill(run_ + "/.replaced/rules.csv", "older");
  spill(run_ + "/.replaced/checkpoints/checkpoint-0000000001.h5", "older");
  io::lock_run(run_);
  EXPECT_FALSE(fs::exists(run_ + "/.replaced"));
}

}  // namespace
}  // namespace atl::test
