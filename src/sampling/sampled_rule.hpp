// Rules with what is known of them on a sample.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "src/core/small_vector.hpp"
#include "src/rules/rule_set.hpp"
#include "src/sampling/class_sample.hpp"

namespace atl {

/// A rule of decision lists. Lists that have it share it.
class SampledRule {
 public:
  /// @param sample  must outlive it; null if nobody asks for rows
  SampledRule(ClassRule rule, const ClassSample* sample);

  const ClassRule& rule() const noexcept { return rule_; }
  const ClassSample* sample() const noexcept { return sample_; }
  /// Of the antecedent's comparisons, if it is a conjunction or empty; else none.
  const SmallVector<ComparisonRows, 6>& comparisons() const noexcept { return comparisons_; }
  bool is_conjunction() const noexcept {
    return comparisons_.size() == rule_.antecedent.comparisons().size();
  }
  /// [words of the sample] rows that it covers. Found when first asked for, by any thread.
  const std::uint64_t* cover() const;

 private:
  ClassRule rule_;
  const ClassSample* sample_;
  SmallVector<ComparisonRows, 6> comparisons_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint64_t> cover_;
};
using SharedRule = std::shared_ptr<const SampledRule>;

SharedRule sampled(ClassRule rule, const ClassSample& sample);
/// The same antecedent with another class.
SharedRule relabelled(const SampledRule& rule, std::uint32_t label);

}  // namespace atl
