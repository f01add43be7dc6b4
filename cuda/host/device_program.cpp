#include "cuda/host/device_program.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

/// A step: what is compared with the planes, and what is done with the result.
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
std::uint32_t digits_of(std::uint32_t bound, std::uint32_t kind, std::uint32_t first,
                        std::uint32_t planes) noexcept {
  const std::uint32_t left = std::min(planes - first, pass_planes);
  const std::uint32_t code = bound >> first & ((1U << left) - 1);
  return (code & 15U) | kind | (code >> digit_planes | kind) << step_upper_shift;
}

constexpr std::uint32_t no_place = ~std::uint32_t{0};

std::uint32_t passes_of(std::uint32_t planes) noexcept {
  return (planes + pass_planes - 1) / pass_planes;
}

}  // namespace

std::vector<PlanePlace> plane_places(std::span<const Attribute> attributes) {
  std::vector<PlanePlace> places;
  std::uint32_t end = 0;
  for (const Attribute& attribute : attributes) {
    const std::uint32_t first = end;
    end += attribute.planes() + (attribute.has_missing ? 1U : 0U);
    places.push_back({first, attribute.planes(), end});
  }
  return places;
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
  // Passes of its own for each comparison, with two steps and their slots.
  need += batch.comparisons().size() * passes * 8 + batch.uses().size() * 2;
  need += batch.groups().size() * 6 + batch.folds().size() + batch.rules().size() * 2;
  if (words_.size() < need) words_.resize(need);
}

void DeviceProgram::write_group(const Batch& batch, const RuleGroup& group,
                                std::span<const PlanePlace> places) {
  if (group.terms > term_mask + 1) throw InternalError("a rule of more than 32768 terms");
  sort_uses(batch, group);
  sort_comparisons(batch, group);
  assign_terms(batch, group);
  put(places_);
  put(group.first_comparison);
  const std::size_t passes = size_;
  put(0);
  std::uint32_t slots = 0;
  for (std::size_t i = 0, run = 0; i < order_.size(); ++run) {
    const std::uint32_t attribute = batch.comparisons()[order_[i]].attribute;
    const PlanePlace& place = places[attribute];
    std::size_t end = i;
    special_.clear();
    std::size_t plain = i;
    for (; end < order_.size() && batch.comparisons()[order_[end]].attribute == attribute; ++end) {
      if (is_plain(batch, group, order_[end])) {
        order_[plain++] = order_[end];
      } else {
        special_.push_back(order_[end]);
      }
    }
    std::copy(special_.begin(), special_.end(),
              order_.begin() + static_cast<std::ptrdiff_t>(plain));
    for (std::size_t k = i; k < end; ++k) {
      position_[order_[k]] = group.first_comparison + static_cast<std::uint32_t>(k);
    }
    if (plain != i) {
      slots = std::max(slots,
                       write_plain(batch, group, std::span(order_).subspan(i, plain - i), place));
      words_[passes] += passes_of(place.planes);
    }
    if (!special_.empty()) {
      slots = std::max(slots, write_special(batch, group, place));
      words_[passes] += passes_of(place.planes);
    }
    write_folds(run);
    i = end;
  }
  terms_ = std::max(terms_, places_ + slots);
  write_rules(batch, group);
}

// An interval is plain where both its ends can be subtracted from the terms, one after the other.
bool DeviceProgram::is_plain(const Batch& batch, const RuleGroup& group,
                             std::uint32_t index) noexcept {
  const BoundComparison& comparison = batch.comparisons()[index];
  if (comparison.complement || comparison.limit_to_present) return false;
  if (comparison.kind != BoundKind::interval) return true;
  const auto uses = uses_of(index - group.first_comparison);
  return !batch.options().comparison_supports &&
         std::none_of(uses.begin(), uses.end(), [](const Use& use) { return use.complement; });
}

