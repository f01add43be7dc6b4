#include <string>
#include <utility>

#include "src/rules/expression_reader.hpp"
#include "src/rules/rule_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

void expect_end(Scanner& scanner, const std::string& expected) {
  if (!scanner.at_end()) scanner.fail(scanner.position(), expected);
}

}  // namespace

Comparison parse_comparison(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source) {
  Scanner scanner(text, source, Scanner::Comments::none);
  const Comparison comparison = ExpressionReader(scanner, attributes, Unseen::refused).comparison();
  expect_end(scanner, "the end after one comparison");
  return comparison;
}

Expression parse_expression(std::string_view text, std::span<const Attribute> attributes,
                            const std::string& source) {
  Scanner scanner(text, source, Scanner::Comments::none);
  Expression expression = ExpressionReader(scanner, attributes, Unseen::refused).expression();
  expect_end(scanner, "AND, OR or the end");
  return expression;
}

Rule parse_rule(std::string_view text, std::span<const Attribute> attributes,
                const std::string& source, Unseen unseen) {
  Scanner scanner(text, source, Scanner::Comments::none);
  ExpressionReader reader(scanner, attributes, unseen);
  Expression antecedent = reader.expression();
  if (!scanner.accept("=>")) scanner.fail(scanner.position(), "AND, OR or =>");
  const auto mean = reader.mean();
  Rule rule{std::move(antecedent), mean ? Expression::of(*mean) : reader.expression()};
  expect_end(scanner, "AND, OR or the end");
  return rule;
}

}  // namespace atl
