#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "src/core/text/time_text.hpp"
#include "src/run/info/run_summary.hpp"

namespace atl::test {
namespace {

std::string event(const std::string& kind, const std::string& time, const std::string& more = "") {
  return R"({"event":")" + kind + R"(","time":"2026-01-31T23:59:)" + time + R"(Z")" +
         (more.empty() ? "" : "," + more) + "}\n";
}

JobHistory history_of(const std::string& log) {
  std::istringstream text(log);
  return job_history(text);
}

const std::string first_start =
    event("start", "50.500",
          R"("host":"n1","job":1,"ranks":4,"threads":8,"backend":"cpu",)"
          R"("rows":100,"attributes":7,"generation":0)");

TEST(JobHistory, TellsOfAJobFromStartToEnd) {
  const auto history =
      history_of(event("warning", "50.000", R"("message":"before")") + first_start +
                 event("warning", "51.000", R"("message":"then")") +
                 event("progress", "52.000", R"("generation":7)") +
                 event("end", "59.750", R"("reason":"stop after","generation":9)"));
  ASSERT_EQ(history.jobs.size(), 1U);
  const JobRecord& job = history.jobs[0];
  EXPECT_EQ(job.job, 1U);
  EXPECT_EQ(job.host, "n1");
  EXPECT_EQ(job.ranks, 4U);
  EXPECT_EQ(job.threads, 8U);
  EXPECT_EQ(job.backend, "cpu");
  EXPECT_EQ(job.began, "2026-01-31T23:59:50.500Z");
  EXPECT_EQ(job.seconds, 9.25);
  EXPECT_EQ(job.from, 0U);
  EXPECT_EQ(job.to, 9U);
  EXPECT_EQ(job.end, "stop after");
  EXPECT_EQ(job.rows, 100U);
  EXPECT_EQ(job.attributes, 7U);
  EXPECT_EQ(job.warnings, (std::vector<std::string>{"before", "then"}));
  EXPECT_FALSE(history.loading);
}

TEST(JobHistory, KnowsAJobWithoutAnEndAndOneThatLoads) {
  const std::string killed = first_start + event("checkpoint", "55.500", R"("generation":5)");
  auto history = history_of(killed);
  ASSERT_EQ(history.jobs.size(), 1U);
  EXPECT_EQ(history.jobs[0].end, "");
  EXPECT_EQ(history.jobs[0].to, 5U);
  EXPECT_EQ(history.jobs[0].seconds, 5.0);

  const std::string loads =
      event("resume", "56.000") + event("warning", "57.000", R"("message":"w")");
  history = history_of(killed + loads);
  ASSERT_EQ(history.jobs.size(), 1U);
  EXPECT_TRUE(history.loading);
  EXPECT_EQ(history.jobs[0].seconds, 5.0);
  EXPECT_TRUE(history.jobs[0].warnings.empty());

  history = history_of(killed + loads + event("start", "58.000", R"("job":2,"generation":5)"));
  ASSERT_EQ(history.jobs.size(), 2U);
  EXPECT_FALSE(history.loading);
  EXPECT_EQ(history.jobs[1].job, 2U);
  EXPECT_EQ(history.jobs[1].from, 5U);
  EXPECT_EQ(history.jobs[1].warnings, std::vector<std::string>{"w"});
}

TEST(JobHistory, KnowsTheRepeatGoneOnWithLast) {
  EXPECT_FALSE(history_of(first_start).repeat);
  const std::string repeats = event("repeat", "51.000", R"("number":1,"of":3)") +
                              event("repeat", "52.000", R"("number":2,"of":3)");
  const auto history = history_of(first_start + repeats + event("resume", "56.000"));
  ASSERT_TRUE(history.repeat);
  EXPECT_EQ(history.repeat->number, 2U);
  EXPECT_EQ(history.repeat->of, 3U);
}

TEST(JobHistory, PassesOverWhatIsNoneOfOurs) {
  for (const std::string log :
       {"", "\n\n", "nonsense\n", "[1]\n7\nnull\n", R"({"event":"progress","generation":3})",
        R"({"event":"end"})", R"({"event":7})", "{\"event\":\"start\",\"ti", "\xff\xfe{}\n"}) {
    EXPECT_TRUE(history_of(log).jobs.empty()) << log;
  }
  const auto history = history_of(
      "{\"event\":\"prog{\"event\":\"start\"}\n"
      "{\"event\":\"start\",\"job\":\"two\",\"ranks\":-1,\"threads\":[],\"host\":{},"
      "\"time\":\"yesterday\",\"generation\":1.5}\n"
      "{\"event\":\"warning\",\"message\":7}\n{\"event\":\"end\",\"reason\":null}\n");
  ASSERT_EQ(history.jobs.size(), 1U);
  EXPECT_EQ(history.jobs[0].job, 1U);
  EXPECT_EQ(history.jobs[0].ranks, 0U);
  EXPECT_EQ(history.jobs[0].host, "");
  EXPECT_EQ(history.jobs[0].end, "ended");
  EXPECT_FALSE(history.jobs[0].seconds);
}

TEST(TimeText, HasTwoUnits) {
  for (const auto& [seconds, text] : {std::pair<double, const char*>{0, "0 s"},
                                      {0.1, "1 s"},
                                      {59, "59 s"},
                                      {60, "1 min 00 s"},
                                      {3599, "59 min 59 s"},
                                      {3600, "1 h 00 min"},
                                      {86399, "23 h 59 min"},
                                      {86400, "1 d 00 h"},
                                      {100 * 86400 + 3600, "100 d 01 h"}}) {
    EXPECT_EQ(time_text(seconds), text);
  }
}

TEST(TimeText, ReadsWhatTheLogHas) {
  EXPECT_EQ(parse_utc("1970-01-02T00:00:01.250Z"), 86401.25);
  EXPECT_EQ(parse_utc("1970-01-01T00:00:59Z"), 59.0);
  for (const char* text : {"", "Z", "1970-01-01", "1970-01-01T00:00:59", "1970-01-01T00:00:59xZ",
                           "1970-01-01T00:00:59.1.1Z", "01.01.1970 00:00Z"}) {
    EXPECT_FALSE(parse_utc(text)) << text;
  }
  EXPECT_EQ(utc_text(86401), "1970-01-02T00:00:01Z");
}

TEST(JobHistory, AJobThatFailsSaysWhy) {
  const JobHistory history = history_of(
      "{\"event\":\"start\",\"time\":\"2026-01-01T00:00:00.000Z\",\"job\":1}\n"
      "{\"event\":\"error\",\"time\":\"2026-01-01T00:00:05.000Z\",\"status\":73,"
      "\"message\":\"no room\"}\n");
  ASSERT_EQ(history.jobs.size(), 1U);
  EXPECT_EQ(history.jobs[0].end, "failed: no room");
  EXPECT_EQ(history.jobs[0].seconds, 5.0);
}

}  // namespace
}  // namespace atl::test
