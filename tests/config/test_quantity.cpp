#include <string>

#include <gtest/gtest.h>

#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "tests/core/message_of.hpp"

namespace atl {
namespace {

TEST(SupportThreshold, ReadsSharesPercentagesAndRows) {
  EXPECT_EQ(SupportThreshold::parse("0.01").share, 0.01);
  EXPECT_EQ(SupportThreshold::parse("1%").share, 0.01);
  EXPECT_EQ(SupportThreshold::parse("0.7%").share, 0.007);
  EXPECT_EQ(SupportThreshold::parse("100%").share, 1);
  EXPECT_EQ(SupportThreshold::parse("1").share, 1);
  EXPECT_EQ(SupportThreshold::parse("0").share, 0);
  EXPECT_EQ(SupportThreshold::parse("500rows").rows, 500U);
}

TEST(SupportThreshold, RefusesWhatCouldMeanTwoThings) {
  EXPECT_EQ(message_of([] { SupportThreshold::parse("500"); }),
            "'500' could mean a share or rows: write 500% or 500rows");
  for (const char* text : {"", "%", "rows", "0rows", "-1rows", "1.5", "101%", "-0.1", "1e1%",
                           "5row", "1.5rows", "nan", "0.1 ", "99999999999999999999rows"}) {
    EXPECT_THROW(SupportThreshold::parse(text), UsageError) << text;
  }
}

TEST(SupportThreshold, WritesWhatItReads) {
  for (const char* text : {"0.001", "0", "1", "123rows", "1e-05", "33.3%"}) {
    const auto threshold = SupportThreshold::parse(text);
    EXPECT_EQ(SupportThreshold::parse(threshold.to_string()), threshold) << text;
  }
}

TEST(SupportThreshold, MinimumCountIsTheLeastThatSatisfiesTheMeasure) {
  EXPECT_EQ(SupportThreshold::parse("0.07").minimum_count(100), 7U);  // 0.07 * 100 > 7 in double
  EXPECT_EQ(SupportThreshold::parse("0.071").minimum_count(100), 8U);
  EXPECT_EQ(SupportThreshold::parse("0").minimum_count(100), 1U);
  EXPECT_EQ(SupportThreshold::parse("1").minimum_count(100), 100U);
  EXPECT_EQ(SupportThreshold::parse("5rows").minimum_count(3), 5U);
  for (std::uint64_t n = 1; n < 300; ++n) {
    for (std::uint64_t count = 1; count <= n; ++count) {
      const SupportThreshold threshold{static_cast<double>(count) / static_cast<double>(n), {}};
      ASSERT_EQ(threshold.minimum_count(n), count) << "of " << n;
    }
  }
}

TEST(Duration, ReadsUnitsAndSums) {
  EXPECT_EQ(parse_duration("90"), 90);
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("15m"), 900);
  EXPECT_EQ(parse_duration("1h30m"), 5400);
  EXPECT_EQ(parse_duration("1d"), 86400);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  for (const char* text : {"10001d", "1e5", "", "m", "1x", "1h30", "-5s", "1..5s", " 1s", "inf"}) {
    EXPECT_THROW(parse_duration(text), UsageError) << text;
  }
  EXPECT_THROW(parse_duration(std::string(400, '9')), UsageError);
}

TEST(CheckpointInterval, SuffixDecides) {
  EXPECT_EQ(CheckpointInterval::parse("10").generations, 10U);
  EXPECT_EQ(CheckpointInterval::parse("60s").generations, 0U);
  EXPECT_EQ(CheckpointInterval::parse("2m").seconds, 120);
  for (const char* text : {"0", "", "ten"}) {
    EXPECT_THROW(CheckpointInterval::parse(text), UsageError) << text;
  }
  for (const char* text : {"10", "0.5s", "2m", "100000s", "0.0000001s", "10000d"}) {
    const auto interval = CheckpointInterval::parse(text);
    EXPECT_EQ(CheckpointInterval::parse(interval.to_string()), interval);
  }
}

TEST(Share, IsBetweenZeroAndOne) {
  EXPECT_EQ(parse_share("0.9"), 0.9);
  EXPECT_EQ(parse_share("90%"), 0.9);
  EXPECT_THROW(parse_share("2"), UsageError);
  EXPECT_THROW(parse_share("-0.1"), UsageError);
}

}  // namespace
}  // namespace atl
