#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/folder.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {
namespace {

namespace fs = std::filesystem;
using io::AtomicFile;

/// The name of the temporary file that a killed process leaves.
/// @param wait  else the process is a zombie afterwards
std::string leave_temporary(const std::string& path, bool wait = true) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const AtomicFile file(path);
    const std::string name = file.temporary();
    _exit(write(ends[1], name.data(), name.size()) > 0 ? 0 : 1);  // no destructor runs
  }
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | (wait ? 0 : WNOWAIT));
  std::string name(4096, '\0');
  const ssize_t got = read(ends[0], name.data(), name.size());
  name.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  close(ends[0]);
  close(ends[1]);
  return name;
}

TEST(AtomicFile, RemovesWhatAKilledProcessLeftOfTheSameFile) {
  const TemporaryFolder folder;
  const std::string left = leave_temporary(folder / "a.csv");
  const std::string of_another = leave_temporary(folder / "b.csv");
  ASSERT_TRUE(fs::exists(left)) << left;
  ASSERT_TRUE(fs::exists(of_another)) << of_another;
  AtomicFile file(folder / "a.csv");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(of_another));
  file.append(std::as_bytes(std::span("x", 1)));
  file.commit();
  EXPECT_EQ(slurp(folder / "a.csv"), "x");
}

TEST(AtomicFile, LeavesWhatMayStillBeWritten) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.csv";
  const AtomicFile first(path);
  spill(path + ".partial-1-0", "x");
  spill(path + ".partial-another.host-999999999-0", "x");
  spill(first.temporary() + "x", "x");
  const AtomicFile second(path);
  EXPECT_TRUE(fs::exists(first.temporary()));
  EXPECT_NE(first.temporary(), second.temporary());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 5);
}

TEST(AtomicFile, LeavesAloneWhatAProcessWritesThatCannotBeSeen) {
  const TemporaryFolder folder;
  const AtomicFile first(folder / "a.csv");
  // The process has another number for others: it is in a container of its own.
  const std::string there = first.temporary();
  const std::size_t number = there.rfind('-'), process = there.rfind('-', number - 1);
  const std::string elsewhere = there.substr(0, process) + "-999999999-0";
  fs::rename(there, elsewhere);
  { const AtomicFile second(folder / "a.csv"); }
  EXPECT_TRUE(fs::exists(elsewhere));
}

TEST(AtomicFile, RemovesWhatAZombieHasLeft) {
  const TemporaryFolder folder;
  const std::string left = leave_temporary(folder / "a.csv", false);
  ASSERT_TRUE(fs::exists(left)) << left;
  { const AtomicFile file(folder / "a.csv"); }
  EXPECT_FALSE(fs::exists(left));
  ::wait(nullptr);
}

TEST(AtomicFile, KeepsTheOldFileIfTheNewOneWasReplaced) {
  const TemporaryFolder folder;
  spill(folder / "a.csv", "old");
  fs::create_directory(folder / "parked");
  const io::Folder parked(folder / "parked", io::Access::write);
  {
    AtomicFile file(folder / "a.csv");
    fs::remove(file.temporary());
    spill(file.temporary(), "theirs");
    EXPECT_THROW(file.park(parked, "text"), CannotCreate);
    EXPECT_THROW(file.commit(), CannotCreate);
  }
  EXPECT_EQ(slurp(folder / "a.csv"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 3);  // theirs stays
  AtomicFile file(folder / "a.csv");
  file.append(std::as_bytes(std::span("x", 1)));
  file.park(parked, "text");
  spill(folder / "theirs", "theirs");
  fs::rename(folder / "theirs", folder / "parked/text");
  EXPECT_THROW(file.commit(), CannotCreate);
  EXPECT_EQ(slurp(folder / "a.csv"), "old");
}

TEST(AtomicFile, RefusesAPipeByTheNameItWasGiven) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string path = "/proc/self/fd/" + std::to_string(ends[1]);
  try {
    const AtomicFile file(path);
    ADD_FAILURE() << "a pipe was taken for a file";
  } catch (const CannotCreate& error) {
    EXPECT_EQ(error.what(), path + ": is not a regular file");
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(AtomicFile, RelativePathsAreCleanedToo) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const std::string left = leave_temporary("a.csv");
  EXPECT_TRUE(fs::exists(left));
  { const AtomicFile file("a.csv"); }
  EXPECT_TRUE(fs::is_empty(folder.path()));
  fs::current_path(before);
}

TEST(AtomicFile, ThatIsParkedStaysUntilAnotherGoesOnWithIt) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "parked");
  const io::Folder parked(folder / "parked", io::Access::write);
  const auto append = [](AtomicFile& file, std::string_view text) {
    file.append(std::as_bytes(std::span(text)));
  };
  {
    AtomicFile file(folder / "a.txt");
    append(file, "one ");
    file.park(parked, "text");
    append(file, "lost");  // as of a process that is killed before it parks again
  }
  EXPECT_EQ(slurp(folder / "parked/text"), "one lost");
  EXPECT_EQ(parked.names().size(), 1U);
  {
    AtomicFile file(folder / "a.txt", parked, "text", 4);
    append(file, "two ");
    file.park(parked, "text");
  }
  EXPECT_FALSE(fs::exists(folder / "a.txt"));
  AtomicFile file(folder / "a.txt", parked, "text", 8);
  append(file, "three");
  file.commit();
  EXPECT_EQ(slurp(folder / "a.txt"), "one two three");
  EXPECT_TRUE(parked.names().empty());
}

TEST(AtomicFile, ALinkIsFollowedWhereItLeadsToNothingYet) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "elsewhere");
  fs::create_symlink("elsewhere/b.csv", folder / "a.csv");
  fs::create_symlink("a.csv", folder / "again.csv");
  AtomicFile file(folder / "again.csv");
  file.append(std::as_bytes(std::span("x", 1)));
  file.commit();
  EXPECT_EQ(slurp(folder / "elsewhere/b.csv"), "x");
  EXPECT_TRUE(fs::is_symlink(folder / "again.csv"));
  fs::create_symlink("round.csv", folder / "round.csv");
  EXPECT_THROW(AtomicFile(folder / "round.csv"), CannotCreate);
}

TEST(AtomicFile, OfAFolderHeldOpenGoesNowhereElse) {
  const TemporaryFolder folder;
  const io::Folder held(folder.path(), io::Access::write);
  spill(folder / "other", "theirs");
  fs::create_symlink("other", folder / "link");
  EXPECT_THROW(AtomicFile(held, "link"), CannotCreate);
  EXPECT_EQ(slurp(folder / "other"), "theirs");
  const std::string moved = folder.path() + ".moved";
  {
    AtomicFile file(held, "a.csv");
    fs::rename(folder.path(), moved);
    fs::create_directory(folder.path());
    file.append(std::as_bytes(std::span("x", 1)));
    file.commit();
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
  EXPECT_EQ(slurp(moved + "/a.csv"), "x");
  fs::remove_all(moved);
}

TEST(AtomicFile, FollowsALinkOfItsUserAlone) {
  if (::geteuid() != 0) GTEST_SKIP() << "no right to give files away";
  const TemporaryFolder folder;
  spill(folder / "target", "old");
  fs::create_symlink("target", folder / "link");
  io::write_file(folder / "link", "new");
  EXPECT_EQ(slurp(folder / "target"), "new");
  ASSERT_EQ(::lchown((folder / "link").c_str(), 65534, 65534), 0);
  EXPECT_THROW(io::write_file(folder / "link", "newer"), CannotCreate);
  EXPECT_EQ(slurp(folder / "target"), "new");
}

}  // namespace
}  // namespace atl::test
