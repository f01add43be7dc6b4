#include "cuda/device_program.hpp"

#include <algorithm>
#include <array>

namespace atl::cuda {

namespace {

/// What is compared with the planes, and what is done with the result: one or two a comparison.
struct Step {
  std::uint32_t bound = 0;
  std::uint32_t kind = 0;  ///< 0 or digit_equal
  std::uint32_t flags = 0;
};
struct Steps {
  std::array<Step, 2> all;
  std::uint32_t count = 1;
};

Steps steps_of(const BoundComparison& comparison) noexcept {
  const std::uint32_t flags = (comparison.complement ? step_outside : 0U) |
                              (comparison.limit_to_present ? step_present : 0U);
  switch (comparison.kind) {
    case BoundKind::never:  // greater than the greatest code
      break;
    case BoundKind::equal:
      return {{Step{comparison.low, digit_equal, flags}}};
    case BoundKind::greater:
      return {{Step{comparison.low, 0, flags}}};
    case BoundKind::interval:
      return {{Step{comparison.low, 0, step_hold}, Step{comparison.high, 0, flags | step_without}},
              2};
  }
  return {{Step{~std::uint32_t{0}, 0, flags}}};
}

// A digit that the attribute has no planes for is zero, as planes are that do not exist.
std::uint32_t digits_of(const Step& step, std::uint32_t first, std::uint32_t planes) noexcept {
  const std::uint32_t left = planes - first;
  const std::uint32_t mask = left >= pass_planes ? (1U << pass_planes) - 1 : (1U << left) - 1;
  const std::uint32_t code = step.bound >> first & mask;
  return (code & 15U) | step.kind | (code >> digit_planes | step.kind) << digit_bits;
}

std::uint32_t passes_of(std::uint32_t planes) noexcept {
  return (planes + pass_planes - 1) / pass_planes;
}

}  // namespace

std::vector<PlanePlace> plane_places(std::span<const Attribute> attributes) {
  std::vector<PlanePlace> places;
  std::uint32_t first = 0;
  for (const Attribute& attribute : attributes) {
    places.push_back({first, attribute.planes()});
    first += attribute.planes() + (attribute.has_missing ? 1U : 0U);
  }
  return places;
}

std::uint32_t plane_count(std::span<const Attribute> attributes) {
  std::uint32_t count = 0;
  for (const Attribute& attribute : attributes) {
    count += attribute.planes() + (attribute.has_missing ? 1U : 0U);
  }
  return count;
}

void DeviceProgram::build(const Batch& batch, std::span<const PlanePlace> places) {
  groups_ = static_cast<std::uint32_t>(batch.groups().size());
  terms_ = 0;
  position_.resize(batch.comparisons().size());
  begins_.assign(places.size() + 1, 0);
  reserve(batch, places);
  size_ = groups_ + batch.present_sets();
  for (std::size_t set = 0; set < batch.present_sets(); ++set) {
    words_[groups_ + set] = static_cast<std::uint32_t>(size_);
    const auto members = batch.present_set(set);
    put(static_cast<std::uint32_t>(members.size()));
    for (const std::uint32_t a : members) put(places[a].first + places[a].planes);
  }
  for (std::uint32_t g = 0; g < groups_; ++g) {
    words_[g] = static_cast<std::uint32_t>(size_);
    write_group(batch, batch.groups()[g], places);
  }
}

// More than enough, so that no word that is written asks for room.
void DeviceProgram::reserve(const Batch& batch, std::span<const PlanePlace> places) {
  std::size_t need = groups_ + batch.present_sets();
  for (std::size_t set = 0; set < batch.present_sets(); ++set) {
    need += 1 + batch.present_set(set).size();
  }
  std::uint32_t passes = 1;
  for (const std::uint32_t a : batch.attributes()) {
    passes = std::max(passes, passes_of(places[a].planes));
  }
  // A pass of its own for each comparison, with two steps and their slots.
  need += batch.comparisons().size() * (passes * std::size_t{6} + 2);
  for (const RuleGroup& group : batch.groups()) need += group.terms + std::size_t{6};
  need += batch.uses().size() + batch.folds().size() + batch.rules().size() * 2;
  if (words_.size() < need) words_.resize(need);
}

void DeviceProgram::write_group(const Batch& batch, const RuleGroup& group,
                                std::span<const PlanePlace> places) {
  sort_uses(batch, group);
  sort_comparisons(batch, group);
  write_blanks(group);
  put(group.first_comparison);
  const std::size_t passes = size_;
  put(0);
  std::uint32_t slots = 0;
  for (std::size_t i = 0; i < order_.size();) {
    const std::uint32_t attribute = batch.comparisons()[order_[i]].attribute;
    std::size_t end = i;
    while (end < order_.size() && batch.comparisons()[order_[end]].attribute == attribute) {
      position_[order_[end]] = group.first_comparison + static_cast<std::uint32_t>(end);
      ++end;
    }
    const PlanePlace& place = places[attribute];
    const auto run = std::span(order_).subspan(i, end - i);
    write_passes(batch, group, run, place);
    words_[passes] += passes_of(place.planes);
    if (place.planes > pass_planes) {
      std::uint32_t steps = 0;
      for (const std::uint32_t index : run) steps += steps_of(batch.comparisons()[index]).count;
      slots = std::max(slots, steps);
    }
    i = end;
  }
  terms_ = std::max(terms_, group.terms + slots);
  write_rules(batch, group);
}

void DeviceProgram::sort_uses(const Batch& batch, const RuleGroup& group) {
  const auto uses = batch.uses().subspan(group.first_use, group.end_use - group.first_use);
  use_begins_.assign(group.end_comparison - group.first_comparison + std::size_t{2}, 0);
  for (const Use& use : uses) ++use_begins_[use.comparison - group.first_comparison + 2];
  for (std::size_t i = 2; i < use_begins_.size(); ++i) use_begins_[i] += use_begins_[i - 1];
  uses_.resize(uses.size());
  for (const Use& use : uses) {
    uses_[use_begins_[use.comparison - group.first_comparison + 1]++] = use;
  }
}

// By counting, stable.
void DeviceProgram::sort_comparisons(const Batch& batch, const RuleGroup& group) {
  const auto comparisons = batch.comparisons().subspan(
      group.first_comparison, group.end_comparison - group.first_comparison);
  order_.resize(comparisons.size());
  for (const BoundComparison& comparison : comparisons) ++begins_[comparison.attribute];
  std::uint32_t begin = 0;
  for (const std::uint32_t a : batch.attributes()) {
    const std::uint32_t count = begins_[a];
    begins_[a] = begin;
    begin += count;
  }
  for (std::uint32_t i = 0; i < comparisons.size(); ++i) {
    order_[begins_[comparisons[i].attribute]++] = group.first_comparison + i;
  }
  for (const std::uint32_t a : batch.attributes()) begins_[a] = 0;
}

void DeviceProgram::write_blanks(const RuleGroup& group) {
  begun_.assign(group.terms, 0);
  for (const Use& use : uses_) begun_[use.term] = 1;
  const std::size_t blanks = size_;
  put(0);
  for (std::uint32_t term = 0; term < group.terms; ++term) {
    if (begun_[term] == 0) put(term);
  }
  words_[blanks] = static_cast<std::uint32_t>(size_ - blanks - 1);
  begun_.assign(group.terms, 0);
}

/// @param run  comparisons on one attribute
void DeviceProgram::write_passes(const Batch& batch, const RuleGroup& group,
                                 std::span<const std::uint32_t> run, const PlanePlace& place) {
  const bool several = place.planes > pass_planes;
  for (std::uint32_t first = 0; first < place.planes; first += pass_planes) {
    const std::uint32_t planes = std::min(place.planes - first, pass_planes);
    const bool ends = first + planes == place.planes;
    put(place.first + first);
    put(planes | (several && first == 0 ? pass_begins : 0U) | (ends ? 0U : pass_continues) |
        (several && ends ? pass_ends : 0U));
    put(place.first + place.planes);
    const std::size_t count = size_;
    put(0);
    std::uint32_t slot = group.terms;
    for (const std::uint32_t index : run) {
      const Steps steps = steps_of(batch.comparisons()[index]);
      for (std::uint32_t i = 0; i < steps.count; ++i, ++slot) {
        const Step& step = steps.all[i];
        const std::uint32_t digits = digits_of(step, first, place.planes);
        step_ = size_;
        put(ends ? digits | step.flags : digits | slot << step_term_shift);
        if (several && ends) put(slot);
      }
      words_[count] += steps.count;
      if (ends) write_uses(index - group.first_comparison);
    }
  }
}

// Into the last step's word, and words behind it for all uses but one.
void DeviceProgram::write_uses(std::uint32_t local) noexcept {
  std::size_t word = step_;
  for (std::uint32_t u = use_begins_[local]; u < use_begins_[local + 1]; ++u) {
    if (u != use_begins_[local]) {
      words_[word] |= step_more;
      word = size_;
      put(0);
    }
    const Use& use = uses_[u];
    words_[word] |= use.term << step_term_shift | (use.complement ? step_complement : 0U) |
                    (begun_[use.term] != 0 ? 0U : step_first);
    begun_[use.term] = 1;
  }
}

void DeviceProgram::write_rules(const Batch& batch, const RuleGroup& group) {
  const std::uint32_t first_fold = batch.rules()[group.first_rule].first_fold;
  const std::uint32_t end_fold = batch.rules()[group.end_rule - 1].end_fold;
  put(end_fold - first_fold);
  for (const Fold& fold : batch.folds().subspan(first_fold, end_fold - first_fold)) {
    put(fold.target | fold.source << 15 | (fold.complement ? 1U << 30 : 0));
  }
  put(group.first_rule);
  put(group.end_rule - group.first_rule);
  const bool exclude = batch.options().exclude_missing_consequent;
  for (std::uint32_t r = group.first_rule; r < group.end_rule; ++r) {
    const CompiledRule& rule = batch.rules()[r];
    put(rule.antecedent.term | (rule.antecedent.complement ? 1U << 15 : 0) |
        rule.consequent.term << 16 | (rule.consequent.complement ? 1U << 31 : 0));
    put(place_of_set(exclude ? rule.present_set : 0));
  }
}

}  // namespace atl::cuda
