#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/app/itemsets/search_ledger.hpp"
#include "src/core/error.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl {
namespace {

using Ranges = std::vector<SearchRange>;

class SearchLedgerTest : public testing::Test {
 protected:
  const io::Folder& folder() {
    if (!folder_) folder_.emplace(path_.path(), io::Access::write);
    return *folder_;
  }
  std::vector<std::string> files() { return folder().names(); }

  test::TemporaryFolder path_;
  std::optional<io::Folder> folder_;
  TextSpool spool_{[this]() -> const io::Folder& { return folder(); }};
  std::string written_;
  SearchLedger ledger_{spool_, [this](std::string_view text) { written_ += text; }};
};

TEST_F(SearchLedgerTest, OneRankGetsAllUpToTheFirstText) {
  ledger_.add(SearchRange{{3, 1}, 2, 4});
  ledger_.add(SearchRange{{}, 4, 9});
  ledger_.add(SearchLedger::Piece(SpooledText{.kept = "text"}));
  ledger_.add(SearchRange{{}, 9, 10});
  const auto run = ledger_.take(1);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->parts, (Ranges{{{3, 1}, 2, 4}, {{}, 4, 9}}));
  EXPECT_EQ(ledger_.take(1)->parts, (Ranges{{{}, 9, 10}}));
  EXPECT_FALSE(ledger_.take(1));
}

TEST_F(SearchLedgerTest, MoreRanksGetSharesOfTheOutermostLoop) {
  ledger_.add(SearchRange{{}, 0, 20});
  EXPECT_EQ(ledger_.take(2)->parts, (Ranges{{{}, 0, 5}}));
  EXPECT_EQ(ledger_.take(2)->parts, (Ranges{{{}, 5, 8}}));
  EXPECT_EQ(ledger_.items_left(), 12U);
  std::uint32_t next = 8;
  while (const auto run = ledger_.take(2)) {
    ASSERT_EQ(run->parts.size(), 1U);
    EXPECT_EQ(run->parts[0].first, next);
    next = run->parts[0].end;
  }
  EXPECT_EQ(next, 20U);
}

TEST_F(SearchLedgerTest, WhatIsLeftInsideAnItemGoesWithItemsBehindIt) {
  ledger_.add(SearchRange{{2}, 1, 2});
  ledger_.add(SearchLedger::Piece(SpooledText{.kept = "text"}));
  ledger_.add(SearchRange{{6, 5}, 2, 4});
  ledger_.add(SearchRange{{6}, 5, 6});
  ledger_.add(SearchRange{{}, 7, 9});
  EXPECT_EQ(ledger_.items_left(), 4U);
  EXPECT_EQ(ledger_.take(3)->parts, (Ranges{{{6, 5}, 2, 4}, {{6}, 5, 6}, {{}, 7, 8}}));
  EXPECT_EQ(ledger_.take(3)->parts, (Ranges{{{}, 8, 9}}));
  EXPECT_EQ(ledger_.take(3)->parts, (Ranges{{{2}, 1, 2}}));
}

TEST_F(SearchLedgerTest, TextIsWrittenInOrderWhoeverIsFirst) {
  ledger_.add(SearchRange{{}, 0, 3});
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

TEST_F(SearchLedgerTest, ARunThatIsStoppedLeavesPartsAndTheTextBehindThem) {
  ledger_.add(SearchRange{{}, 0, 9});
  const auto run = ledger_.take(1);
  ledger_.append(run->number, "first ");
  ledger_.finish(run->number, {{{{{1}, 2, 3}, {{}, 2, 4}}, "second "}, {{{{}, 5, 9}}, ""}});
  EXPECT_EQ(ledger_.sync().size(), 4U);
  EXPECT_EQ(files(), (std::vector<std::string>{"text-1"}));
  const auto before = ledger_.take(1);
  EXPECT_EQ(before->parts, (Ranges{{{1}, 2, 3}, {{}, 2, 4}}));
  const auto behind = ledger_.take(1);
  ledger_.append(behind->number, "third");
  ledger_.finish(behind->number, {});
  ledger_.finish(before->number, {});
  EXPECT_EQ(written_, "first second third");
  EXPECT_TRUE(files().empty());
}

TEST_F(SearchLedgerTest, MuchTextWaitsInFilesThatStayAsLongAsACheckpointNamesThem) {
  ledger_.add(SearchRange{{}, 0, 3});
  const auto a = ledger_.take(9), b = ledger_.take(9);
  const std::string block(TextSpool::most_kept / 4, 'b');
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

TEST_F(SearchLedgerTest, AFileThatIsGoneIsNoticed) {
  ledger_.add(SearchRange{{}, 0, 1});
  ledger_.add(spool_.take_up(7, 100, {}));
  const auto run = ledger_.take(1);
  EXPECT_THROW(ledger_.finish(run->number, {}), Error);
}

}  // namespace
}  // namespace atl
