#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/app/run_log.hpp"
#include "src/core/error.hpp"
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
  std::string path_ = folder_ / "log.jsonl";
  std::vector<std::string> lines_;
};

TEST_F(Log, AppendsOneObjectALine) {
  RunLog(path_, report()).write("start", {{"job", 1}});
  RunLog(path_, report()).write("start", {{"job", 2}, {"text", "two\nlines \xff"}});
  const auto all = events();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1]["event"], "start");
  EXPECT_EQ(all[1]["job"], 2);
  EXPECT_EQ(all[1]["time"].get<std::string>().size(),
            std::string("2026-01-01T00:00:00.000Z").size());
  EXPECT_TRUE(lines_.empty());
}

TEST_F(Log, WhatAKilledJobLeftOfALineIsCutOff) {
  const std::string whole = "{\"event\":\"a\"}\n";
  for (const std::string& before : {std::string(), whole, whole + whole}) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{10000}}) {
      spill(path_, before + std::string(length, 'x'));
      RunLog(path_, report()).write("b", {{"job", 1}});
      EXPECT_EQ(slurp(path_).substr(0, before.size() + 12), before + "{\"event\":\"b\"");
    }
  }
}

TEST_F(Log, ThatCannotBeOpenedIsAnError) {
  EXPECT_THROW(RunLog(folder_.path(), report()), CannotCreate);
  EXPECT_THROW(RunLog(folder_ / "absent/log.jsonl", report()), CannotCreate);
}

TEST_F(Log, OfManyThreadsHasWholeLines) {
  RunLog log(path_, report());
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