std::span<Use> DeviceProgram::uses_of(std::uint32_t local) noexcept {
  return std::span(uses_).subspan(use_begins_[local], use_begins_[local + 1] - use_begins_[local]);
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

// Sorts by counting, stable.
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

// A term has a place from its first use until it is folded, as nested expressions have more terms
// than they need at a time.
void DeviceProgram::assign_terms(const Batch& batch, const RuleGroup& group) {
  const std::uint32_t first_fold = batch.rules()[group.first_rule].first_fold;
  const std::uint32_t end_fold = batch.rules()[group.end_rule - 1].end_fold;
  folds_.clear();
  fold_ends_.clear();
  if (first_fold == end_fold) {
    places_ = group.terms;
    term_places_.resize(places_);
    std::iota(term_places_.begin(), term_places_.end(), 0);
    return;
  }
  places_ = 0;
  free_places_.clear();
  finished_.clear();
  term_places_.assign(group.terms, no_place);
  open_.assign(group.terms, 0);
  fold_of_.assign(group.terms, 0);
  for (const Use& use : uses_) ++open_[use.term];
  for (std::uint32_t f = first_fold; f < end_fold; ++f) {
    ++open_[batch.folds()[f].target];
    fold_of_[batch.folds()[f].source] = f + 1;
  }
  for (std::size_t i = 0; i < order_.size();) {
    const std::uint32_t attribute = batch.comparisons()[order_[i]].attribute;
    for (; i < order_.size() && batch.comparisons()[order_[i]].attribute == attribute; ++i) {
      for (Use& use : uses_of(order_[i] - group.first_comparison)) {
        const std::uint32_t term = use.term;
        if (term_places_[term] == no_place) term_places_[term] = take_place();
        use.term = term_places_[term];
        if (--open_[term] == 0) finished_.push_back(term);
      }
    }
    fold_finished(batch);
    fold_ends_.push_back(static_cast<std::uint32_t>(folds_.size()));
  }
  for (std::uint32_t r = group.first_rule; r < group.end_rule; ++r) {
    for (const Side& side : {batch.rules()[r].antecedent, batch.rules()[r].consequent}) {
      std::uint32_t& place = term_places_[side.term];
      if (place == no_place) place = take_place();  // without comparisons it stays all ones
    }
  }
}

std::uint32_t DeviceProgram::take_place() {
  if (free_places_.empty()) return places_++;
  const std::uint32_t place = free_places_.back();
  free_places_.pop_back();
  return place;
}

void DeviceProgram::fold_finished(const Batch& batch) {
  while (!finished_.empty()) {
    const std::uint32_t source = finished_.back();
    finished_.pop_back();
    if (fold_of_[source] == 0) continue;  // a side of a rule
    const Fold& fold = batch.folds()[fold_of_[source] - 1];
    const bool begins = term_places_[fold.target] == no_place;
    if (begins) {
      term_places_[fold.target] = term_places_[source];
    } else {
      free_places_.push_back(term_places_[source]);
    }
    folds_.push_back(term_places_[fold.target] | term_places_[source] << fold_source_shift |
                     (fold.complement ? fold_complement : 0U) | (begins ? fold_begins : 0U));
    if (--open_[fold.target] == 0) finished_.push_back(fold.target);
  }
}

/// Behind the last pass of an attribute.
/// @param run  of the order: how many attributes were before
void DeviceProgram::write_folds(std::size_t run) noexcept {
  if (fold_ends_.empty()) return;
  const std::uint32_t first = run == 0 ? 0 : fold_ends_[run - 1];
  words_[flags_at_] |= (fold_ends_[run] - first) << pass_folds_shift;
  for (std::uint32_t f = first; f < fold_ends_[run]; ++f) put(folds_[f]);
}

std::size_t DeviceProgram::begin_pass(const PlanePlace& place, std::uint32_t first,
                                      std::uint32_t flags) noexcept {
  put(place.first + first);
  flags_at_ = size_;
  put(std::min(place.planes - first, pass_planes) | flags);
  put(place.first + place.planes);
  put(0);
  return size_ - 1;
}

/// @param run  comparisons on one attribute
/// @return slots that it needs
std::uint32_t DeviceProgram::write_plain(const Batch& batch, const RuleGroup& group,
                                         std::span<const std::uint32_t> run,
                                         const PlanePlace& place) noexcept {
  const bool several = place.planes > pass_planes;
  std::uint32_t slots = 0;
  for (std::uint32_t first = 0; first < place.planes; first += pass_planes) {
    const bool ends = first + pass_planes >= place.planes;
    const std::size_t count =
        begin_pass(place, first, (first == 0 ? pass_begins : 0U) | (ends ? 0U : pass_continues));
    if (several) put(places_);
    const std::size_t begin = size_;
    for (const std::uint32_t index : run) {
      const Steps steps = steps_of(batch.comparisons()[index]);
      for (std::uint32_t i = 0; i < steps.count; ++i) {
        std::uint32_t digits =
            digits_of(steps.all[i].bound, steps.all[i].kind, first, place.planes);
        if (!ends) {
          put(digits);
          continue;
        }
        const bool complement = i == 1;  // not above the upper end of an interval
        for (const Use& use : uses_of(index - group.first_comparison)) {
          put(digits | use.term << step_term_shift |
              (use.complement != complement ? 1U << step_complement_shift : 0U));
          digits = digit_again;
        }
      }
    }
    words_[count] = static_cast<std::uint32_t>(size_ - begin);
    if (!ends) slots = words_[count];
  }
  return slots;
}

/// Writes the steps of special_. @return slots that it needs
std::uint32_t DeviceProgram::write_special(const Batch& batch, const RuleGroup& group,
                                           const PlanePlace& place) noexcept {
  const bool several = place.planes > pass_planes;
  std::uint32_t slots = 0;
  for (std::uint32_t first = 0; first < place.planes; first += pass_planes) {
    const bool ends = first + pass_planes >= place.planes;
    const std::size_t count =
        begin_pass(place, first,
                   pass_special | (first == 0 ? pass_begins : 0U) | (ends ? 0U : pass_continues));
    const std::size_t begin = size_;
    std::uint32_t slot = 0;
    for (const std::uint32_t index : special_) {
      const Steps steps = steps_of(batch.comparisons()[index]);
      if (!several) slot = 0;  // nothing stays in it
      for (std::uint32_t i = 0; i < steps.count; ++i, ++slot) {
        const std::uint32_t digits =
            digits_of(steps.all[i].bound, steps.all[i].kind, first, place.planes);
        if (!ends || (steps.all[i].flags & step_hold) != 0) {
          put(digits | (ends ? step_hold : 0U));
          put(places_ + slot);
          slots = std::max(slots, slot + 1);
          continue;
        }
        std::uint32_t step = digits | steps.all[i].flags;
        for (const Use& use : uses_of(index - group.first_comparison)) {
          put(step | use.term << step_term_shift |
              (use.complement ? 1U << step_complement_shift : 0U));
          put(places_ + slot);
          step = digit_again;
        }
      }
    }
    words_[count] = static_cast<std::uint32_t>((size_ - begin) / 2);
  }
  return slots;
}

void DeviceProgram::write_rules(const Batch& batch, const RuleGroup& group) {
  put(group.first_rule);
  put(group.end_rule - group.first_rule);
  const bool exclude = batch.options().exclude_missing_consequent;
  for (std::uint32_t r = group.first_rule; r < group.end_rule; ++r) {
    const CompiledRule& rule = batch.rules()[r];
    put(term_places_[rule.antecedent.term] | (rule.antecedent.complement ? 1U << 15 : 0) |
        term_places_[rule.consequent.term] << 16 | (rule.consequent.complement ? 1U << 31 : 0));
    put(place_of_set(exclude ? rule.present_set : 0));
  }
}

}  // namespace atl::cuda
