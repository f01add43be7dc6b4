#include "src/sampling/sampled_rule.hpp"

#include <utility>

namespace atl {

SampledRule::SampledRule(ClassRule rule, const ClassSample* sample)
    : rule_(std::move(rule)), sample_(sample) {
  if (sample_ == nullptr) return;
  for (const auto conjunction : atl::alternatives(rule_.antecedent)) {
    for (const Comparison& comparison : conjunction) {
      comparisons_.push_back(sample_->rows_of(comparison));
    }
    ends_.push_back(comparisons_.size());
  }
}

const std::uint64_t* SampledRule::cover() const {
  std::call_once(once_, [this] {
    cover_.resize(sample_->words());
    sample_->cover(rule_.antecedent, cover_.data());
  });
  return cover_.data();
}

SharedRule sampled(ClassRule rule, const ClassSample& sample) {
  return std::make_shared<const SampledRule>(std::move(rule), &sample);
}

SharedRule relabelled(const SampledRule& rule, std::uint32_t label) {
  return std::make_shared<const SampledRule>(ClassRule{rule.rule().antecedent, label},
                                             rule.sample());
}

}  // namespace atl
