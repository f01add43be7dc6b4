#include "src/eval/batch.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace atl {

namespace {

constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();

void check_attributes(const Expression& expression, std::size_t rule, std::size_t attributes) {
  for (const Comparison& comparison : expression.comparisons()) {
    if (comparison.attribute >= attributes) throw UnknownAttribute(rule, comparison.attribute);
  }
}

std::size_t hash(const BoundComparison& comparison) noexcept {
  std::uint64_t h = comparison.attribute;
  h = h << 8 | static_cast<std::uint64_t>(comparison.kind) << 2 |
      std::uint64_t{comparison.complement} << 1 | std::uint64_t{comparison.limit_to_present};
  h = h * 0x9E3779B97F4A7C15U + (std::uint64_t{comparison.low} << 32 | comparison.high);
  h = (h ^ (h >> 32)) * 0x94D049BB133111EBU;
  return static_cast<std::size_t>(h ^ (h >> 29));
}

}  // namespace

void Batch::compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
                    const EvaluateOptions& options) {
  std::size_t comparisons = 0;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    check_attributes(rules[r].antecedent, r, attributes.size());
    check_attributes(rules[r].consequent, r, attributes.size());
    comparisons += rules[r].comparisons();
  }
  options_ = options;
  comparisons_.clear();
  uses_.clear();
  buckets_.assign(options.share_comparisons ? std::bit_ceil(2 * comparisons + 1) : 0, 0);
  rules_.clear();
  steps_.clear();
  operands_.clear();
  stack_ = 0;
  set_begins_.assign({0, 0});
  set_attributes_.clear();
  sets_.clear();

  const auto position = [&] { return static_cast<std::uint32_t>(steps_.size()); };
  for (const Rule& rule : rules) {
    CompiledRule compiled;
    compiled.antecedent = position();
    compile(rule.antecedent, attributes);
    compiled.consequent = position();
    compile(rule.consequent, attributes);
    compiled.end = position();
    compiled.comparisons = static_cast<std::uint32_t>(rule.comparisons());
    compiled.present_set = intern_set(rule.consequent, attributes);
    rules_.push_back(compiled);
  }
  assign_slots();

  std::vector<bool> used(attributes.size());
  for (const Rule& rule : rules) {
    for (const Expression* side : {&rule.antecedent, &rule.consequent}) {
      for (const Comparison& comparison : side->comparisons()) used[comparison.attribute] = true;
    }
  }
  attributes_.clear();
  for (std::uint32_t a = 0; a < used.size(); ++a) {
    if (used[a]) attributes_.push_back(a);
  }
}

// Connectives take a comparison that follows them in the program as their operand, so that only
// nested expressions use the stack; negations of a comparison go into the operand.
void Batch::compile(const Expression& expression, std::span<const Attribute> attributes) {
  const auto program = expression.program();
  if (program.empty()) {  // the empty conjunction
    steps_.push_back({StepKind::load, true, false, intern(BoundComparison{})});
    return;
  }
  std::size_t next_comparison = 0;
  std::uint32_t height = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    switch (program[i]) {
      case Op::conjunction:
        steps_.push_back({StepKind::pop_conjunction, false, false, 0});
        --height;
        break;
      case Op::disjunction:
        steps_.push_back({StepKind::pop_disjunction, false, false, 0});
        --height;
        break;
      case Op::negation:
        steps_.push_back({StepKind::complement, false, false, 0});
        break;
      case Op::comparison: {
        const Comparison& comparison = expression.comparisons()[next_comparison++];
        const BoundOperand bound = bind(comparison, attributes[comparison.attribute]);
        Step step{StepKind::load, bound.complement, false, intern(bound.comparison)};
        operands_.push_back({step.operand, step.complement});
        for (; i + 1 < program.size() && program[i + 1] == Op::negation; ++i) {
          step.complement = !step.complement;
        }
        const Op next = i + 1 < program.size() ? program[i + 1] : Op::comparison;
        if (next == Op::conjunction || next == Op::disjunction) {
          step.kind = next == Op::conjunction ? StepKind::conjunction : StepKind::disjunction;
          ++i;
        } else {
          stack_ = std::max(stack_, height);
          ++height;
        }
        steps_.push_back(step);
        break;
      }
    }
  }
}

std::uint32_t Batch::intern(const BoundComparison& comparison) {
  const auto fresh = static_cast<std::uint32_t>(comparisons_.size());
  if (options_.share_comparisons) {
    const std::size_t mask = buckets_.size() - 1;
    std::size_t bucket = hash(comparison) & mask;
    for (; buckets_[bucket] != 0; bucket = (bucket + 1) & mask) {
      const std::uint32_t found = buckets_[bucket] - 1;
      if (comparisons_[found] == comparison) {
        ++uses_[found];
        return found;
      }
    }
    buckets_[bucket] = fresh + 1;
  }
  comparisons_.push_back(comparison);
  uses_.push_back(1);
  return fresh;
}

std::uint32_t Batch::intern_set(const Expression& consequent,
                                std::span<const Attribute> attributes) {
  set_key_.clear();
  for (const Comparison& comparison : consequent.comparisons()) {
    if (attributes[comparison.attribute].has_missing) set_key_.push_back(comparison.attribute);
  }
  if (set_key_.empty()) return 0;
  std::sort(set_key_.begin(), set_key_.end());
  set_key_.erase(std::unique(set_key_.begin(), set_key_.end()), set_key_.end());
  const auto [entry, added] =
      sets_.try_emplace(set_key_, static_cast<std::uint32_t>(present_sets()));
  if (added) {
    set_attributes_.insert(set_attributes_.end(), set_key_.begin(), set_key_.end());
    set_begins_.push_back(static_cast<std::uint32_t>(set_attributes_.size()));
  }
  return entry->second;
}

void Batch::assign_slots() {
  const bool supports = options_.comparison_supports;
  prepared_.clear();
  for (std::uint32_t c = 0; c < comparisons_.size(); ++c) {
    if (supports || uses_[c] > 1) prepared_.push_back(c);
  }
  slots_ = std::min(prepared_.size(), max_slots);
  const auto first_unkept = prepared_.begin() + static_cast<std::ptrdiff_t>(slots_);
  if (first_unkept != prepared_.end()) {
    std::nth_element(prepared_.begin(), first_unkept, prepared_.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return uses_[a] != uses_[b] ? uses_[a] > uses_[b] : a < b;
                     });
  }
  if (!supports) prepared_.resize(slots_);
  // By attribute, so that its planes stay in the innermost cache.
  const auto by_attribute = [&](std::uint32_t a, std::uint32_t b) {
    return comparisons_[a] != comparisons_[b] ? comparisons_[a] < comparisons_[b] : a < b;
  };
  const auto last_kept = prepared_.begin() + static_cast<std::ptrdiff_t>(slots_);
  std::sort(prepared_.begin(), last_kept, by_attribute);
  std::sort(last_kept, prepared_.end(), by_attribute);
  slot_of_.assign(comparisons_.size(), no_slot);
  for (std::uint32_t s = 0; s < slots_; ++s) slot_of_[prepared_[s]] = s;
  for (Step& step : steps_) {
    if (step.kind > StepKind::disjunction || slot_of_[step.operand] == no_slot) continue;
    step.slotted = true;
    step.operand = slot_of_[step.operand];
  }
}

}  // namespace atl
