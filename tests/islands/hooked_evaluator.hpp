// An evaluator that lets a test in between.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "src/eval/evaluator.hpp"

namespace atl::test {

/// Called with the number of the batch, in the order in which they were made: that of an
/// archipelago's islands.
using Hook = std::function<void(int batch)>;

/// Calls hooks, which may throw or wait, before batches are started and finished.
class HookedEvaluator final : public Evaluator {
 public:
  HookedEvaluator(std::unique_ptr<Evaluator> evaluator, Hook on_start, Hook on_finish)
      : evaluator_(std::move(evaluator)),
        on_start_(std::move(on_start)),
        on_finish_(std::move(on_finish)) {}
  std::unique_ptr<EvaluatorBatch> make_batch() override {
    return std::make_unique<Batch>(*this, evaluator_->make_batch(), made_++);
  }
  std::string name() const override { return evaluator_->name(); }

 private:
  struct Batch final : EvaluatorBatch {
    Batch(const HookedEvaluator& evaluator, std::unique_ptr<EvaluatorBatch> batch, int number)
        : evaluator(evaluator), batch(std::move(batch)), number(number) {}
    void prepare(std::span<const Rule> rules, const EvaluateOptions& options) override {
      batch->prepare(rules, options);
    }
    void start() override {
      if (evaluator.on_start_) evaluator.on_start_(number);
      batch->start();
    }
    void finish() override {
      if (evaluator.on_finish_) evaluator.on_finish_(number);
      batch->finish();
    }
    void read(std::span<RuleCounts> out) override { batch->read(out); }
    const HookedEvaluator& evaluator;
    std::unique_ptr<EvaluatorBatch> batch;
    int number;
  };

  std::unique_ptr<Evaluator> evaluator_;
  Hook on_start_, on_finish_;
  int made_ = 0;
};

}  // namespace atl::test
