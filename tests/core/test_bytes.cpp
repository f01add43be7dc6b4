#include <gtest/gtest.h>

#include "src/core/bytes.hpp"

namespace atl {
namespace {

TEST(Bytes, ReadsBackWhatWasWritten) {
  ByteWriter out;
  const std::vector<double> values = {1.5, -0.0, 3e300};
  out.put(std::uint32_t{7});
  out.put_all(std::span<const double>(values));
  out.put_text("größe");
  out.put_all(std::span<const std::uint64_t>());
  ByteReader in(out.bytes());
  EXPECT_EQ(in.get<std::uint32_t>(), 7U);
  EXPECT_EQ(in.get_all<double>(), values);
  EXPECT_EQ(in.get_text(), "größe");
  EXPECT_TRUE(in.get_all<std::uint64_t>().empty());
  EXPECT_NO_THROW(in.expect_end());
}

TEST(Bytes, EndingEarlyIsAnErrorAtEveryLength) {
  ByteWriter out;
  out.put(std::uint64_t{1});
  out.put_text("abc");
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader in(std::span(out.bytes()).first(length));
    EXPECT_THROW(
        {
          in.get<std::uint64_t>();
          in.get_text();
        },
        BadBytes)
        << length;
  }
}

TEST(Bytes, AnImpossibleLengthIsRefusedBeforeAllocating) {
  ByteWriter out;
  out.put(std::uint64_t{1} << 60);
  out.put(std::uint64_t{0});
  ByteReader in(out.bytes());
  EXPECT_THROW(in.get_all<std::uint64_t>(), BadBytes);
}

TEST(Bytes, LeftoversAreAnError) {
  ByteWriter out;
  out.put(std::uint8_t{1});
  EXPECT_THROW(ByteReader(out.bytes()).expect_end(), BadBytes);
}

}  // namespace
}  // namespace atl
