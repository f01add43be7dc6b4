#include "src/eval/evaluator.hpp"

#include <algorithm>
#include <utility>

namespace atl {

BatchId Evaluator::submit(std::span<const Rule> rules, const EvaluateOptions& options) {
  if (spare_.empty()) spare_.push_back(make_batch());
  EvaluatorBatch& batch = *spare_.back();
  batch.prepare(rules, options);
  batch.start();
  running_.push_back({++last_, std::move(spare_.back())});
  spare_.pop_back();
  return last_;
}

void Evaluator::wait(BatchId batch, std::span<RuleCounts> out) {
  const auto found = std::find_if(running_.begin(), running_.end(),
                                  [&](const Running& running) { return running.id == batch; });
  if (found == running_.end()) {
    throw InternalError("a batch that was not submitted, or waited for twice");
  }
  spare_.push_back(std::move(found->batch));
  running_.erase(found);
  spare_.back()->finish();
  spare_.back()->read(out);
}

}  // namespace atl
