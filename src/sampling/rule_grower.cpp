#include "src/sampling/rule_grower.hpp"

#include <algorithm>
#include <utility>

namespace atl {
namespace {

/// A word of which each bit is set with a probability of `share` / 256: a random number of 8 bits
/// is compared with the share for all bits at once, from its lowest bit up.
std::uint64_t drawn_bits(std::uint32_t share, RandomStream& stream) {
  std::uint64_t below = 0;
  for (std::uint32_t bit = 0; bit < 8; ++bit) {
    const std::uint64_t zeros = stream.next_u64();
    below = (share >> bit & 1) != 0 ? below | zeros : below & zeros;
  }
  return below;
}

}  // namespace

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

void draw(GrowthTask& task, const ClassSample& sample, const GrowthSettings& settings,
          RandomStream& stream) {
  const std::size_t windows = sample.windows().size();
  task.window = windows == 1 ? 0 : static_cast<std::uint32_t>(stream.below(windows));
  task.drawn = stream.next_double();
  task.criterion = static_cast<GrowthCriterion>(stream.below(growth_criteria));
  task.prior_rows = stream.chance(0.5) ? 1 : 5;
  task.attributes.clear();
  if (!stream.chance(0.5)) return;
  constexpr std::uint32_t least_share = 77;  // 0.3
  const auto share =
      least_share + static_cast<std::uint32_t>(stream.below(std::uint64_t{256} - least_share));
  task.attributes.resize(settings.most_steps() * attribute_words(sample.attributes().size()));
  for (std::uint64_t& word : task.attributes) word = drawn_bits(share, stream);
}

std::vector<double> weights_in_window(const ClassSample& sample, const GrowthSettings& settings) {
  const auto windows = static_cast<double>(sample.windows().size());
  std::vector<double> weights = settings.weights;
  for (std::uint32_t c = 0; c < weights.size(); ++c) weights[c] *= sample.scale(c) * windows;
  return weights;
}

std::vector<double> least_in_window(const ClassSample& sample, const GrowthSettings& settings) {
  std::vector<double> least = weights_in_window(sample, settings);
  for (std::uint32_t c = 0; c < least.size(); ++c) {
    const double half = static_cast<double>(sample.class_rows()[c]) / 2;
    least[c] *= std::min(settings.least_rows, std::max(half, 1.0));
  }
  return least;
}

bool add(std::vector<Comparison>& conjunction, const Comparison& comparison,
         std::span<const Attribute> attributes) {
  auto count = static_cast<std::uint32_t>(conjunction.size());
  conjunction.emplace_back();
  const bool something = add_comparison(conjunction.data(), count, comparison,
                                        attributes[comparison.attribute].ordered());
  conjunction.resize(count);
  return something;
}

Expression grown_antecedent(std::vector<Comparison> conjunction,
                            std::span<const Attribute> attributes) {
  std::sort(conjunction.begin(), conjunction.end());
  return canonical(Expression::conjunction(conjunction), attributes);
}

}  // namespace atl
