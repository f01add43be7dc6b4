#include <gtest/gtest.h>

#include "src/config/option_values.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

using Parts = std::vector<std::string>;

TEST(OptionValues, WholeNumbers) {
  EXPECT_EQ(whole_number_option("--n", "18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(whole_number_option("--n", "0"), 0U);
  for (const char* text : {"", "-1", "1.5", "1e3", " 1", "0x1", "18446744073709551616"}) {
    EXPECT_THROW(whole_number_option("--n", text), UsageError) << text;
  }
  try {
    whole_number_option("--n", "11", 2, 10);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "--n: '11' is no whole number from 2 to 10");
  }
  EXPECT_THROW(whole_number_option("--n", "1", 2, 10), UsageError);
  EXPECT_EQ(whole_number_option("--n", "2", 2, 10), 2U);
}

TEST(OptionValues, Bytes) {
  EXPECT_EQ(bytes_option("--m", "512"), 512U);
  EXPECT_EQ(bytes_option("--m", "2K"), 2048U);
  EXPECT_EQ(bytes_option("--m", "4G"), std::uint64_t{4} << 30);
  EXPECT_EQ(bytes_option("--m", "512MiB"), std::uint64_t{512} << 20);
  for (const char* text :
       {"", "G", "4g", "1.5G", "-1M", "99999999T", "iB", "4iB", "GiB", "4GB", "4GiBiB"}) {
    EXPECT_THROW(bytes_option("--m", text), UsageError) << text;
  }
}

TEST(OptionValues, DeviceMemory) {
  EXPECT_EQ(device_memory_option("0"), 0U);
  EXPECT_EQ(device_memory_option("1MiB"), std::uint64_t{1} << 20);
  EXPECT_EQ(device_memory_option("1024T"), std::uint64_t{1} << 50);
  for (const char* text : {"1", "1048575", "1025T", "much"}) {
    EXPECT_THROW(device_memory_option(text), UsageError) << text;
  }
}

TEST(OptionValues, Lists) {
  EXPECT_EQ(list_option("--l", "a,b c,d"), (Parts{"a", "b c", "d"}));
  EXPECT_EQ(list_option("--l", "\"a,b\",c"), (Parts{"a,b", "c"}));
  EXPECT_EQ(list_option("--l", ",?,NA", true), (Parts{"", "?", "NA"}));
  EXPECT_THROW(list_option("--l", "a,,b"), UsageError);
  EXPECT_THROW(list_option("--l", "\"a"), UsageError);
}

TEST(OptionValues, ASupportOfAllRowsIsSaid) {
  std::string said;
  const Report report = [&](Severity, const std::string& line) { said += line + '\n'; };
  for (const char* text : {"", "100%", "1rows", "0.5"}) tell_of_all_rows(text, report);
  EXPECT_EQ(said, "");
  tell_of_all_rows("1", report);
  EXPECT_EQ(said, "--min-support 1 means all rows; for one row write 1rows\n");
}

}  // namespace
}  // namespace atl
