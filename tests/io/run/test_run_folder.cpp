#include <filesystem>
#include <set>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "io/run/run_folder.hpp"
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
  void make_full_run() {
    make_run();
    for (const std::string& file : files()) spill(file, "old");
    spill(run_ + "/notes.txt", "mine");
    spill(paths_.checkpoints + "/notes.txt", "mine, too");
    config_ = slurp(paths_.config);
  }
  void begin_new_run() {
    io::write_file(paths_.config, "[experiment]\nseed = 2\n[machine]\nthreads = 2\n");
    for (const std::string& file : {paths_.log, paths_.data}) spill(file, "new");
  }
  void expect_full_run() {
    EXPECT_EQ(own_names(),
              (std::set<std::string>{"checkpoints", "config.toml", "data.h5", "history.csv", "lock",
                                     "log.jsonl", "notes.txt", "rules.csv", "rules.json", "stop"}));
    for (const std::string& file : files()) EXPECT_EQ(slurp(file), "old") << file;
    EXPECT_EQ(slurp(paths_.config), config_);
    EXPECT_EQ(slurp(run_ + "/notes.txt"), "mine");
    EXPECT_EQ(slurp(paths_.checkpoints + "/notes.txt"), "mine, too");
  }
  std::vector<std::string> files() const {
    return {paths_.rules_csv,
            paths_.rules_json,
            paths_.history,
            paths_.log,
            paths_.stop,
            paths_.data,
            paths_.checkpoints + "/checkpoint-0000000007.h5"};
  }
  /// Goes on with the run. @return whether the former one was put back
  bool puts_back() {
    bool told = false;
    io::lock_run(run_, {.report = [&](Severity, const std::string&) { told = true; }});
    return told;
  }
  std::set<std::string> own_names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(run_)) names.insert(entry.path().filename());
    return names;
  }
  TemporaryFolder folder_;
  std::string config_;
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
      if (::write(ready, "x", 1) == 1) pause();
    } catch (const Error&) {
    }
  }
  pid_t child_ = 0;
};

TEST_F(RunFolder, that_another_process_has_taken_over_is_left_to_it) {
  make_full_run();
  const auto lock = io::create_run(run_, true);
  begin_new_run();
  spill(run_ + "/lock", "host elsewhere\nboot another\nprocess 7\n");
  const auto before = own_names();
  EXPECT_TRUE(lock->is_taken_over());
  io::abandon_run(*lock);
  EXPECT_THROW(io::drop_former_run(*lock), UsageError);
  EXPECT_THROW(io::write_file(*lock, "config.toml", ""), UsageError);
  EXPECT_EQ(own_names(), before);
  EXPECT_NE(slurp(paths_.config), "");
}

TEST_F(RunFolder, what_cannot_be_removed_of_a_former_run_does_no_harm) {
  // As what somebody reads on a network file system, which stays under another name.
  make_full_run();
  for (int i = 0; i < 2; ++i) {
    const auto lock = io::create_run(run_, true);
    spill(run_ + "/.former/.nfs0001", "in use");
    begin_new_run();
    io::drop_former_run(*lock);
    EXPECT_FALSE(fs::exists(run_ + "/.former"));
    EXPECT_FALSE(fs::exists(run_ + "/.replaced/config.toml"));
  }
  EXPECT_TRUE(fs::exists(run_ + "/.replaced-1/.nfs0001"));
  EXPECT_EQ(io::find_run(run_).path(), run_);
  fs::remove(run_ + "/.replaced/.nfs0001");
  fs::remove(run_ + "/.replaced-1/.nfs0001");
  fs::create_directory(run_ + "/.replaced-mine");
  spill(run_ + "/.replaced-mine/rules.csv", "mine");
  EXPECT_FALSE(puts_back());
  EXPECT_EQ(slurp(run_ + "/.replaced-mine/rules.csv"), "mine");
  EXPECT_FALSE(fs::exists(run_ + "/.replaced") || fs::exists(run_ + "/.replaced-1"));
}

TEST_F(RunFolder, is_made_with_its_folders_and_found_again) {
  EXPECT_THROW(io::find_run(run_), MissingInput);
  make_run();
  EXPECT_TRUE(fs::is_directory(paths_.checkpoints));
  EXPECT_EQ(io::find_run(run_).path(), run_);
  EXPECT_THROW(io::find_run(folder_.path()), MissingInput);
  EXPECT_THROW(io::find_run(paths_.config), MissingInput);
}

TEST_F(RunFolder, a_run_is_replaced_only_by_force) {
  make_full_run();
  EXPECT_THROW(io::create_run(run_, false), UsageError);
  expect_full_run();
  {
    const auto lock = io::create_run(run_, true);
    EXPECT_EQ(own_names(), (std::set<std::string>{"checkpoints", "lock", "notes.txt", ".former"}));
    io::drop_former_run(*lock);
  }
  EXPECT_EQ(own_names(), (std::set<std::string>{"checkpoints", "lock", "notes.txt"}));
  EXPECT_EQ(slurp(run_ + "/notes.txt"), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(paths_.checkpoints), {}), 1);
  EXPECT_EQ(slurp(paths_.checkpoints + "/notes.txt"), "mine, too");
}

