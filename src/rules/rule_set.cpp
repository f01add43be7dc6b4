#include "src/rules/rule_set.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "src/rules/expression_codec.hpp"

namespace atl {
namespace {

/// Bytes of a program's length, a number of comparisons and a label.
constexpr std::size_t least_rule_bytes = 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t);

/// Keeps the first of the rules that have the same antecedent: the others decide no row.
void drop_repeated(std::vector<ClassRule>& rules) {
  std::vector<std::size_t> order(rules.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto by_antecedent = rules[a].antecedent <=> rules[b].antecedent;
    return by_antecedent != 0 ? by_antecedent < 0 : a < b;
  });
  std::vector<bool> repeated(rules.size());
  for (std::size_t i = 1; i < order.size(); ++i)
    repeated[order[i]] = rules[order[i - 1]].antecedent == rules[order[i]].antecedent;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (repeated[i]) continue;
    if (kept != i) rules[kept] = std::move(rules[i]);
    ++kept;
  }
  rules.resize(kept);
}

bool names(const Expression& antecedent, std::uint32_t attribute) noexcept {
  const auto comparisons = antecedent.comparisons();
  return std::any_of(comparisons.begin(), comparisons.end(),
                     [&](const Comparison& c) { return c.attribute == attribute; });
}

std::uint32_t decode_label(ByteReader& in, const Attribute& classes) {
  const auto label = in.get<std::uint32_t>();
  require_bytes(label < classes.distinct(), "a decision list names a class that does not exist");
  return label;
}

}  // namespace

std::size_t RuleSet::comparisons() const noexcept {
  std::size_t sum = 0;
  for (const ClassRule& rule : rules) sum += rule.antecedent.comparisons().size();
  return sum;
}

std::strong_ordering operator<=>(const RuleSet& a, const RuleSet& b) noexcept {
  if (const auto order = a.rules.size() <=> b.rules.size(); order != 0) return order;
  if (const auto order = a.comparisons() <=> b.comparisons(); order != 0) return order;
  if (const auto order = a.rules <=> b.rules; order != 0) return order;
  return a.default_class <=> b.default_class;
}

RuleSet canonical(const RuleSet& list, std::span<const Attribute> attributes) {
  RuleSet to{{}, list.default_class};
  to.rules.reserve(list.rules.size());
  for (const ClassRule& rule : list.rules) {
    if (rule.antecedent.empty()) {
      to.default_class = rule.label;
      break;
    }
    to.rules.push_back({canonical(rule.antecedent, attributes), rule.label});
  }
  drop_repeated(to.rules);
  return to;
}

bool names(const RuleSet& list, std::uint32_t attribute) noexcept {
  return std::any_of(list.rules.begin(), list.rules.end(),
                     [&](const ClassRule& rule) { return names(rule.antecedent, attribute); });
}

std::size_t symbols(const RuleSet& list) noexcept {
  std::size_t sum = 0;
  for (const ClassRule& rule : list.rules) {
    const std::size_t comparisons = rule.antecedent.comparisons().size();
    sum += 3 * comparisons + (rule.antecedent.program().size() - comparisons);
  }
  return sum;
}

void encode(ByteWriter& out, const RuleSet& list) {
  out.put(static_cast<std::uint64_t>(list.rules.size()));
  for (const ClassRule& rule : list.rules) {
    assert(!rule.antecedent.empty());
    encode(out, rule.antecedent);
    out.put(rule.label);
  }
  out.put(list.default_class);
}

RuleSet decode_rule_set(ByteReader& in, std::span<const Attribute> attributes,
                        std::uint32_t class_attribute) {
  assert(class_attribute < attributes.size());
  const Attribute& classes = attributes[class_attribute];
  RuleSet list;
  const std::size_t rules = in.get_count(least_rule_bytes);
  require_bytes(rules <= most_class_rules, "a decision list has too many rules");
  list.rules.reserve(rules);
  for (std::size_t i = 0; i < rules; ++i) {
    Expression antecedent = decode_expression(in, attributes);
    require_bytes(antecedent.comparisons().size() <= most_antecedent_comparisons,
                  "an antecedent has too many comparisons");
    require_bytes(!names(antecedent, class_attribute), "an antecedent names the class");
    list.rules.push_back({std::move(antecedent), decode_label(in, classes)});
  }
  list.default_class = decode_label(in, classes);
  require_bytes(canonical(list, attributes) == list, "a decision list is not in canonical form");
  return list;
}

}  // namespace atl
