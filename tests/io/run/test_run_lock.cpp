// Who holds a RUN; processes that hold one are in test_run_folder.cpp, storage without locks in
// tests/e2e/test_run_lock.py.
#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {
namespace {

using io::RunLock;
using namespace std::chrono_literals;

class Owners : public testing::Test {
 protected:
  // What a process of another host left, or of this one with something changed.
  void leave(const std::string& change, const std::string& to) const {
    std::string text;
    spill(path_, "");
    {
      const RunLock lock(folder_.path());
      text = slurp(path_);
    }
    const auto at = text.find(change + " ");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, text.find('\n', at) - at, change + " " + to);
    spill(path_, text);
  }
  std::string refusal(const io::LockOptions& options) const {
    try {
      const RunLock lock(folder_.path(), options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  io::LockOptions quick(std::chrono::milliseconds patience = 400ms) {
    return {.beat = 20ms,
            .patience = patience,
            .report = [this](Severity, const std::string& line) { lines_.push_back(line); }};
  }
  TemporaryFolder folder_;
  std::string path_ = folder_ / "lock";
  std::vector<std::string> lines_;
};

/// Gives signs of life in the name of whoever is in the file.
class Heart {
 public:
  explicit Heart(const std::string& path)
      : thread_([this, path] {
          while (!ended_) {
            utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
            std::this_thread::sleep_for(5ms);
          }
        }) {}
  ~Heart() {
    ended_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

TEST_F(Owners, OfAnotherHostThatLivesIsLeftAlone) {
  leave("boot", "another");
  const Heart heart(path_);
  EXPECT_NE(refusal(quick(60s)).find(": in use by process "), std::string::npos);
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_NE(lines_[0].find("waiting whether it gives a sign of life"), std::string::npos);
  EXPECT_NE(slurp(path_).find("boot another"), std::string::npos);
}

TEST_F(Owners, OfAnotherHostThatGivesNoSignIsFollowed) {
  leave("boot", "another");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(quick()), "");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 400ms);
  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(Owners, OfThisHostIsKnownAtOnce) {
  for (const char* const change : {"process", "processes", "started"}) {
    leave(change, "1");
    EXPECT_EQ(refusal({.beat = 1h, .patience = 1h}), "") << change;
  }
  EXPECT_TRUE(lines_.empty());
}

TEST_F(Owners, WhoeverHoldsItGivesSigns) {
  const RunLock lock(folder_.path(), quick());
  struct stat before {};
  ASSERT_EQ(stat(path_.c_str(), &before), 0);
  struct stat now = before;
  const auto end = std::chrono::steady_clock::now() + 10min;
  while (now.st_mtim.tv_sec == before.st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == before.st_mtim.tv_nsec && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(5ms);
    ASSERT_EQ(stat(path_.c_str(), &now), 0);
  }
  EXPECT_LT(std::chrono::steady_clock::now(), end);
  EXPECT_NO_THROW(lock.require_held());
}

TEST_F(Owners, WhoeverWasTakenOverFindsOut) {
  {
    const RunLock lock(folder_.path());
    lock.require_held();
    spill(path_, "host node7\nprocess 3\njob 4711\n");
    try {
      lock.require_held();
      FAIL() << "nothing was thrown";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("taken over by process 3 on node7 (job 4711)"),
                std::string::npos)
          << error.what();
    }
    spill(path_, "");  // the other has ended already
    EXPECT_THROW(lock.require_held(), UsageError);
    spill(path_, "host node7\nprocess 3\njob 4711\n");
  }
  EXPECT_NE(slurp(path_).find("node7"), std::string::npos);  // it is the other's
}

TEST_F(Owners, AFileThatIsGoneIsNobodyElses) {
  const RunLock lock(folder_.path());
  std::filesystem::remove(path_);
  EXPECT_NO_THROW(lock.require_held());
}

TEST_F(Owners, WhatIsNoLockIsLeftAsItIs) {
  for (const std::string& content :
       {std::string("letter\n"), std::string("host a\nmy notes\n"), std::string(5000, 'x')}) {
    spill(path_, content);
    try {
      const RunLock lock(folder_.path());
      FAIL() << content;
    } catch (const CannotCreate& error) {
      EXPECT_EQ(std::string(error.what()).find(path_ + ": is no lock of atoll"), 0U)
          << error.what();
    }
    EXPECT_EQ(slurp(path_), content);
    EXPECT_FALSE(io::folder_owner(folder_.path()));
  }
  // Cut short, and what a power failure left.
  for (const std::string& content : {std::string("host a\nboo"), std::string(170, '\0')}) {
    spill(path_, content);
    EXPECT_EQ(refusal(quick(20ms)), "");
  }
}

TEST_F(Owners, WhatOnlyHasItsNameIsRefusedAtOnce) {
  const std::string other = folder_ / "other";
  spill(other, "host a\n");
  const auto refuses = [&](const std::string& says) {
    EXPECT_FALSE(io::folder_owner(folder_.path()).has_value() && says.find("hard") == says.npos);
    try {
      const RunLock lock(folder_.path(), {.patience = 1h});
      ADD_FAILURE() << says;
    } catch (const CannotCreate& error) {
      EXPECT_EQ(std::string(error.what()).find(path_ + ": " + says), 0U) << error.what();
    }
    std::filesystem::remove(path_);
  };
  std::filesystem::create_symlink(other, path_);
  refuses("is a symbolic link, expected a file");
  std::filesystem::create_symlink(folder_ / "nowhere", path_);
  refuses("is a symbolic link, expected a file");
  std::filesystem::create_hard_link(other, path_);
  refuses("has another name elsewhere (a hard link)");
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  refuses("is a named pipe, expected a file");
  std::filesystem::create_directory(path_);
  refuses("is a folder, expected a file");
  EXPECT_EQ(slurp(other), "host a\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "nowhere"));
}

// Whoever may read the file can do so.
TEST_F(Owners, ALockForReadingHoldsNobodyUp) {
  spill(path_, "");
  const int reader = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct flock whole {};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  ASSERT_EQ(::fcntl(reader, F_OFD_SETLK, &whole), 0);
  EXPECT_EQ(refusal(quick()), "");
  ::close(reader);
}

TEST_F(Owners, AFolderThatIsLostIsNoticed) {
  const std::string moved = folder_.path() + ".moved";
  {
    const RunLock lock(folder_.path());
    std::filesystem::rename(folder_.path(), moved);
    EXPECT_THROW(lock.require_held(), CannotCreate);
    std::filesystem::create_directory(folder_.path());
    EXPECT_THROW(lock.require_held(), CannotCreate);
    EXPECT_THROW(io::write_file(lock.folder(), "config.toml", "x"), CannotCreate);
    io::abandon_run(lock);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
    EXPECT_TRUE(std::filesystem::exists(moved + "/lock"));
  }
  std::filesystem::remove_all(moved);
}

TEST_F(Owners, AreNamedToWhoeverAsks) {
  EXPECT_FALSE(io::folder_owner(folder_.path()));
  {
    const RunLock lock(folder_.path());
    EXPECT_TRUE(io::folder_owner(folder_.path()));
  }
  EXPECT_FALSE(io::folder_owner(folder_.path()));
  leave("boot", "another");  // has just given a sign of life
  EXPECT_TRUE(io::folder_owner(folder_.path()));
  const timespec long_ago[] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path_.c_str(), long_ago, 0), 0);
  EXPECT_FALSE(io::folder_owner(folder_.path()));
  leave("process", "1");  // this kernel would still have its lock
  EXPECT_FALSE(io::folder_owner(folder_.path()));
}

}  // namespace
}  // namespace atl::test
