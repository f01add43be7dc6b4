#include "io/results/rule_set_pmml.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/core/utf8.hpp"
#include "src/results/written/list_figures.hpp"
#include "src/rules/expression_tree.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::io {
namespace {

/// Char of XML 1.0, section 2.2.
bool xml_can_hold(char32_t c) noexcept {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

// Conditions as predicates of PMML.
//
// PMML has three truth values, and no NOT. A comparison on a missing value is UNKNOWN; AND and OR
// are Kleene's (the least and the greatest of FALSE < UNKNOWN < TRUE); a rule fires if its
// predicate is TRUE. Ours has two values, and a comparison on a missing value is false.
// - Without NOT both agree on which rules fire: least and greatest commute with taking UNKNOWN for
//   FALSE, so the whole is TRUE exactly where it is with FALSE in place of UNKNOWN.
// - So NOT is moved inward (De Morgan, which holds for two truth values), until it stands before
//   comparisons. NOT of a comparison holds where the opposite comparison does, and where the value
//   is missing: isMissing OR opposite. isMissing is never UNKNOWN, and TRUE OR UNKNOWN is TRUE.
// `is missing` and `is known` are never UNKNOWN. `!=` and `not in` on a missing value are UNKNOWN,
// and false with us, so they need no guard.
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
    const bool missing = asks_missing(comparison);
    if (asks_presence(comparison, attribute)) {
      const char* const relation = missing != inverted ? "isMissing" : "isNotMissing";
      out_.leaf("SimplePredicate", {{"field", *field_}, {"operator", relation}});
      return;
    }
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

const char* data_type(const Attribute& attribute) noexcept {
  if (attribute.kind == AttributeKind::numeric) return "double";
  if (attribute.kind == AttributeKind::date) return "date";
  return is_date(attribute.kind) ? "dateTime" : "string";
}

class ModelWriter {
 public:
  ModelWriter(const RuleSet& list, std::span<const Attribute> attributes,
              std::uint32_t class_attribute, const RuleSetCounts& counts,
              const Smoothing& smoothing)
      : list_(list),
        attributes_(attributes),
        class_(attributes[class_attribute]),
        counts_(counts),
        probabilities_(class_probabilities(counts.decided, smoothing)),
        figures_(rule_figures(list, counts)) {
    for (std::uint32_t label = 0; label < class_.distinct(); ++label)
      labels_.push_back(class_label(label, class_));
    for (const Attribute& attribute : attributes_)
      if (names(list, static_cast<std::uint32_t>(&attribute - attributes.data())))
        inputs_.push_back(&attribute);
  }

  std::string write() && {
    out_.open("PMML", {{"xmlns", "http://www.dmg.org/PMML-4_4"}, {"version", "4.4"}});
    out_.open("Header");
    out_.leaf("Application", {{"name", "Atoll"}, {"version", ATOLL_VERSION}});
    out_.close();
    dictionary();
    out_.open("RuleSetModel", {{"functionName", "classification"}});
    mining_schema();
    rules();
    out_.close();
    out_.close();
    return std::move(out_).take();
  }

 private:
  using Facts = std::vector<XmlWriter::Attribute>;

  void dictionary() {
    out_.open("DataDictionary", {{"numberOfFields", std::to_string(inputs_.size() + 1)}});
    // No values are named: others may come, and they are none of those that the rules name.
    for (const Attribute* input : inputs_)
      out_.leaf("DataField", {{"name", input->name},
                              {"optype", has_numbers(input->kind) ? "continuous" : "categorical"},
                              {"dataType", data_type(*input)}});
    out_.open("DataField",
              {{"name", class_.name}, {"optype", "categorical"}, {"dataType", "string"}});
    for (const std::string& label : labels_) out_.leaf("Value", {{"value", label}});
    out_.close();
    out_.close();
  }

  void mining_schema() {
    out_.open("MiningSchema");
    for (const Attribute* input : inputs_)
      out_.leaf(
          "MiningField",
          {{"name", input->name}, {"usageType", "active"}, {"invalidValueTreatment", "asIs"}});
    out_.leaf("MiningField", {{"name", class_.name}, {"usageType", "target"}});
    out_.close();
  }

  void rules() {
    const ListRuleFigures& last = figures_.back();
    const Facts facts = {{"defaultScore", labels_[list_.default_class]},
                         {"recordCount", std::to_string(last.decided_so_far)},
                         {"nbCorrect", std::to_string(last.correct_so_far)},
                         {"defaultConfidence", share(last)}};
    out_.open("RuleSet", facts);
    out_.leaf("RuleSelectionMethod", {{"criterion", "firstHit"}});
    distribution(list_.rules.size());
    for (std::size_t i = 0; i < list_.rules.size(); ++i) rule(i);
    out_.close();
  }

  void rule(std::size_t i) {
    const ListRuleFigures& figures = figures_[i];
    const Facts facts = {{"id", std::to_string(i + 1)},
                         {"score", labels_[list_.rules[i].label]},
                         {"recordCount", std::to_string(figures.decided)},
                         {"nbCorrect", std::to_string(figures.decided_correct)},
                         {"confidence", share(figures)}};
    out_.open("SimpleRule", facts);
    write_predicate(out_, list_.rules[i].antecedent, attributes_);
    distribution(i);
    out_.close();
  }

  /// Writes the distribution of the rows that a rule decides, and what it tells.
  void distribution(std::size_t rule) {
    for (std::size_t label = 0; label < labels_.size(); ++label)
      out_.leaf("ScoreDistribution",
                {{"value", labels_[label]},
                 {"recordCount", std::to_string(counts_.decided[rule * labels_.size() + label])},
                 {"probability", format_number(probabilities_[rule][label])}});
  }

  /// The share of rows that are right. Programs need one, also where none is known: 1 would be the
  /// default.
  static std::string share(const ListRuleFigures& figures) {
    if (figures.decided == 0) return "0";
    return format_number(static_cast<double>(figures.decided_correct) /
                         static_cast<double>(figures.decided));
  }

  const RuleSet& list_;
  std::span<const Attribute> attributes_;
  const Attribute& class_;
  const RuleSetCounts& counts_;
  std::vector<std::vector<double>> probabilities_;
  std::vector<ListRuleFigures> figures_;
  std::vector<std::string> labels_;  ///< of the class, by code
  std::vector<const Attribute*> inputs_;
  XmlWriter out_;
};

}  // namespace

void XmlWriter::open(const char* name, const std::vector<Attribute>& attributes) {
  begin(name, attributes);
  text_ += ">\n";
  open_.push_back(name);
}

void XmlWriter::close() {
  const char* const name = open_.back();
  open_.pop_back();
  text_.append(2 * open_.size(), ' ').append("</").append(name).append(">\n");
}

void XmlWriter::leaf(const char* name, const std::vector<Attribute>& attributes) {
  begin(name, attributes);
  text_ += "/>\n";
}

std::string XmlWriter::take() && {
  assert(open_.empty());
  return std::move(text_);
}

void XmlWriter::begin(const char* name, const std::vector<Attribute>& attributes) {
  text_.append(2 * open_.size(), ' ').append("<").append(name);
  for (const auto& [key, value] : attributes)
    text_.append(" ").append(key).append("=\"").append(xml_value(value)).append("\"");
}

std::string xml_value(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence_length(text, at);
    if (length == 0 || !xml_can_hold(code_point_at(text, at)))
      throw UsageError("XML cannot hold '" + printable(text) + "'");
    const char c = text[at];
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\t' || c == '\n' || c == '\r')  // a reader takes them for spaces otherwise
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      out.append(text, at, length);
    at += length;
  }
  return out;
}

void write_predicate(XmlWriter& out, const Expression& expression,
                     std::span<const Attribute> attributes) {
  PredicateWriter(out, attributes).write(to_tree(expression), false);
}

std::string rule_set_pmml(const RuleSet& list, std::span<const Attribute> attributes,
                          std::uint32_t class_attribute, const RuleSetCounts& counts,
                          const Smoothing& smoothing) {
  return ModelWriter(list, attributes, class_attribute, counts, smoothing).write();
}

}  // namespace atl::io
