#include "tests/support/random.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace atl::test {
namespace {

/// Labels that text has to quote or escape, among harmless ones.
std::string label(RandomStream& stream, std::uint32_t index) {
  static constexpr std::array<const char*, 12> stems = {"",   "v",   ">50K ",  "AND",
                                                        "=",  "a b", "x,y",    "\"q\\",
                                                        "[l", "(p)", "line\n", "\xC3\xA9t\xC3\xA9"};
  const std::string stem = stems[stream.below(stems.size())];
  return index == 0 ? stem : stem + std::to_string(index);
}

std::uint32_t code_count(RandomStream& stream) {
  static constexpr std::array<std::uint32_t, 12> usual = {1, 2,  2,  3,   4,   5,
                                                          8, 16, 17, 100, 256, 300};
  if (stream.chance(0.7)) return usual[stream.below(usual.size())];
  return static_cast<std::uint32_t>(1 + stream.below(300));
}

void fill_dictionary(RandomStream& stream, Attribute& attribute, std::uint32_t codes) {
  if (attribute.kind == AttributeKind::numeric) {
    const bool binned = stream.chance(0.5);
    double value = -20;
    for (std::uint32_t c = 0; c < codes; ++c) {
      value += 0.25 * static_cast<double>(1 + stream.below(20));
      attribute.low.push_back(value);
      if (binned && stream.chance(0.7)) {
        value += 0.125 * static_cast<double>(1 + stream.below(20));
        ++attribute.exact_distinct;
      }
      attribute.high.push_back(value);
      ++attribute.exact_distinct;
    }
    return;
  }
  for (std::uint32_t c = 0; c < codes; ++c) attribute.labels.push_back(label(stream, c));
  if (attribute.kind == AttributeKind::nominal)
    std::sort(attribute.labels.begin(), attribute.labels.end());
  attribute.exact_distinct = codes;
}

/// Skewed towards low codes in half of the attributes.
std::vector<std::uint32_t> draw_column(RandomStream& stream, std::uint64_t rows,
                                       std::uint32_t codes, double missing_share) {
  const bool skewed = stream.chance(0.5);
  std::vector<std::uint32_t> column(rows);
  for (std::uint32_t& cell : column) {
    const auto code = stream.below(codes);
    const auto other = stream.below(codes);
    cell = static_cast<std::uint32_t>(skewed ? std::min(code, other) : code);
    if (missing_share > 0 && stream.chance(missing_share)) cell = 0xFFFFFFFF;
  }
  return column;
}

void count(Attribute& attribute, const std::vector<std::uint32_t>& column) {
  attribute.counts.assign(attribute.distinct(), 0);
  for (const std::uint32_t code : column) {
    if (code == 0xFFFFFFFF)
      ++attribute.missing;
    else
      ++attribute.counts[code];
  }
  attribute.has_missing = attribute.missing > 0;
}

Comparison random_comparison(RandomStream& stream, std::span<const Attribute> attributes,
                             std::uint32_t attribute) {
  const std::uint32_t codes = attributes[attribute].distinct();
  if (stream.chance(0.15))
    return stream.chance(0.7) ? is_missing(attribute) : is_known(attribute, codes);
  auto low = static_cast<std::uint32_t>(stream.below(codes));
  auto high = stream.chance(0.3) ? low : static_cast<std::uint32_t>(stream.below(codes));
  if (low > high) std::swap(low, high);
  if (stream.chance(0.2)) low = 0;
  if (stream.chance(0.2)) high = codes - 1;
  return {attribute, low, high, stream.chance(0.3)};
}

/// Any tree shape: operands are pushed and folded in random order.
Expression random_expression(RandomStream& stream, std::span<const Attribute> attributes,
                             std::span<const std::uint32_t> choice, std::uint32_t comparisons) {
  const bool plain = stream.chance(0.4);
  std::vector<Op> program;
  std::vector<Comparison> leaves;
  std::uint32_t height = 0;
  while (leaves.size() < comparisons || height > 1) {
    if (leaves.size() < comparisons && (height < 2 || stream.chance(0.5))) {
      const std::uint32_t attribute = choice[stream.below(choice.size())];
      leaves.push_back(random_comparison(stream, attributes, attribute));
      program.push_back(Op::comparison);
      ++height;
    } else {
      program.push_back(plain || stream.chance(0.5) ? Op::conjunction : Op::disjunction);
      --height;
    }
    if (!plain && stream.chance(0.2)) program.push_back(Op::negation);
  }
  return Expression(program, leaves);
}

}  // namespace

RandomTable random_table(std::uint64_t seed, std::uint64_t rows, std::uint32_t attributes,
                         bool missing) {
  RandomTable table;
  for (std::uint32_t a = 0; a < attributes; ++a) {
    RandomStream stream({seed, 0, 0, a, Purpose::test});
    Attribute attribute;
    attribute.name = (stream.chance(0.2) ? "the \"name\" " : "a") + std::to_string(a);
    attribute.kind = static_cast<AttributeKind>(stream.below(3));
    const std::uint32_t codes = code_count(stream);
    fill_dictionary(stream, attribute, codes);
    const double missing_share = missing && stream.chance(0.5) ? 0.5 * stream.next_double() : 0;
    table.columns.push_back(draw_column(stream, rows, codes, missing_share));
    count(attribute, table.columns.back());
    table.attributes.push_back(std::move(attribute));
  }
  return table;
}

Rule random_rule(RandomStream& stream, std::span<const Attribute> attributes,
                 std::uint32_t max_comparisons) {
  std::vector<std::uint32_t> order(attributes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);

  const std::uint64_t split = 1 + stream.below(order.size() - 1);
  const std::span<const std::uint32_t> choice(order);
  const auto total = static_cast<std::uint32_t>(2 + stream.below(max_comparisons - 1));
  const auto first = static_cast<std::uint32_t>(1 + stream.below(total - 1));
  Expression antecedent = random_expression(stream, attributes, choice.first(split), first);
  Expression consequent =
      random_expression(stream, attributes, choice.subspan(split), total - first);
  return {std::move(antecedent), std::move(consequent)};
}

RuleSet random_rule_set(RandomStream& stream, std::span<const Attribute> attributes,
                        std::uint32_t class_attribute, std::uint32_t most) {
  std::vector<std::uint32_t> choice;
  for (std::uint32_t a = 0; a < attributes.size(); ++a)
    if (a != class_attribute) choice.push_back(a);
  const std::uint32_t classes = attributes[class_attribute].distinct();
  const auto label = [&] { return static_cast<std::uint32_t>(stream.below(classes)); };
  RuleSet list{{}, label()};
  const std::uint64_t rules = stream.below(most + 1);
  while (list.rules.size() < rules) {
    if (!list.rules.empty() && stream.chance(0.2)) {
      const Expression before = list.rules[stream.below(list.rules.size())].antecedent;
      list.rules.push_back({before, label()});
    } else {
      const auto comparisons = static_cast<std::uint32_t>(1 + stream.below(most));
      list.rules.push_back({random_expression(stream, attributes, choice, comparisons), label()});
    }
  }
  if (!list.rules.empty() && stream.chance(0.3)) list.rules.back().label = list.default_class;
  return list;
}

}  // namespace atl::test
