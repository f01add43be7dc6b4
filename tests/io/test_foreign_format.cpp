#include <gtest/gtest.h>

#include "io/tables/foreign_format.hpp"

namespace atl::io::test {
namespace {

using namespace std::string_literals;

TEST(ForeignFormat, IsToldWithWhatToDo) {
  EXPECT_EQ(foreign_format("PAR1\x15\x04\x15\x80"s),
            "a Parquet file, expected a text table; write it as CSV");
  EXPECT_EQ(
      foreign_format("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"s + std::string(504, '\0')),
      "an Excel workbook of the old kind (.xls), expected a text table; save the sheet as CSV");
  EXPECT_EQ(foreign_format("PK\x03\x04"s + std::string(26, '\x01') + "[Content_Types].xml\x01"),
            "an Excel workbook, expected a text table; save the sheet as CSV");
}

TEST(ForeignFormat, WhatMayBeTextIsNone) {
  EXPECT_EQ(foreign_format(""), std::nullopt);
  EXPECT_EQ(foreign_format("a"), std::nullopt);
  EXPECT_EQ(foreign_format("PAR1,PAR2\r\n1,2\r\n"), std::nullopt);
  EXPECT_EQ(foreign_format("BZh,\xC3\xA4\n1,2\n"), std::nullopt);
  // The block ends within a letter.
  EXPECT_EQ(foreign_format("ORC,price\n1,\xE2\x82"), std::nullopt);
  EXPECT_EQ(foreign_format("% a comment of ARFF\n@relation r\n"), std::nullopt);
  // The readers tell where.
  EXPECT_EQ(foreign_format("a,b\n\0,1\n"s), std::nullopt);
}

}  // namespace
}  // namespace atl::io::test
