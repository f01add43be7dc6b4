// Rules with what is known of them on a sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
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
  /// Conjunctions that the antecedent joins by OR; 0 if it has another shape.
  std::size_t alternatives() const noexcept { return ends_.size(); }
  /// The rows of the comparisons of one of them.
  std::span<const ComparisonRows> alternative(std::size_t number) const noexcept {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span(comparisons_.data(), comparisons_.size())
        .subspan(begin, ends_[number] - begin);
  }
  /// [words of the sample] rows that it covers. Found when first asked for, by any thread.
  const std::uint64_t* cover() const;

 private:
  ClassRule rule_;
  const ClassSample* sample_;
  SmallVector<ComparisonRows, 6> comparisons_;  // of all alternatives
  SmallVector<std::size_t, 2> ends_;            // of each
  mutable std::once_flag once_;
  mutable std::vector<std::uint64_t> cover_;
};
using SharedRule = std::shared_ptr<const SampledRule>;

SharedRule sampled(ClassRule rule, const ClassSample& sample);
/// The same antecedent with another class.
SharedRule relabelled(const SampledRule& rule, std::uint32_t label);

}  // namespace atl
