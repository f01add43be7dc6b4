#include "io/results/pmml_predicate.hpp"

#include <algorithm>
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
    if (!attribute.other.empty()) {
      labels(comparison, attribute, opposite);
    } else if (relation == "=") {
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

  /// Is the label within the bounds that the import made of rare ones? Other programs meet these.
  static bool takes_other(const Comparison& comparison, const Attribute& attribute) {
    if (attribute.other.empty()) return false;
    const auto first = attribute.labels.begin() + comparison.low;
    const auto end = attribute.labels.begin() + comparison.high + 1;
    return std::find(first, end, attribute.other) != end;
  }

  /// One by one, not as an array, whose text has no escape that all programs agree on; nor by an
  /// order of labels, which few of them know.
  void labels(const Comparison& comparison, const Attribute& attribute, bool opposite) {
    const bool outer = takes_other(comparison, attribute);  // those out of bounds are listed
    const bool inside = (comparison.negated == opposite) != outer;
    std::vector<std::string> listed;
    for (std::uint32_t code = 0; code < attribute.distinct(); ++code) {
      const bool within = comparison.low <= code && code <= comparison.high;
      if (within != outer) listed.push_back(attribute.labels[code]);
    }
    if (listed.size() != 1) open(inside ? "or" : "and");
    for (const std::string& label : listed) simple(inside ? "equal" : "notEqual", label);
    if (listed.size() != 1) out_.close();
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
