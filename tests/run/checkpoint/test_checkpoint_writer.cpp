#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/core/error.hpp"
#include "src/run/checkpoint/checkpoint_writer.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Writing : public testing::Test {
 protected:
  CheckpointWriter writer(bool any) {
    return {store_, std::make_unique<io::HistoryFile>(lock_.folder(), io::HistoryEnd()),
            {},     lock_,
            log_,   report_,
            any};
  }
  static PendingCheckpoint pending(std::uint32_t generation) {
    PendingCheckpoint checkpoint;
    checkpoint.own.header.generation = generation;
    checkpoint.own.sections = {{"island-0", 1, Bytes(1'000'000)}};  // takes a while
    checkpoint.rows.emplace_back().generation = generation;
    return checkpoint;
  }
  static void start(CheckpointWriter& writer, std::uint32_t generation) {
    writer.start(pending(generation));
  }
  static void write(CheckpointWriter& writer, std::uint32_t generation) {
    writer.write(pending(generation));
  }
  static std::vector<std::uint32_t> generations_of(const CheckpointWriter& writer) {
    std::vector<std::uint32_t> generations;
    for (const HistoryRow& row : writer.rows()) generations.push_back(row.generation);
    return generations;
  }
  // No checkpoint can be written while a file has the place of their folder.
  void begin_outage() {
    fs::rename(checkpoints_, folder_ / "aside");
    spill(checkpoints_, "");
  }
  void end_outage() {
    fs::remove(checkpoints_);
    fs::rename(folder_ / "aside", checkpoints_);
  }
  std::vector<std::uint32_t> logged() const {
    std::vector<std::uint32_t> generations;
    std::istringstream in(slurp(folder_ / "log.jsonl"));
    for (std::string line; std::getline(in, line);) {
      const Json event = Json::parse(line);
      if (event["event"] != "checkpoint") continue;
      EXPECT_GE(event["stop_seconds"], 0.0);
      EXPECT_GT(event["seconds"], 0.0);
      generations.push_back(event["generation"]);
    }
    return generations;
  }
  std::size_t warnings() const {
    const std::scoped_lock lock(mutex_);
    return lines_.size();
  }

  TemporaryFolder folder_;
  std::string checkpoints_ = folder_ / "checkpoints";
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  io::RunLock lock_{folder_.path()};
  RunLog log_{lock_, [](Severity, const std::string&) {}};
  Report report_ = logging_report(
      [this](Severity, const std::string& line) {
        const std::scoped_lock lock(mutex_);
        lines_.push_back(line);
      },
      log_);
  io::CheckpointStore store_{lock_.folder(), 3, report_};
};

TEST_F(Writing, FilesThatSomebodyRemovesAreNotTakenForDamaged) {
  CheckpointWriter keeper = writer(false);
  write(keeper, 1);
  fs::remove_all(checkpoints_);
  EXPECT_THROW(keeper.rows(), CannotCreate);
  EXPECT_THROW(write(keeper, 2), CannotCreate);
  EXPECT_EQ(warnings(), 0U);
}

TEST_F(Writing, GoesOnBesideWhatTheJobDoes) {
  {
    auto checkpoints = writer(false);
    EXPECT_FALSE(checkpoints.any());
    for (std::uint32_t generation = 1; generation <= 5; ++generation) {
      start(checkpoints, generation);
      log_.write("progress", {{"generation", generation}});
      report_(Severity::warning, "of another thread");
      EXPECT_FALSE(checkpoints.failed());
    }
    write(checkpoints, 6);
    EXPECT_FALSE(checkpoints.busy());
    EXPECT_TRUE(checkpoints.any());
    start(checkpoints, 7);
  }  // waits
  EXPECT_EQ(logged(), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(store_.latest_header()->generation, 7U);
  EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints_), {}), 3 + 1);  // and history
}

TEST_F(Writing, IsBusyUntilItIsDone) {
  auto checkpoints = writer(false);
  EXPECT_FALSE(checkpoints.busy());
  start(checkpoints, 1);
  while (checkpoints.busy()) std::this_thread::yield();
  EXPECT_TRUE(checkpoints.any());
  EXPECT_EQ(logged(), std::vector<std::uint32_t>{1});
}

TEST_F(Writing, TheFirstMustSucceed) {
  auto checkpoints = writer(false);
  spill(checkpoints_, "");
  start(checkpoints, 1);
  while (!checkpoints.failed()) std::this_thread::yield();
  try {
    start(checkpoints, 2);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::cannot_create);
  }
  EXPECT_EQ(warnings(), 0U);  // the job ends with it
}

