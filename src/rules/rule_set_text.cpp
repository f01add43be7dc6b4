#include "src/rules/rule_set_text.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "src/rules/expression_reader.hpp"
#include "src/rules/rule_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

class RuleSetReader {
 public:
  RuleSetReader(std::string_view text, std::span<const Attribute> attributes,
                std::span<const Attribute> written_for, Unseen unseen,
                const Attribute& class_attribute, const std::string& source)
      : scanner_(text, source, Scanner::Comments::none),
        attributes_(attributes),
        class_(class_attribute),
        antecedents_(scanner_, attributes, unseen, written_for),
        conclusions_(scanner_, {&class_, 1}, Unseen::refused) {}

  RuleSet read() {
    RuleSet list;
    bool more = scanner_.accept_keyword("if");
    while (more) {
      if (list.rules.size() == most_class_rules)
        fail("at most " + std::to_string(most_class_rules) + " rules");
      Expression antecedent = this->antecedent();
      if (!scanner_.accept_keyword("then")) fail("AND, OR or then");
      const std::uint32_t label = this->label();
      list.rules.push_back({std::move(antecedent), label});
      if (!scanner_.accept_keyword("else")) fail("else");
      more = scanner_.accept_keyword("if");
    }
    list.default_class = label();
    if (!scanner_.at_end()) fail("the end after the default class");
    return list;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) {
    scanner_.fail(scanner_.position(), expected);
  }

  Expression antecedent() {
    const std::size_t start = scanner_.position();
    Expression antecedent = antecedents_.expression();
    const auto comparisons = antecedent.comparisons();
    if (comparisons.size() > most_antecedent_comparisons)
      scanner_.fail(start, "at most " + std::to_string(most_antecedent_comparisons) +
                               " comparisons in a rule");
    if (std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
          return attributes_[c.attribute].name == class_.name;
        }))
      scanner_.fail(start, "conditions without the class '" + class_.name + "'");
    return antecedent;
  }

  std::uint32_t label() {
    const std::size_t start = scanner_.position();
    const Comparison conclusion = conclusions_.comparison();
    if (conclusion.negated || conclusion.low != conclusion.high || asks_missing(conclusion))
      scanner_.fail(start, "one value of '" + class_.name + "'");
    return conclusion.low;
  }

  Scanner scanner_;
  std::span<const Attribute> attributes_;
  const Attribute& class_;
  ExpressionReader antecedents_;
  ExpressionReader conclusions_;
};

}  // namespace

std::string class_label(std::uint32_t label, const Attribute& class_attribute) {
  const Condition condition =
      to_condition({0, label, label, false}, class_attribute, WrittenBounds::at_values);
  if (condition.values.size() == 1) return condition.values[0];
  return "[" + condition.values[0] + ", " + condition.values[1] + "]";
}

std::string class_text(std::uint32_t label, const Attribute& class_attribute) {
  return to_text(Comparison{0, label, label, false}, {&class_attribute, 1},
                 WrittenBounds::at_values);
}

std::string rule_text(const ClassRule& rule, std::span<const Attribute> attributes,
                      const Attribute& class_attribute) {
  return "if " + to_text(rule.antecedent, attributes, WrittenBounds::midway) + " then " +
         class_text(rule.label, class_attribute);
}

std::string to_text(const RuleSet& list, std::span<const Attribute> attributes,
                    const Attribute& class_attribute) {
  std::string text;
  for (const ClassRule& rule : list.rules)
    text += rule_text(rule, attributes, class_attribute) + "\nelse ";
  return text + class_text(list.default_class, class_attribute) + "\n";
}

RuleSet parse_rule_set(std::string_view text, std::span<const Attribute> attributes,
                       const Attribute& class_attribute, const std::string& source) {
  RuleSetReader reader(text, attributes, {}, Unseen::refused, class_attribute, source);
  return canonical(reader.read(), attributes);
}

RuleSet parse_rule_set_for(std::string_view text, std::span<const Attribute> attributes,
                           std::span<const Attribute> learnt_from, const Attribute& class_attribute,
                           const std::string& source) {
  return RuleSetReader(text, attributes, learnt_from, Unseen::never_holds, class_attribute, source)
      .read();
}

}  // namespace atl
