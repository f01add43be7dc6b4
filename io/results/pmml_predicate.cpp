#include "io/results/pmml_predicate.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "src/rules/expression_tree.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::io {
namespace {

class PredicateWriter {
 public:
  PredicateWriter(XmlWriter& out, std::span<const Attribute> attributes)
      : out_(out), attributes_(attributes) {}

  /// @param inverted  write NOT of it
  void write(const ExpressionTree& tree, bool inverted) {
    if (tree.op == Op::comparison) {
      comparison(tree.comparison, inverted);
    } else if (tree.op == Op::negation) {
      write(tree.operands.front(), !inverted);
    } else {
      open((tree.op == Op::conjunction) != inverted ? "and" : "or");
      for (const ExpressionTree& operand : tree.operands) write(operand, inverted);
      out_.close();
    }
  }

 private:
  void open(const char* connective) {
    out_.open("CompoundPredicate", {{"booleanOperator", connective}});
  }

  void simple(const char* relation, const std::string& value) {
    out_.leaf("SimplePredicate", {{"field", *field_}, {"operator", relation}, {"value", value}});
  }

  void comparison(const Comparison& comparison, bool inverted) {
    const Attribute& attribute = attributes_[comparison.attribute];
    field_ = &attribute.name;
    if (!inverted) {
      plain(comparison, attribute, false);
      return;
    }
    open("or");
    out_.leaf("SimplePredicate", {{"field", *field_}, {"operator", "isMissing"}});
    plain(comparison, attribute, true);
    out_.close();
  }

  /// @param opposite  where it has a value and does not hold
  void plain(const Comparison& comparison, const Attribute& attribute, bool opposite) {
    Condition condition = to_condition(comparison, attribute, WrittenBounds::midway);
    if (attribute.kind == AttributeKind::date_time_utc)
      for (std::string& value : condition.values) value.pop_back();  // the Z
    const std::string_view relation = condition.relation;
    const std::string& first = condition.values[0];
    if (relation == "=") {
      simple(opposite ? "notEqual" : "equal", first);
    } else if (relation == "!=") {
      simple(opposite ? "equal" : "notEqual", first);
    } else if (!has_numbers(attribute.kind)) {
      labels(comparison, attribute, opposite);
    } else if (relation == "<=") {
      simple(opposite ? "greaterThan" : "lessOrEqual", first);
    } else if (relation == ">") {
      simple(opposite ? "lessOrEqual" : "greaterThan", first);
    } else {
      const bool inside = (relation == "in") != opposite;
      open(inside ? "and" : "or");
      simple(inside ? "greaterOrEqual" : "lessThan", first);
      simple(inside ? "lessOrEqual" : "greaterThan", condition.values[1]);
      out_.close();
    }
  }

  /// One by one, not as an array, whose text has no escape that all programs agree on; nor by an
  /// order of labels, which few of them know.
  void labels(const Comparison& comparison, const Attribute& attribute, bool opposite) {
    const bool inside = comparison.negated == opposite;
    const bool lone = comparison.low == comparison.high;
    if (!lone) open(inside ? "or" : "and");
    for (std::uint32_t code = comparison.low; code <= comparison.high; ++code)
      simple(inside ? "equal" : "notEqual", attribute.labels[code]);
    if (!lone) out_.close();
  }

  XmlWriter& out_;
  std::span<const Attribute> attributes_;
  const std::string* field_ = nullptr;  ///< of the comparison that is written
};

}  // namespace

void write_predicate(XmlWriter& out, const Expression& expression,
                     std::span<const Attribute> attributes) {
  PredicateWriter(out, attributes).write(to_tree(expression), false);
}

}  // namespace atl::io
