#include <filesystem>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/core/error.hpp"
#include "src/run/log/run_log.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {
namespace {

using Json = nlohmann::json;

class Log : public testing::Test {
 protected:
  std::vector<Json> events() const {
    std::vector<Json> events;
    std::istringstream in(slurp(path_));
    for (std::string line; std::getline(in, line);) events.push_back(Json::parse(line));
    return events;
  }
  Report report() {
    return [this](Severity severity, const std::string& line) {
      EXPECT_EQ(severity, Severity::warning);
      lines_.push_back(line);
    };
  }
  TemporaryFolder folder_;
  io::RunLock run_{folder_.path()};
  std::string path_ = folder_ / "log.jsonl";
  std::vector<std::string> lines_;
};

TEST_F(Log, AppendsOneObjectALine) {
  RunLog(run_, report()).write("start", {{"job", 1}});
  RunLog(run_, report()).write("start", {{"job", 2}, {"text", "two\nlines \xff"}});
  const auto all = events();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1]["event"], "start");
  EXPECT_EQ(all[1]["job"], 2);
  EXPECT_EQ(all[1]["time"].get<std::string>().size(),
            std::string("2026-01-01T00:00:00.000Z").size());
  EXPECT_TRUE(lines_.empty());
}

TEST_F(Log, IsLeftToWhoeverHasTakenTheRunOver) {
  RunLog log(run_, report());
  log.write("start", {{"job", 1}});
  const std::string before = slurp(path_);
  spill(folder_ / "lock", "host elsewhere\nboot another\nprocess 7\n");
  log.write("error", {{"status", 64}});
  EXPECT_EQ(slurp(path_), before);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(Log, WhatAKilledJobLeftOfALineIsCutOff) {
  const std::string whole = "{\"event\":\"a\"}\n";
  for (const std::string& before : {std::string(), whole, whole + whole}) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{10000}}) {
      const std::string half = std::string("{\"event\":\"") + std::string(length, 'x');
      spill(path_, before + half.substr(0, length));
      RunLog(run_, report()).write("b", {{"job", 1}});
      EXPECT_EQ(slurp(path_).substr(0, before.size() + 12), before + "{\"event\":\"b\"");
    }
  }
}

TEST_F(Log, ZerosThatAPowerFailureLeftAreNoStrangers) {
  spill(path_, std::string(300, '\0'));
  RunLog(run_, report()).write("b", {{"job", 1}});
  EXPECT_EQ(events().size(), 1U);
}

TEST_F(Log, ThatCannotBeOpenedIsAnError) {
  std::filesystem::create_directory(path_);
  EXPECT_THROW(RunLog(run_, report()), CannotCreate);
}

TEST_F(Log, WhatIsNoLogIsLeftAsItIs) {
  const std::string other = folder_ / "other";
  const auto refuses = [&](const std::string& says) {
    try {
      const RunLog log(run_, report());
      ADD_FAILURE() << says;
    } catch (const CannotCreate& error) {
      EXPECT_EQ(std::string(error.what()).find(path_ + ": " + says), 0U) << error.what();
    }
    std::filesystem::remove(path_);
  };
  for (const std::string content : {"text", "text\n{\"event\":\"a\"}", "{\"events\":1"}) {
    spill(path_, content);
    const std::string before = content;
    try {
      const RunLog log(run_, report());
      ADD_FAILURE() << content;
    } catch (const CannotCreate&) {
    }
    EXPECT_EQ(slurp(path_), before);
  }
  std::filesystem::remove(path_);
  const std::string half = "{\"event\":\"a\"}\n{\"ev";
  spill(other, half);
  std::filesystem::create_symlink(other, path_);
  refuses("is a symbolic link, expected a file");
  std::filesystem::create_symlink(folder_ / "nowhere", path_);
  refuses("is a symbolic link, expected a file");
  std::filesystem::create_hard_link(other, path_);
  refuses("has another name elsewhere (a hard link)");
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  refuses("is a named pipe, expected a file");
  EXPECT_EQ(slurp(other), half);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "nowhere"));
}

TEST_F(Log, OfManyThreadsHasWholeLines) {
  RunLog log(run_, report());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&log, thread] {
      for (int i = 0; i < 200; ++i) log.write("a", {{"thread", thread}, {"i", i}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(events().size(), 800U);
}

}  // namespace
}  // namespace atl::test
