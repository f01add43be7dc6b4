// The island model with islands of which it can know nothing: they hold a number each.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago/archipelago.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "tests/islands/archipelago/number_islands.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

class OpaqueIslands : public testing::Test {
 protected:
  RunState run(std::uint32_t generations, int waits, int ranks = 1, unsigned threads = 1,
               const RunState* from = nullptr) {
    std::optional<RunState> result;
    run_ranks(ranks, [&](Communicator& communicator) {
      ThreadPool pool(threads);
      NumberSearch search(waits);
      Archipelago archipelago(experiment_, search, {}, pool, communicator);
      if (from == nullptr) {
        archipelago.advance(0);
      } else {
        archipelago.restore(*from);
      }
      if (archipelago.generation() < generations) archipelago.advance(generations);
      if (auto state = archipelago.whole_state()) result = std::move(state);
    });
    return std::move(*result);
  }

  Experiment experiment_ = number_experiment();
};

TEST_F(OpaqueIslands, AGenerationMayWaitAnyNumberOfTimes) {
  const RunState state = run(7, 1);
  EXPECT_EQ(history_of(state).kept.size(), 5U * 8);
  const Bytes expected = encode(state);
  for (const int waits : {0, 1, 2, 5}) {
    for (const unsigned threads : {1U, 3U}) {
      for (const int ranks : {1, 2, 3, 5}) {
        EXPECT_EQ(encode(run(7, waits, ranks, threads)), expected)
            << waits << " waits, " << threads << " threads, " << ranks << " ranks";
      }
    }
  }
}

TEST_F(OpaqueIslands, GoOnFromTheirBytes) {
  const Bytes expected = encode(run(7, 3));
  for (std::uint32_t stop = 0; stop < 7; ++stop) {
    const RunState state = decode_run_state(encode(run(stop, 3, 2)));
    EXPECT_EQ(encode(run(7, 2, 3, 2, &state)), expected) << stop;
  }
}

TEST_F(OpaqueIslands, BytesOfAnotherVersionOrLengthAreRefused) {
  const RunState state = run(2, 1);
  for (std::size_t i = 0; i < state.sections.size(); ++i) {
    RunState other = state;
    ++other.sections[i].version;
    EXPECT_THROW(run(3, 1, 1, 1, &other), BadBytes) << state.sections[i].name;
    other = state;
    other.sections[i].bytes.push_back(std::byte{0});
    EXPECT_THROW(run(3, 1, 1, 1, &other), BadBytes) << state.sections[i].name;
  }
}

TEST_F(OpaqueIslands, ComeToTheEndWithoutWaitingForEachOther) {
  experiment_.migration = Migration::asynchronous;
  for (const int waits : {0, 1, 4}) {
    ThreadPool pool(2);
    NumberSearch search(waits);
    LocalCommunicator communicator;
    Archipelago archipelago(experiment_, search, {}, pool, communicator);
    archipelago.advance(0);
    archipelago.start(20);
    while (!archipelago.stopped()) archipelago.poll();
    archipelago.stop();
    archipelago.drain();
    EXPECT_EQ(archipelago.generation(), 20U);
    EXPECT_EQ(history_of(*archipelago.whole_state()).kept.size(), 5U * 21);
  }
}

}  // namespace
}  // namespace atl::test
