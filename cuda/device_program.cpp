#include "cuda/device_program.hpp"

#include <algorithm>
#include <numeric>

namespace atl::cuda {

namespace {

std::uint32_t size_of(const std::vector<std::uint32_t>& words) {
  return static_cast<std::uint32_t>(words.size());
}

}  // namespace

void DeviceProgram::build(const Batch& batch, std::span<const Attribute> attributes,
                          std::span<const std::uint32_t> first_planes) {
  groups_ = static_cast<std::uint32_t>(batch.groups().size());
  terms_ = 0;
  position_.resize(batch.comparisons().size());
  words_.assign(groups_ + batch.present_sets(), 0);
  for (std::size_t set = 0; set < batch.present_sets(); ++set) {
    words_[groups_ + set] = size_of(words_);
    const auto members = batch.present_set(set);
    words_.push_back(static_cast<std::uint32_t>(members.size()));
    for (const std::uint32_t a : members) {
      words_.push_back(first_planes[a] + attributes[a].planes());
    }
  }
  for (std::uint32_t g = 0; g < groups_; ++g) {
    const RuleGroup& group = batch.groups()[g];
    words_[g] = size_of(words_);
    terms_ = std::max(terms_, group.terms);
    build_group(batch, group, attributes, first_planes);
  }
}

void DeviceProgram::build_group(const Batch& batch, const RuleGroup& group,
                                std::span<const Attribute> attributes,
                                std::span<const std::uint32_t> first_planes) {
  const auto comparisons = batch.comparisons();
  order_.resize(group.end_comparison - group.first_comparison);
  std::iota(order_.begin(), order_.end(), group.first_comparison);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return comparisons[a].attribute < comparisons[b].attribute;
  });

  const auto uses = batch.uses().subspan(group.first_use, group.end_use - group.first_use);
  use_begins_.assign(order_.size() + 2, 0);
  for (const Use& use : uses) ++use_begins_[use.comparison - group.first_comparison + 2];
  std::partial_sum(use_begins_.begin(), use_begins_.end(), use_begins_.begin());
  uses_.resize(uses.size());
  for (const Use& use : uses) {
    uses_[use_begins_[use.comparison - group.first_comparison + 1]++] = use;
  }

  begun_.assign(group.terms, false);
  for (const Use& use : uses) begun_[use.term] = true;
  const std::size_t blanks = words_.size();
  words_.push_back(0);
  for (std::uint32_t term = 0; term < group.terms; ++term) {
    if (!begun_[term]) words_.push_back(term);
  }
  words_[blanks] = static_cast<std::uint32_t>(words_.size() - blanks - 1);
  begun_.assign(group.terms, false);
  words_.push_back(group.first_comparison);

  const std::size_t runs = words_.size();
  words_.push_back(0);
  std::size_t steps = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t index = order_[i];
    const BoundComparison& comparison = comparisons[index];
    const Attribute& attribute = attributes[comparison.attribute];
    position_[index] = group.first_comparison + static_cast<std::uint32_t>(i);
    if (i == 0 || comparisons[order_[i - 1]].attribute != comparison.attribute) {
      ++words_[runs];
      words_.push_back(first_planes[comparison.attribute]);
      words_.push_back(attribute.planes() | (attribute.has_missing ? 1U << 8 : 0));
      steps = words_.size();
      words_.push_back(0);
    }
    words_[steps] += comparison.kind == BoundKind::interval ? 2U : 1U;
    append(comparison, attribute);
    const std::uint32_t local = index - group.first_comparison;
    const std::uint32_t first = use_begins_[local];
    const std::uint32_t end = use_begins_[local + 1];
    std::size_t word = step_;
    for (std::uint32_t u = first; u < end; ++u) {
      if (u != first) {
        words_[word] |= step_more;
        word = words_.size();
        words_.push_back(0);
      }
      const Use& use = uses_[u];
      words_[word] |= use.term << step_term_shift | (use.complement ? step_complement : 0U) |
                      (begun_[use.term] ? 0U : step_first);
      begun_[use.term] = true;
    }
  }

  const std::uint32_t first_fold = batch.rules()[group.first_rule].first_fold;
  const std::uint32_t end_fold = batch.rules()[group.end_rule - 1].end_fold;
  words_.push_back(end_fold - first_fold);
  for (std::uint32_t f = first_fold; f < end_fold; ++f) {
    const Fold& fold = batch.folds()[f];
    words_.push_back(fold.target | fold.source << 15 | (fold.complement ? 1U << 30 : 0));
  }
  words_.push_back(group.first_rule);
  words_.push_back(group.end_rule - group.first_rule);
  const bool exclude = batch.options().exclude_missing_consequent;
  for (std::uint32_t r = group.first_rule; r < group.end_rule; ++r) {
    const CompiledRule& rule = batch.rules()[r];
    words_.push_back(rule.antecedent.term | (rule.antecedent.complement ? 1U << 15 : 0) |
                     rule.consequent.term << 16 | (rule.consequent.complement ? 1U << 31 : 0));
    words_.push_back(words_[groups_ + (exclude ? rule.present_set : 0)]);
  }
}

void DeviceProgram::append(const BoundComparison& comparison, const Attribute& attribute) {
  const std::uint32_t planes = attribute.planes();
  const std::uint32_t flags = (comparison.complement ? step_outside : 0U) |
                              (comparison.limit_to_present ? step_present : 0U);
  switch (comparison.kind) {
    case BoundKind::never:  // greater than the greatest code
      append_digits(~std::uint32_t{0}, false, planes, flags);
      break;
    case BoundKind::equal:
      append_digits(comparison.low, true, planes, flags);
      break;
    case BoundKind::greater:
      append_digits(comparison.low, false, planes, flags);
      break;
    case BoundKind::interval:
      append_digits(comparison.low, false, planes, step_hold);
      append_digits(comparison.high, false, planes, flags | step_without);
      break;
  }
}

// A digit that the attribute has no planes for is zero, as planes are that do not exist.
void DeviceProgram::append_digits(std::uint32_t bound, bool equal, std::uint32_t planes,
                                  std::uint32_t flags) {
  const std::uint32_t mask = planes >= 32 ? ~std::uint32_t{0} : (1U << planes) - 1;
  const std::uint32_t kind = equal ? digit_equal : 0U;
  const auto code = [&](std::uint32_t digit) {
    return ((bound & mask) >> digit * digit_planes & 15U) | kind;
  };
  step_ = words_.size();
  words_.push_back(code(0) | code(1) << digit_bits | flags);
  if (planes <= held_digits * digit_planes) return;
  std::uint32_t others = 0;
  for (std::uint32_t digit = held_digits; digit * digit_planes < planes; ++digit) {
    others |= code(digit) << (digit - held_digits) * digit_bits;
  }
  words_.push_back(others);
}

}  // namespace atl::cuda
