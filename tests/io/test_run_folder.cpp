#include <filesystem>
#include <optional>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "io/run_folder.hpp"
#include "src/core/error.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {
namespace {

namespace fs = std::filesystem;
using io::RunLock;
using io::RunPaths;

class RunFolder : public testing::Test {
 protected:
  void make_run() {
    io::create_run(run_, false);
    io::write_file(paths_.config, "[experiment]\nseed = 1\n[machine]\nthreads = 2\n");
  }
  TemporaryFolder folder_;
  std::string run_ = folder_ / "run";
  RunPaths paths_{run_};
};

/// Another process that holds the run until it is let go.
class Holder {
 public:
  explicit Holder(const std::string& run) {
    int ready[2];
    if (pipe(ready) != 0) throw std::runtime_error("pipe");
    child_ = fork();
    if (child_ == 0) {
      hold(run, ready[1]);
      _exit(1);
    }
    close(ready[1]);
    char done = 0;
    const bool held = read(ready[0], &done, 1) == 1;
    close(ready[0]);
    if (!held) throw std::runtime_error("the child could not lock");
  }
  ~Holder() { kill_now(); }
  void kill_now() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }
  pid_t process() const { return child_; }

 private:
  static void hold(const std::string& run, int ready) noexcept {
    try {
      const RunLock lock(run);
      if (write(ready, "x", 1) == 1) pause();
    } catch (const Error&) {
    }
  }
  pid_t child_ = 0;
};

TEST_F(RunFolder, is_made_with_its_folders_and_found_again) {
  EXPECT_THROW(io::require_run(run_), MissingInput);
  make_run();
  EXPECT_TRUE(fs::is_directory(paths_.checkpoints));
  EXPECT_NO_THROW(io::require_run(run_));
  EXPECT_THROW(io::require_run(folder_.path()), MissingInput);
}

TEST_F(RunFolder, a_run_is_replaced_only_by_force) {
  make_run();
  EXPECT_THROW(io::create_run(run_, false), UsageError);
  EXPECT_NO_THROW(io::require_run(run_));
  for (const std::string& file : {paths_.rules_csv, paths_.log, paths_.stop, paths_.data,
                                  paths_.checkpoints + "/checkpoint-0000000007.h5"}) {
    spill(file, "old");
  }
  spill(run_ + "/notes.txt", "mine");
  io::create_run(run_, true);
  EXPECT_EQ(slurp(run_ + "/notes.txt"), "mine");
  for (const std::string& file :
       {paths_.config, paths_.rules_csv, paths_.log, paths_.stop, paths_.data}) {
    EXPECT_FALSE(fs::exists(file)) << file;
  }
  EXPECT_TRUE(fs::is_empty(paths_.checkpoints));
}

TEST_F(RunFolder, a_folder_with_other_things_in_it_is_refused_even_by_force) {
  fs::create_directory(run_);
  spill(paths_.config, "title = \"of another program\"\n");
  EXPECT_THROW(io::create_run(run_, true), UsageError);
  EXPECT_TRUE(fs::exists(paths_.config));
  spill(folder_ / "file", "");
  EXPECT_THROW(io::create_run(folder_ / "file", true), CannotCreate);
  EXPECT_THROW(io::create_run(folder_ / "file/run", true), CannotCreate);
}

TEST_F(RunFolder, a_run_that_never_began_is_taken_for_empty) {
  io::create_run(run_, false);
  { const RunLock lock(run_); }
  EXPECT_NO_THROW(io::create_run(run_, false));
}

TEST_F(RunFolder, is_held_by_one_process_at_a_time) {
  make_run();
  Holder holder(run_);
  try {
    const RunLock lock(run_);
    FAIL() << "locked twice";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("process " + std::to_string(holder.process())),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(io::create_run(run_, true), UsageError);
  EXPECT_TRUE(fs::exists(paths_.config));
}

TEST_F(RunFolder, a_lock_whose_owner_is_gone_is_taken_over) {
  make_run();
  Holder holder(run_);
  holder.kill_now();
  EXPECT_NE(slurp(run_ + "/lock"), "");  // killed: its name is still there
  { const RunLock lock(run_); }
  EXPECT_EQ(slurp(run_ + "/lock"), "");
  { const RunLock again(run_); }
}

TEST_F(RunFolder, holds_against_itself_and_survives_another_descriptor) {
  make_run();
  const RunLock lock(run_);
  EXPECT_NE(slurp(run_ + "/lock").find("process " + std::to_string(getpid())), std::string::npos);
  EXPECT_THROW(RunLock{run_}, UsageError);
  EXPECT_THROW(RunLock{run_}, UsageError);
}

TEST_F(RunFolder, files_are_written_as_a_whole) {
  const std::string path = folder_ / "file";
  const std::string text("a\0b\n", 4);
  io::write_file(path, text);
  EXPECT_EQ(io::read_file(path), text);
  io::write_file(path, "");
  EXPECT_EQ(io::read_file(path), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(status.st_mode & 0777U, 0666U & ~mask);
}

TEST_F(RunFolder, a_link_is_followed) {
  spill(folder_ / "target", "old");
  fs::create_symlink("target", folder_ / "link");
  io::write_file(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(slurp(folder_ / "target"), "new");
}

TEST_F(RunFolder, says_what_cannot_be_written_or_read) {
  EXPECT_THROW(io::write_file(folder_ / "absent/file", ""), CannotCreate);
  EXPECT_THROW(io::write_file(folder_.path(), ""), CannotCreate);
  EXPECT_THROW(io::read_file(folder_ / "absent"), MissingInput);
  EXPECT_THROW(io::read_file(folder_.path()), MissingInput);
}

}  // namespace
}  // namespace atl::test
