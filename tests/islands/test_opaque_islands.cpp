// The island model with islands of which it can know nothing: they hold a number each.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "islands/archipelago.hpp"
#include "islands/run_sections.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/islands/thread_communicator.hpp"

namespace atl::test {
namespace {

class GreatestNumber final : public Results {
 public:
  void offer(std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    greatest_ = std::max(greatest_, number);
  }

  std::size_t size() const override { return 1; }
  std::vector<double> best() const override { return {}; }
  std::uint32_t version() const override { return 3; }
  void save(ByteWriter& out) const override {
    const std::scoped_lock lock(mutex_);
    out.put(greatest_);
  }
  void merge(ByteReader& in) override { offer(in.get<std::uint64_t>()); }

 private:
  mutable std::mutex mutex_;
  std::uint64_t greatest_ = 0;
};

class NumberIsland final : public Island {
 public:
  NumberIsland(std::uint32_t island, int waits) : island_(island), waits_(waits) {}

  Step advance(PhaseTimes&) override {
    if (waited_ < waits_) {
      ++waited_;
      return Step::waits;
    }
    waited_ = 0;
    generation_ = begun_ ? generation_ + 1 : 0;
    begun_ = true;
    number_ = number_ * 31 + 100 * island_ + generation_;
    return Step::done;
  }
  bool ready() const override { return (waited_ + static_cast<int>(island_)) % 3 == 0; }

  HistoryRow summary() const override { return {generation_, island_, number_, 0, {}, {}, 0}; }
  void offer(Results& results) override { dynamic_cast<GreatestNumber&>(results).offer(number_); }
  std::vector<Migrant> emigrants(std::size_t most) override {
    ByteWriter out;
    out.put(number_);
    const auto content = std::make_shared<const Bytes>(std::move(out).take());
    return {most, Migrant{island_, 7, content}};
  }
  std::vector<Move> immigrate(std::span<const Migrant> migrants) override {
    std::vector<Move> moves;
    for (const Migrant& migrant : migrants) {
      ByteReader in(*migrant.content);
      number_ = number_ * 17 + in.get<std::uint64_t>();
      moves.push_back({migrant.from, migrant.slot, island_, 0});
    }
    return moves;
  }

  std::uint32_t version() const override { return 2; }
  void save(ByteWriter& out) const override { out.put(number_); }
  void load(ByteReader& in, const HistoryRow& last) override {
    number_ = in.get<std::uint64_t>();
    generation_ = last.generation;
    begun_ = true;
  }

 private:
  std::uint32_t island_;
  int waits_;
  int waited_ = 0;
  bool begun_ = false;
  std::uint32_t generation_ = 0;
  std::uint64_t number_ = 1;
};

class NumberSearch final : public Search {
 public:
  explicit NumberSearch(int waits) : waits_(waits) {}

  std::vector<std::unique_ptr<Island>> islands(std::span<const std::uint32_t> numbers) override {
    std::vector<std::unique_ptr<Island>> made;
    for (const std::uint32_t number : numbers) {
      made.push_back(std::make_unique<NumberIsland>(number, waits_));
    }
    return made;
  }
  std::unique_ptr<Results> results() const override { return std::make_unique<GreatestNumber>(); }
  void expect_true(const RunState&, std::span<const std::uint32_t>) override {}
  std::optional<BusySeconds> device_seconds() const override { return std::nullopt; }

 private:
  int waits_;
};

class OpaqueIslands : public testing::Test {
 protected:
  OpaqueIslands() {
    experiment_.islands = 5;
    experiment_.migrate_every = 2;
    experiment_.migrants = 2;
    experiment_.topology = "two-way-ring";
  }

  RunState run(std::uint32_t generations, int waits, int ranks = 1, unsigned threads = 1,
               const RunState* from = nullptr) {
    std::optional<RunState> result;
    run_ranks(ranks, [&](Communicator& communicator) {
      ThreadPool pool(threads);
      NumberSearch search(waits);
      Archipelago archipelago(experiment_, search, {}, pool, communicator);
      if (from == nullptr) {
        archipelago.initialise();
      } else {
        archipelago.restore(*from);
      }
      if (archipelago.generation() < generations) archipelago.advance(generations);
      if (auto state = archipelago.whole_state()) result = std::move(state);
    });
    return std::move(*result);
  }

  Experiment experiment_ = small_experiment("niching");
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
    archipelago.initialise();
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