TEST_F(RunFolder, a_run_that_is_not_replaced_after_all_is_put_back) {
  make_full_run();
  const auto lock = io::create_run(run_, true);
  begin_new_run();
  io::abandon_run(*lock);
  expect_full_run();
}

TEST_F(RunFolder, a_process_killed_while_it_replaces_a_run_loses_nothing) {
  make_full_run();
  for (const bool new_run_has_begun : {false, true}) {
    io::create_run(run_, true);
    if (new_run_has_begun) begin_new_run();
    EXPECT_THROW(io::create_run(run_, false), UsageError);
    EXPECT_TRUE(puts_back());
    expect_full_run();
    EXPECT_FALSE(puts_back());
  }
  io::create_run(run_, true);
  begin_new_run();
  io::create_run(run_, true);  // replaces the former run again, not what the killed one left
  EXPECT_TRUE(puts_back());
  expect_full_run();
}

TEST_F(RunFolder, a_process_killed_between_two_files_loses_nothing) {
  // Set aside in part; or put back in part, after config.toml.
  make_full_run();
  fs::create_directories(run_ + "/.former/checkpoints");
  for (const char* file : {"log.jsonl", "checkpoints/checkpoint-0000000007.h5"}) {
    fs::rename(run_ + "/" + file, run_ + "/.former/" + file);
  }
  EXPECT_TRUE(puts_back());
  expect_full_run();
  // The new run has begun, the former one is removed in part.
  fs::create_directories(run_ + "/.replaced/checkpoints");
  spill(run_ + "/.replaced/rules.csv", "older");
  spill(run_ + "/.replaced/config.toml", "older");
  { const auto lock = io::create_run(run_, true); }
  EXPECT_FALSE(fs::exists(run_ + "/.replaced"));
  EXPECT_TRUE(puts_back());
  expect_full_run();
}

TEST_F(RunFolder, an_abandoned_run_leaves_nothing_but_what_is_not_its_own) {
  for (const bool foreign : {false, true}) {
    {
      const auto lock = io::create_run(run_, false);
      begin_new_run();
      if (foreign) spill(run_ + "/notes.txt", "mine");
      io::abandon_run(*lock);
    }
    EXPECT_EQ(fs::exists(run_), foreign);
    if (foreign) {
      EXPECT_EQ(own_names(), std::set<std::string>{"notes.txt"});
    }
  }
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

TEST_F(RunFolder, a_run_killed_while_it_wrote_its_first_file_is_taken_for_empty) {
  fs::create_directories(paths_.checkpoints);
  spill(run_ + "/lock", "");
  spill(paths_.config + ".partial-host-1-0", "[exp");
  EXPECT_NO_THROW(io::create_run(run_, false));
}

TEST_F(RunFolder, a_file_of_the_users_is_not_taken_for_a_leftover) {
  make_full_run();
  spill(run_ + "/my.partial-draft", "mine");
  const auto lock = io::create_run(run_, true);
  begin_new_run();
  io::drop_former_run(*lock);
  EXPECT_EQ(slurp(run_ + "/my.partial-draft"), "mine");
}

TEST_F(RunFolder, what_killed_jobs_left_goes_and_nothing_else) {
  make_full_run();
  const std::vector<std::string> left = {
      paths_.data + ".partial-host-1-0", paths_.data + ".partial-other.host-17-3",
      paths_.history + ".partial-host-1-0",
      paths_.checkpoints + "/checkpoint-0000000008.h5.partial-a-1-0",
      run_ + "/.atoll-spool-Ab3dE6"};
  const std::vector<std::string> kept = {paths_.data,
                                         paths_.history,
                                         run_ + "/data.h5.mine.partial-1",
                                         run_ + "/table.csv.partial-host-1-0",
                                         run_ + "/.atoll-spool-of-mine",
                                         paths_.checkpoints + "/my.partial-draft"};
  for (const std::string& path : left) spill(path, "half");
  for (const std::string& path : kept) spill(path, "whole");
  const auto lock = io::lock_run(run_);
  for (const std::string& path : left) EXPECT_FALSE(fs::exists(path)) << path;
  for (const std::string& path : kept) EXPECT_EQ(slurp(path), "whole");
}

TEST_F(RunFolder, a_folder_without_a_name_is_refused) {
  EXPECT_THROW(io::create_run("", true), UsageError);
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

TEST_F(RunFolder, a_look_finds_the_run_that_counts_and_changes_nothing) {
  EXPECT_THROW(io::find_run(run_), MissingInput);
  make_full_run();
  EXPECT_EQ(io::find_run(run_).path(), run_);
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(run_)) all.insert(entry.path());
    return all;
  };
  {
    const auto lock = io::create_run(run_, true);
    const auto before = names();
    EXPECT_EQ(io::find_run(run_).path(), run_ + "/.former");  // the new one has nothing yet
    begin_new_run();
    EXPECT_EQ(io::find_run(run_).path(), run_);
    fs::remove(paths_.log);
    fs::remove(paths_.data);
    fs::remove(paths_.config);
    EXPECT_EQ(names(), before);
    begin_new_run();
  }
  const auto before = names();
  EXPECT_EQ(io::find_run(run_).path(), run_ + "/.former");  // the new one has never begun
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(puts_back());
  expect_full_run();
}

}  // namespace
}  // namespace atl::test
