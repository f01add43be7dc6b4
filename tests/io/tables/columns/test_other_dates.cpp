#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/tables/columns/other_dates.hpp"

namespace atl::io::test {
namespace {

using Texts = std::vector<std::string>;

TEST(OtherDates, AreFoundByTheirFormats) {
  EXPECT_EQ(formats_of_dates(Texts{"01.02.2024", "31.12.2024"}), Texts{"%d.%m.%Y"});
  EXPECT_EQ(formats_of_dates(Texts{"11/03/2024", "12/31/2024"}), Texts{"%m/%d/%Y"});
  EXPECT_EQ(formats_of_dates(Texts{"11/03/2024", ""}), (Texts{"%d/%m/%Y", "%m/%d/%Y"}));
  EXPECT_EQ(formats_of_dates(Texts{"1-2-2024 10:30"}), (Texts{"%d-%m-%Y %H:%M", "%m-%d-%Y %H:%M"}));
  EXPECT_EQ(formats_of_dates(Texts{"11/03/2024", "soon"}), Texts{});
  EXPECT_EQ(formats_of_dates(Texts{""}), Texts{});
  EXPECT_EQ(formats_of_dates(Texts{}), Texts{});
}

TEST(OtherDates, AreHintedAtInALine) {
  EXPECT_EQ(hint_at_dates("day", Texts{"11.03.2024"}),
            "'day' is taken as labels; if '11.03.2024' is a date, name it in a schema "
            "(--print-schema, then --schema FILE): format = \"%d.%m.%Y\"");
  EXPECT_EQ(hint_at_dates("day", Texts{"monday"}), "");
}

}  // namespace
}  // namespace atl::io::test
