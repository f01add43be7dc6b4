#include "src/eval/plane_program.hpp"

#include <algorithm>
#include <bit>

namespace atl {
namespace {

RunKind kind_of(const BoundComparison& comparison) noexcept {
  switch (comparison.kind) {
    case BoundKind::equal:
      return RunKind::equal;
    case BoundKind::interval:
      return RunKind::interval;
    case BoundKind::greater:
      return static_cast<RunKind>(std::min(std::countr_one(comparison.low), 3));
    case BoundKind::never:
      break;
  }
  return RunKind::never;
}

constexpr std::uint32_t all_ones(bool bit) noexcept {
  return bit ? ~std::uint32_t{0} : 0;
}

/// Turns counts, each at its index + 1, into where each index begins.
void accumulate(std::vector<std::uint32_t>& counts) noexcept {
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
}

}  // namespace

void PlaneProgram::build(const Batch& batch, std::span<const Attribute> attributes,
                         BoundForm form) {
  form_ = form;
  runs_.clear();
  stream_.clear();
  first_run_.assign(1, 0);
  first_word_.clear();
  position_.resize(batch.comparisons().size());
  rank_.resize(attributes.size());
  for (std::uint32_t i = 0; i < batch.attributes().size(); ++i) rank_[batch.attributes()[i]] = i;
  for (const RuleGroup& group : batch.groups()) {
    first_word_.push_back(stream_.size());
    build_group(batch, group, attributes);
    first_run_.push_back(runs_.size());
  }
}

void PlaneProgram::build_group(const Batch& batch, const RuleGroup& group,
                               std::span<const Attribute> attributes) {
  sort_comparisons(batch, group);
  sort_uses(batch, group);
  const std::size_t run_begin = runs_.size();
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t index = order_[i];
    const BoundComparison& comparison = batch.comparisons()[index];
    const RunKind kind = kind_of(comparison);
    position_[index] = group.first_comparison + i;
    if (runs_.size() == run_begin || runs_.back().attribute != comparison.attribute) {
      runs_.push_back({comparison.attribute, {}});
    }
    ++runs_.back().comparisons[static_cast<std::size_t>(kind)];
    append(comparison, kind, attributes[comparison.attribute]);
    const std::uint32_t first = use_begins_[index - group.first_comparison];
    const std::uint32_t end = use_begins_[index - group.first_comparison + 1];
    for (std::uint32_t u = first; u < end; ++u) {
      const std::uint32_t word = uses_[u].term * static_cast<std::uint32_t>(tile_words);
      stream_.push_back(u + 1 == end ? word | last_use : word);
      stream_.push_back(all_ones(uses_[u].complement));
    }
  }
}

void PlaneProgram::sort_comparisons(const Batch& batch, const RuleGroup& group) {
  const auto comparisons = batch.comparisons();
  const auto key = [&](std::uint32_t index) {
    const BoundComparison& comparison = comparisons[index];
    return rank_[comparison.attribute] * run_kinds + static_cast<std::size_t>(kind_of(comparison));
  };
  begins_.assign(batch.attributes().size() * run_kinds + 1, 0);
  for (std::uint32_t c = group.first_comparison; c < group.end_comparison; ++c) {
    ++begins_[key(c) + 1];
  }
  accumulate(begins_);
  order_.resize(group.end_comparison - group.first_comparison);
  for (std::uint32_t c = group.first_comparison; c < group.end_comparison; ++c) {
    order_[begins_[key(c)]++] = c;
  }
}

void PlaneProgram::sort_uses(const Batch& batch, const RuleGroup& group) {
  const auto uses = batch.uses().subspan(group.first_use, group.end_use - group.first_use);
  use_begins_.assign(group.end_comparison - group.first_comparison + 1, 0);
  for (const Use& use : uses) ++use_begins_[use.comparison - group.first_comparison + 1];
  accumulate(use_begins_);
  begins_ = use_begins_;
  uses_.resize(uses.size());
  for (const Use& use : uses) uses_[begins_[use.comparison - group.first_comparison]++] = use;
}

void PlaneProgram::append(const BoundComparison& comparison, RunKind kind,
                          const Attribute& attribute) {
  const std::uint32_t planes = attribute.planes();
  const auto first = static_cast<std::uint32_t>(kind);
  switch (kind) {
    case RunKind::greater_from_0:
    case RunKind::greater_from_1:
    case RunKind::greater_from_2:
      append_bound(comparison.low, first + 1, first / digit_planes, planes);
      break;
    case RunKind::greater_from_3:
      append_bound(comparison.low, 3, 3 / digit_planes, planes);
      break;
    case RunKind::equal:
      append_bound(comparison.low, 0, 0, planes);
      break;
    case RunKind::interval:
      append_bound(comparison.low, 0, 0, planes);
      append_bound(comparison.high, 0, 0, planes);
      break;
    case RunKind::never:
      break;
  }
  if (attribute.has_missing) stream_.push_back(all_ones(comparison.complement));
}

void PlaneProgram::append_bound(std::uint32_t code, std::uint32_t first_mask,
                                std::uint32_t first_digit, std::uint32_t planes) {
  if (form_ == BoundForm::masks) {
    for (std::uint32_t bit = first_mask; bit < planes; ++bit) {
      stream_.push_back(all_ones((code >> bit & 1) == 0));
    }
  } else {
    constexpr std::uint32_t greatest = (1U << digit_planes) - 1;
    for (std::uint32_t bit = first_digit * digit_planes; bit < planes; bit += digit_planes) {
      stream_.push_back((code >> bit & greatest) * static_cast<std::uint32_t>(tile_words));
    }
  }
}

}  // namespace atl
