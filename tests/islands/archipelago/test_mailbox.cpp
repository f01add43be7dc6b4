#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago/mailbox.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl::test {

namespace {

constexpr std::uint32_t islands = 5;

/// What nobody but islands can read.
std::shared_ptr<const Bytes> content_of(std::uint32_t island, std::uint32_t generation) {
  return std::make_shared<const Bytes>(20 + island, static_cast<std::byte>(generation));
}

/// To the next two islands.
Emigrants emigrants_of(std::uint32_t island, std::uint32_t generation) {
  Emigrants emigrants{island, generation, {(island + 1) % islands, (island + 2) % islands}, {}};
  std::sort(emigrants.destinations.begin(), emigrants.destinations.end());
  for (std::uint32_t k = 0; k < 3 + island % 2; ++k) {
    emigrants.migrants.push_back({island, 10 * island + k, content_of(island, generation)});
  }
  return emigrants;
}

/// From the two islands before it, by source and slot, and no others.
void expect_all(std::uint32_t island, std::uint32_t generation, std::span<const Migrant> came) {
  const std::set<std::uint32_t> sources = {(island + islands - 1) % islands,
                                           (island + islands - 2) % islands};
  std::size_t next = 0;
  for (const std::uint32_t from : sources) {
    for (std::uint32_t k = 0; k < 3 + from % 2; ++k, ++next) {
      ASSERT_LT(next, came.size());
      EXPECT_EQ(came[next].from, from);
      EXPECT_EQ(came[next].slot, 10 * from + k);
      EXPECT_EQ(*came[next].content, *content_of(from, generation));
    }
  }
  EXPECT_EQ(next, came.size());
}

}  // namespace

// Ranks are far apart: one has sent all before the others begin.
TEST(Mailbox, DeliversEverythingInOrderOnAnyNumberOfRanks) {
  constexpr std::uint32_t generations = 4;
  for (const int ranks : {1, 2, 3, 5}) {
    const Placement placement{islands, ranks};
    std::atomic<std::size_t> delivered = 0;
    run_ranks(ranks, [&](Communicator& communicator) {
      Mailbox mailbox(placement, communicator, Mailbox::Keeps::all);
      std::multiset<std::uint32_t> told;
      mailbox.tell([&](std::uint32_t island) { told.insert(island); });
      const std::uint32_t first = placement.first_island(communicator.rank());
      const std::uint32_t end = placement.first_island(communicator.rank() + 1);
      if (communicator.rank() != 0) communicator.barrier();
      for (std::uint32_t generation = 1; generation <= generations; ++generation) {
        for (std::uint32_t i = first; i < end; ++i) mailbox.send(emigrants_of(i, generation));
        mailbox.poll();
      }
      if (communicator.rank() == 0) communicator.barrier();
      for (std::uint32_t generation = 1; generation <= generations; ++generation) {
        for (std::uint32_t i = first; i < end; ++i) {
          auto came = mailbox.take(i, generation, 2);
          if (!came) {
            while (told.count(i) == 0) mailbox.poll();
            came = mailbox.take(i, generation, 2);
            told.erase(i);
          }
          ASSERT_TRUE(came);
          expect_all(i, generation, *came);
          EXPECT_TRUE(mailbox.take(i, generation, 0)->empty()) << "taken twice";
          ++delivered;
        }
      }
      EXPECT_TRUE(told.empty());
      while (delivered < generations * islands) mailbox.poll();
    });
  }
}

TEST(Mailbox, KeepsTheLastOfEachSourceWhereNobodyWaits) {
  const Placement placement{islands, 2};
  run_ranks(2, [&](Communicator& communicator) {
    Mailbox mailbox(placement, communicator, Mailbox::Keeps::last);
    const std::uint32_t first = placement.first_island(communicator.rank());
    const std::uint32_t end = placement.first_island(communicator.rank() + 1);
    for (std::uint32_t generation = 1; generation <= 3; ++generation) {
      for (std::uint32_t i = first; i < end; ++i) mailbox.send(emigrants_of(i, generation));
      if (generation == 2) mailbox.poll();
    }
    mailbox.drain();
    for (std::uint32_t i = first; i < end; ++i) {
      expect_all(i, 3, mailbox.take(i));
      EXPECT_TRUE(mailbox.take(i).empty());
    }
  });
}

}  // namespace atl::test
