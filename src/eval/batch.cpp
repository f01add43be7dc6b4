#include "src/eval/batch.hpp"

#include <algorithm>
#include <bit>

namespace atl {
namespace {

std::size_t hash(const BoundComparison& comparison) noexcept {
  std::uint64_t h = comparison.attribute;
  h = h << 8 | static_cast<std::uint64_t>(comparison.kind) << 2 |
      std::uint64_t{comparison.complement} << 1 | std::uint64_t{comparison.limit_to_present};
  h = h * 0x9E3779B97F4A7C15U + (std::uint64_t{comparison.low} << 32 | comparison.high);
  h = (h ^ (h >> 32)) * 0x94D049BB133111EBU;
  return static_cast<std::size_t>(h ^ (h >> 29));
}

template <typename Vector>
std::uint32_t size_of(const Vector& vector) noexcept {
  return static_cast<std::uint32_t>(vector.size());
}

}  // namespace

void expect_known_attributes(std::span<const Rule> rules, std::size_t attributes) {
  for (std::size_t r = 0; r < rules.size(); ++r) {
    for (const Expression* side : {&rules[r].antecedent, &rules[r].consequent}) {
      for (const Comparison& comparison : side->comparisons()) {
        if (comparison.attribute >= attributes) throw UnknownAttribute(r, comparison.attribute);
      }
    }
  }
}

void Batch::clear(std::size_t comparisons, const CountingOptions& options) {
  options_ = options;
  groups_.clear();
  group_ = {};
  comparisons_.clear();
  buckets_.assign(options.share_comparisons ? std::bit_ceil(2 * comparisons + 1) : 0, 0);
  uses_.clear();
  folds_.clear();
  rules_.clear();
  operands_.clear();
  set_begins_.assign({0, 0});
  set_attributes_.clear();
  sets_.clear();
}

void Batch::compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
                    const CountingOptions& options, std::uint32_t group_terms,
                    std::span<const std::uint32_t> order) {
  expect_known_attributes(rules, attributes.size());
  std::size_t comparisons = 0;
  for (const Rule& rule : rules) comparisons += rule.comparisons();
  clear(comparisons, options);
  used_.assign(attributes.size(), 0);
  for (std::uint32_t r = 0; r < rules.size(); ++r) {
    CompiledRule compiled;
    compiled.index = order.empty() ? r : order[r];
    const Rule& rule = rules[compiled.index];
    compiled.first_fold = size_of(folds_);
    compiled.antecedent = compile(rule.antecedent, attributes);
    compiled.consequent = compile(rule.consequent, attributes);
    compiled.end_fold = size_of(folds_);
    compiled.comparisons = static_cast<std::uint32_t>(rule.comparisons());
    compiled.present_set = intern_set(rule.consequent, attributes);
    rules_.push_back(compiled);
    if (group_.terms < group_terms && rules_.size() < rules.size()) continue;
    group_.end_rule = size_of(rules_);
    group_.end_comparison = size_of(comparisons_);
    group_.end_use = size_of(uses_);
    groups_.push_back(group_);
    group_ = {group_.end_rule, 0, group_.end_comparison, 0, group_.end_use, 0, 0};
  }
  attributes_.clear();
  for (std::uint32_t a = 0; a < used_.size(); ++a) {
    if (used_[a] != 0) attributes_.push_back(a);
  }
}

inline std::uint32_t Batch::intern(const BoundComparison& comparison) {
  const std::uint32_t fresh = size_of(comparisons_);
  if (options_.share_comparisons) {
    const std::size_t mask = buckets_.size() - 1;
    std::size_t bucket = hash(comparison) & mask;
    // Buckets that earlier groups filled count as empty.
    for (; buckets_[bucket] > group_.first_comparison; bucket = (bucket + 1) & mask) {
      const std::uint32_t found = buckets_[bucket] - 1;
      if (comparisons_[found] == comparison) return found;
    }
    buckets_[bucket] = fresh + 1;
  }
  comparisons_.push_back(comparison);
  return fresh;
}

inline Operand Batch::add(const Comparison& comparison, std::span<const Attribute> attributes) {
  const BoundOperand bound = bind(comparison, attributes[comparison.attribute]);
  used_[comparison.attribute] = 1;
  const Operand operand{intern(bound.comparison), bound.complement};
  operands_.push_back(operand);
  return operand;
}

Side Batch::compile(const Expression& expression, std::span<const Attribute> attributes) {
  if (expression.is_conjunction()) return conjunction(expression.comparisons(), attributes);
  const Comparison* next = expression.comparisons().data();
  stack_.clear();
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      const Operand operand = add(*next++, attributes);
      stack_.push_back({true, operand.complement, operand.comparison});
      continue;
    }
    const bool negated = op != Op::conjunction;
    Value top = stack_.back();
    top.complement ^= negated;
    stack_.pop_back();
    if (op != Op::negation) {
      Value left = stack_.back();
      left.complement ^= negated;
      stack_.pop_back();
      top = conjunction(left, top);
      top.complement ^= negated;
    }
    stack_.push_back(top);
  }
  if (!stack_.back().is_comparison) return {stack_.back().index, stack_.back().complement};
  const std::uint32_t term = group_.terms++;  // of one comparison, negated
  join(term, stack_.back());
  return {term, false};
}

// The most frequent expression by far. Of no comparison at all, too.
Side Batch::conjunction(std::span<const Comparison> comparisons,
                        std::span<const Attribute> attributes) {
  const std::uint32_t term = group_.terms++;
  for (const Comparison& comparison : comparisons) {
    const Operand operand = add(comparison, attributes);
    uses_.push_back({operand.comparison, term, operand.complement});
  }
  return {term, false};
}

Batch::Value Batch::conjunction(const Value& a, const Value& b) {
  const auto is_open = [](const Value& value) { return !value.is_comparison && !value.complement; };
  if (is_open(a)) {
    join(a.index, b);
    return a;
  }
  if (is_open(b)) {
    join(b.index, a);
    return b;
  }
  const Value fresh{false, false, group_.terms++};
  join(fresh.index, a);
  join(fresh.index, b);
  return fresh;
}

void Batch::join(std::uint32_t term, const Value& value) {
  if (value.is_comparison) {
    uses_.push_back({value.index, term, value.complement});
  } else {
    folds_.push_back({term, value.index, value.complement});
  }
}

std::uint32_t Batch::intern_set(const Expression& consequent,
                                std::span<const Attribute> attributes) {
  set_key_.clear();
  for (const Comparison& comparison : consequent.comparisons()) {
    if (attributes[comparison.attribute].has_missing && !asks_missing(comparison))
      set_key_.push_back(comparison.attribute);
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

}  // namespace atl
