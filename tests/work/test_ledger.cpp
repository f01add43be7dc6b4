#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"
#include "src/work/ledger.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl {
namespace {

using Ranges = std::vector<SearchRange>;

Ranges ranges_of(const std::optional<PieceRun>& run) {
  Ranges ranges;
  for (const Piece& piece : run.value().pieces) ranges.push_back(decode_range(piece));
  return ranges;
}

class LedgerTest : public testing::Test {
 protected:
  const io::Folder& folder() {
    if (!folder_) folder_.emplace(path_.path(), io::Access::write);
    return *folder_;
  }
  std::vector<std::string> files() { return folder().names(); }

  test::TemporaryFolder path_;
  std::optional<io::Folder> folder_;
  void add(const SearchRange& range) { ledger_.add(encode(range)); }

  static constexpr std::size_t most_kept = std::size_t{1} << 20;
  TextSpool spool_{[this]() -> const io::Folder& { return folder(); }, most_kept, 0};
  ItemsetTask task_{{}};  // whose pieces these are
  std::string written_;
  Ledger ledger_{task_, spool_, [this](std::string_view text) { written_ += text; }};
};

TEST_F(LedgerTest, OneRankGetsAllUpToTheFirstText) {
  add(SearchRange{{3, 1}, 2, 4});
  add(SearchRange{{}, 4, 9});
  ledger_.add(Ledger::Item(SpooledText{.kept = "text"}));
  add(SearchRange{{}, 9, 10});
  const auto run = ledger_.take(1);
  ASSERT_TRUE(run);
  EXPECT_EQ(ranges_of(run), (Ranges{{{3, 1}, 2, 4}, {{}, 4, 9}}));
  EXPECT_EQ(ranges_of(ledger_.take(1)), (Ranges{{{}, 9, 10}}));
  EXPECT_FALSE(ledger_.take(1));
}

TEST_F(LedgerTest, MoreRanksGetSharesOfTheOutermostLoop) {
  add(SearchRange{{}, 0, 20});
  EXPECT_EQ(ranges_of(ledger_.take(2)), (Ranges{{{}, 0, 5}}));
  EXPECT_EQ(ranges_of(ledger_.take(2)), (Ranges{{{}, 5, 8}}));
  EXPECT_EQ(task_.amount(ledger_.pieces_left()), 12U);
  std::uint32_t next = 8;
  while (const auto run = ledger_.take(2)) {
    const Ranges ranges = ranges_of(run);
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].first, next);
    next = ranges[0].end;
  }
  EXPECT_EQ(next, 20U);
}

TEST_F(LedgerTest, WhatIsLeftInsideAnItemGoesWithItemsBehindIt) {
  add(SearchRange{{2}, 1, 2});
  ledger_.add(Ledger::Item(SpooledText{.kept = "text"}));
  add(SearchRange{{6, 5}, 2, 4});
  add(SearchRange{{6}, 5, 6});
  add(SearchRange{{}, 7, 9});
  EXPECT_EQ(task_.amount(ledger_.pieces_left()), 4U);
  EXPECT_EQ(ranges_of(ledger_.take(3)), (Ranges{{{6, 5}, 2, 4}, {{6}, 5, 6}, {{}, 7, 8}}));
  EXPECT_EQ(ranges_of(ledger_.take(3)), (Ranges{{{}, 8, 9}}));
  EXPECT_EQ(ranges_of(ledger_.take(3)), (Ranges{{{2}, 1, 2}}));
}

TEST_F(LedgerTest, TextIsWrittenInOrderWhoeverIsFirst) {
  add(SearchRange{{}, 0, 3});
  const auto a = ledger_.take(9), b = ledger_.take(9), c = ledger_.take(9);
  ledger_.append(c->number, "c1 ");
  ledger_.append(a->number, "a1 ");
  EXPECT_EQ(written_, "a1 ");
  ledger_.append(b->number, "b1 ");
  ledger_.append(a->number, "a2 ");
  ledger_.finish(c->number, {});
  ledger_.finish(a->number, {});
  EXPECT_EQ(written_, "a1 a2 b1 ");
  ledger_.append(b->number, "b2 ");
  EXPECT_EQ(written_, "a1 a2 b1 b2 ");
  EXPECT_FALSE(ledger_.is_done());
  ledger_.finish(b->number, {});
  EXPECT_EQ(written_, "a1 a2 b1 b2 c1 ");
  EXPECT_TRUE(ledger_.is_done());
}

TEST_F(LedgerTest, ARunThatIsStoppedLeavesPartsAndTheTextBehindThem) {
  add(SearchRange{{}, 0, 9});
  const auto run = ledger_.take(1);
  ledger_.append(run->number, "first ");
  ledger_.finish(run->number, {{{encode({{1}, 2, 3}), encode({{}, 2, 4})}, "second "},
                               {{encode({{}, 5, 9})}, ""}});
  EXPECT_EQ(ledger_.sync().size(), 4U);
  EXPECT_EQ(files(), (std::vector<std::string>{"text-1"}));
  const auto before = ledger_.take(1);
  EXPECT_EQ(ranges_of(before), (Ranges{{{1}, 2, 3}, {{}, 2, 4}}));
  const auto behind = ledger_.take(1);
  ledger_.append(behind->number, "third");
  ledger_.finish(behind->number, {});
  ledger_.finish(before->number, {});
  EXPECT_EQ(written_, "first second third");
  EXPECT_TRUE(files().empty());
}

TEST_F(LedgerTest, MuchTextWaitsInFilesThatStayAsLongAsACheckpointNamesThem) {
  add(SearchRange{{}, 0, 3});
  const auto a = ledger_.take(9), b = ledger_.take(9);
  const std::string block(most_kept / 4, 'b');
  for (int k = 0; k < 9; ++k) ledger_.append(b->number, block);
  EXPECT_EQ(files(), (std::vector<std::string>{"text-1"}));
  ledger_.finish(b->number, {});
  spool_.keep_files();
  ledger_.finish(a->number, {});
  EXPECT_EQ(written_.size(), 9 * block.size());
  EXPECT_EQ(files(), (std::vector<std::string>{"text-1"}));
  spool_.remove_unneeded();
  EXPECT_TRUE(files().empty());
}

TEST_F(LedgerTest, AFileThatIsGoneIsNoticed) {
  add(SearchRange{{}, 0, 1});
  ledger_.add(TextSpool::take_up(7, 100, {}));
  const auto run = ledger_.take(1);
  EXPECT_THROW(ledger_.finish(run->number, {}), Error);
}

}  // namespace
}  // namespace atl
