// The predicates of PMML that we write, as their specification defines them: by three truth values.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "src/core/text/number.hpp"

namespace atl::test {

enum class Truth { no, unknown, yes };

/// The value of a field as text, or that it is missing.
using FieldValue = std::function<std::optional<std::string>(const std::string& field)>;

/// Of an XML element on a line of its own.
inline std::string xml_attribute(const std::string& line, const std::string& key) {
  const std::size_t begin = line.find(" " + key + "=\"") + key.size() + 3;
  std::string value = line.substr(begin, line.find('"', begin) - begin);
  static const std::vector<std::pair<std::string, std::string>> escapes = {
      {"&lt;", "<"},   {"&gt;", ">"},   {"&quot;", "\""}, {"&#9;", "\t"},
      {"&#10;", "\n"}, {"&#13;", "\r"}, {"&amp;", "&"}};
  for (const auto& [from, to] : escapes)
    for (std::size_t at = 0; (at = value.find(from, at)) != std::string::npos; at += to.size())
      value.replace(at, from.size(), to);
  return value;
}

inline Truth simple_predicate(const std::string& line, const FieldValue& value_of) {
  const auto truth = [](bool holds) { return holds ? Truth::yes : Truth::no; };
  const std::string relation = xml_attribute(line, "operator");
  const auto value = value_of(xml_attribute(line, "field"));
  if (relation == "isMissing") return truth(!value);
  if (relation == "isNotMissing") return truth(value.has_value());
  if (!value) return Truth::unknown;
  const std::string bound = xml_attribute(line, "value");
  if (relation == "equal") return truth(*value == bound);
  if (relation == "notEqual") return truth(*value != bound);
  const double a = parse_number(*value).value(), b = parse_number(bound).value();
  if (relation == "lessThan") return truth(a < b);
  if (relation == "lessOrEqual") return truth(a <= b);
  if (relation == "greaterThan") return truth(a > b);
  if (relation == "greaterOrEqual") return truth(a >= b);
  throw std::invalid_argument(relation);
}

/// The first predicate in a text with an element on each line.
inline Truth evaluate_predicate(std::istream& lines, const FieldValue& value_of) {
  std::string line;
  std::getline(lines, line);
  if (line.find("<SimplePredicate") != std::string::npos) return simple_predicate(line, value_of);
  if (line.find("<CompoundPredicate") == std::string::npos) throw std::invalid_argument(line);
  const bool all = xml_attribute(line, "booleanOperator") == "and";
  Truth truth = all ? Truth::yes : Truth::no;
  while (lines >> std::ws && lines.peek() == '<') {
    const auto before = lines.tellg();
    std::getline(lines, line);
    if (line == "</CompoundPredicate>") return truth;
    lines.seekg(before);
    const Truth operand = evaluate_predicate(lines, value_of);
    truth = all ? std::min(truth, operand) : std::max(truth, operand);
  }
  throw std::invalid_argument("a compound predicate without its end");
}

}  // namespace atl::test
