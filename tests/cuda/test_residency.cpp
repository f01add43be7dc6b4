#include <gtest/gtest.h>

#include "cuda/host/residency.hpp"

namespace atl::cuda::test {
namespace {

/// A table of a few bytes that says whether it was dropped.
struct Member {
  Member(Residency& residency, std::uint64_t bytes) : residency(residency) {
    table.drop = [this] { dropped = true; };
    table.bytes = table.allocated = bytes;
    residency.join(table);
    residency.use(table);
  }
  ~Member() { residency.leave(table); }
  Residency& residency;
  Residency::Table table;
  bool dropped = false;
};

TEST(Residency, DropsTheLeastRecentlyUsedFirst) {
  Residency residency(1000);
  Member a(residency, 300), b(residency, 300), c(residency, 200), joining(residency, 0);
  residency.use(a.table);
  EXPECT_EQ(residency.make_room(joining.table, 300, 5000), 400U);  // 900 less those of a and c
  EXPECT_TRUE(b.dropped);
  EXPECT_EQ(b.table.bytes, 0U);
  EXPECT_FALSE(a.dropped || c.dropped);
}

TEST(Residency, DropsNoneWhereThereIsRoom) {
  Residency residency(1000);
  Member a(residency, 300), joining(residency, 0);
  EXPECT_EQ(residency.make_room(joining.table, 600, 5000), 600U);
  EXPECT_FALSE(a.dropped);
}

TEST(Residency, DropsAllForWhatDoesNotFitAlone) {
  Residency residency(1000);
  Member a(residency, 300), b(residency, 300), joining(residency, 0);
  EXPECT_EQ(residency.make_room(joining.table, 2000, 5000), 900U);
  EXPECT_TRUE(a.dropped && b.dropped);
}

TEST(Residency, TakesWhatIsFreeAndWhatItHoldsWithoutABudget) {
  Residency residency(0);
  Member a(residency, 300), joining(residency, 0);
  EXPECT_EQ(residency.budget(700), 1000U);
  EXPECT_EQ(residency.make_room(joining.table, 601, 700), 900U);
  EXPECT_TRUE(a.dropped);
}

TEST(Residency, DoesNotCountTwiceWhatIsReservedAndStillFree) {
  Residency residency(0);
  Member a(residency, 300), joining(residency, 0);
  a.table.allocated = 100;  // 200 of the 900 that are free are reserved
  EXPECT_EQ(residency.budget(900), 1000U);
  EXPECT_EQ(residency.make_room(joining.table, 600, 900), 600U);
  EXPECT_FALSE(a.dropped);
  EXPECT_EQ(residency.make_room(joining.table, 700, 900), 900U);
  EXPECT_TRUE(a.dropped);
}

TEST(Residency, HasNoMoreThanIsThere) {
  Residency residency(1000);
  Member a(residency, 300), joining(residency, 0);
  EXPECT_EQ(residency.budget(200), 500U);
  EXPECT_EQ(residency.make_room(joining.table, 100, 200), 150U);
  EXPECT_FALSE(a.dropped);
}

}  // namespace
}  // namespace atl::cuda::test
