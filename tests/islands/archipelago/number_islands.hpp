// Islands that are nothing but numbers: what the island model must not need to know more of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "islands/archipelago/island.hpp"
#include "islands/archipelago/search.hpp"
#include "src/config/experiment.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {

/// Of five of them, which send both ways after every other generation.
inline Experiment number_experiment() {
  Experiment experiment = default_experiment("niching");
  experiment.islands = 5;
  experiment.migrate_every = 2;
  experiment.migrants = 2;
  experiment.topology = "two-way-ring";
  return experiment;
}

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
  using Hook = std::function<void(std::uint32_t island, std::uint32_t generation)>;

  NumberIsland(std::uint32_t island, int waits, Hook hook)
      : island_(island), waits_(waits), hook_(std::move(hook)) {}

  Step advance(PhaseTimes&) override {
    if (waited_ < waits_) {
      ++waited_;
      return Step::waits;
    }
    waited_ = 0;
    hook_(island_, begun_ ? generation_ + 1 : 0);
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
  Hook hook_;
  int waited_ = 0;
  bool begun_ = false;
  std::uint32_t generation_ = 0;
  std::uint64_t number_ = 1;
};

class NumberSearch final : public Search {
 public:
  /// @param hook  called before an island begins a generation, on the thread that has it
  explicit NumberSearch(
      int waits, NumberIsland::Hook hook = [](std::uint32_t, std::uint32_t) {})
      : waits_(waits), hook_(std::move(hook)) {}

  std::vector<std::unique_ptr<Island>> islands(std::span<const std::uint32_t> numbers) override {
    std::vector<std::unique_ptr<Island>> made;
    for (const std::uint32_t number : numbers) {
      made.push_back(std::make_unique<NumberIsland>(number, waits_, hook_));
    }
    return made;
  }
  std::unique_ptr<Results> results() const override { return std::make_unique<GreatestNumber>(); }
  void expect_true(const RunState&, std::span<const std::uint32_t>) override {}
  std::optional<BusySeconds> device_seconds() const override { return std::nullopt; }

 private:
  int waits_;
  NumberIsland::Hook hook_;
};

}  // namespace atl::test
