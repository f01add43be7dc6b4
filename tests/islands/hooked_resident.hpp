// A table whose counters let a test in between.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "src/eval/device.hpp"

namespace atl::test {

/// Called with the number of the counter, in the order in which they were made: that of an
/// archipelago's islands.
using Hook = std::function<void(int counter)>;

/// Calls hooks, which may throw or wait, before batches are started and finished.
/// @param ready  of a counter, asked only once the batch is: is it, too? Empty: it is
class HookedResident final : public Resident {
 public:
  HookedResident(const std::shared_ptr<Resident>& resident, Hook on_start, Hook on_finish,
                 std::function<bool(int counter)> ready = {})
      : Resident(resident->device().shared_from_this(), resident->dataset()),
        resident_(resident),
        on_start_(std::move(on_start)),
        on_finish_(std::move(on_finish)),
        ready_(std::move(ready)) {}
  std::unique_ptr<RuleCounter> rule_counter() override {
    return std::make_unique<Counter>(*this, resident_->rule_counter(), made_++);
  }

 private:
  struct Counter final : RuleCounter {
    Counter(const HookedResident& hooked, std::unique_ptr<RuleCounter> counting, int number)
        : hooks(hooked), counter(std::move(counting)), number(number) {}
    void prepare(std::span<const Rule> rules, const CountingOptions& options) override {
      counter->prepare(rules, options);
    }
    void start() override {
      if (hooks.on_start_) hooks.on_start_(number);
      counter->start();
    }
    bool ready() const override {
      return counter->ready() && (!hooks.ready_ || hooks.ready_(number));
    }
    void finish() override {
      if (hooks.on_finish_) hooks.on_finish_(number);
      counter->finish();
    }
    void read(std::span<RuleCounts> out) override { counter->read(out); }
    const HookedResident& hooks;
    std::unique_ptr<RuleCounter> counter;
    int number;
  };

  std::shared_ptr<Resident> resident_;
  Hook on_start_, on_finish_;
  std::function<bool(int)> ready_;
  int made_ = 0;
};

}  // namespace atl::test
