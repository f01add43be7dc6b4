#include "src/sampling/sampled_rule.hpp"

#include <utility>

namespace atl {

SampledRule::SampledRule(ClassRule rule, const ClassSample* sample)
    : rule_(std::move(rule)), sample_(sample) {
  if (sample_ == nullptr) return;
  if (!rule_.antecedent.empty() && !rule_.antecedent.is_conjunction()) return;
  for (const Comparison& comparison : rule_.antecedent.comparisons()) {
    comparisons_.push_back(sample_->rows_of(comparison));
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