TEST_F(Writing, OfALaterOneThatFailsIsToldOnceAnOutage) {
  auto checkpoints = writer(false);
  start(checkpoints, 1);
  while (checkpoints.busy()) std::this_thread::yield();
  for (const std::uint32_t outage : {1U, 2U}) {
    begin_outage();
    for (const std::uint32_t generation : {2U, 3U, 4U})
      start(checkpoints, 10 * outage + generation);
    while (checkpoints.busy()) std::this_thread::yield();
    EXPECT_FALSE(checkpoints.failed());
    EXPECT_EQ(warnings(), outage);
    end_outage();
    start(checkpoints, 10 * outage + 5);
    while (checkpoints.busy()) std::this_thread::yield();
  }
  EXPECT_EQ(logged(), (std::vector<std::uint32_t>{1, 15, 25}));
  // History goes on where it had to stop.
  EXPECT_EQ(generations_of(checkpoints),
            (std::vector<std::uint32_t>{1, 12, 13, 14, 15, 22, 23, 24, 25}));
}

TEST_F(Writing, TheLastRowsAreThereWhereTheyCannotBeWritten) {
  auto checkpoints = writer(true);
  write(checkpoints, 1);
  begin_outage();
  EXPECT_THROW(write(checkpoints, 2), CannotCreate);
  end_outage();
  EXPECT_EQ(generations_of(checkpoints), (std::vector<std::uint32_t>{1, 2}));
}

TEST_F(Writing, APartThatARankCouldNotWriteIsAnOutage) {
  auto checkpoints = writer(false);
  start(checkpoints, 1);
  while (checkpoints.busy()) std::this_thread::yield();
  PendingCheckpoint second = pending(2);
  HandedIn failed;
  failed.outcome = {ExitStatus::cannot_create, true, false, "no room on that host"};
  second.parts.push_back(failed);
  checkpoints.start(std::move(second));
  while (checkpoints.busy()) std::this_thread::yield();
  EXPECT_FALSE(checkpoints.failed());
  EXPECT_EQ(warnings(), 1U);
  EXPECT_EQ(logged(), std::vector<std::uint32_t>{1});
  // Rank 0 writes the part of one that does not see RUN.
  PendingCheckpoint third = pending(3);
  RunState part;
  part.sections = {{"island-1", 1, Bytes(10)}};
  HandedIn blind;
  blind.written.first_island = 1;
  blind.state = encode(part);
  third.parts.push_back(blind);
  write(checkpoints, 3);
  checkpoints.write(std::move(third));
  EXPECT_EQ(store_.latest([](const RunState&) {})->sections.size(), 2U);
}

TEST_F(Writing, AResumedRunHasOneToGoOnFrom) {
  auto checkpoints = writer(true);
  spill(checkpoints_, "");
  start(checkpoints, 1);
  while (checkpoints.busy()) std::this_thread::yield();
  EXPECT_FALSE(checkpoints.failed());
  EXPECT_EQ(warnings(), 1U);
  EXPECT_THROW(write(checkpoints, 2), CannotCreate);  // the last of a job
}

TEST_F(Writing, ARunThatIsAnothersIsLeftAlone) {
  auto checkpoints = writer(true);
  spill(folder_ / "lock", "host elsewhere\nprocess 7\n");
  start(checkpoints, 1);
  while (checkpoints.busy()) std::this_thread::yield();
  EXPECT_TRUE(checkpoints.failed());
  EXPECT_THROW(start(checkpoints, 2), UsageError);
  EXPECT_THROW(write(checkpoints, 3), UsageError);
  EXPECT_FALSE(fs::exists(checkpoints_));
}

TEST_F(Writing, ARunThatIsLostIsNoOutage) {
  auto checkpoints = writer(true);
  const std::string moved = folder_.path() + ".moved";
  fs::rename(folder_.path(), moved);
  start(checkpoints, 1);
  while (checkpoints.busy()) std::this_thread::yield();
  EXPECT_TRUE(checkpoints.failed());
  EXPECT_THROW(start(checkpoints, 2), CannotCreate);
  EXPECT_FALSE(fs::exists(folder_.path()));
  fs::create_directories(checkpoints_);  // somebody else's
  EXPECT_THROW(write(checkpoints, 3), CannotCreate);
  EXPECT_TRUE(fs::is_empty(checkpoints_));
  EXPECT_FALSE(fs::exists(moved + "/checkpoints"));
  EXPECT_EQ(warnings(), 0U);
  fs::remove_all(moved);
}

}  // namespace
}  // namespace atl::test
