#include "src/grammar/target_syntax.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "src/config/aim.hpp"
#include "src/config/numeric_target.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

std::string name_in(Scanner& scanner) {
  return scanner.name_or_value(relation_characters, "the name of an attribute");
}

void expect(Scanner& scanner, const char* symbol, const char* expected) {
  if (!scanner.accept(symbol)) scanner.fail(scanner.position(), expected);
}

/// Reads what follows the name of an attribute, as rules have it (rule_text.hpp).
void read_condition(Scanner& scanner) {
  const auto value = [&] { (void)scanner.name_or_value("", "a value"); };
  const bool negated = scanner.accept_keyword("not");
  if (scanner.accept_keyword("in")) {
    expect(scanner, "[", "'['");
    value();
    expect(scanner, ",", "','");
    value();
    expect(scanner, "]", "']'");
    return;
  }
  if (negated) scanner.fail(scanner.position(), "in");
  if (scanner.accept_keyword("is")) {
    const bool read = scanner.accept_keyword("missing") || scanner.accept_keyword("known");
    if (!read) scanner.fail(scanner.position(), "missing or known");
    return;
  }
  const std::size_t start = scanner.position();
  if (scanner.accept("==")) scanner.fail(start, "one =");
  constexpr std::array<std::string_view, 6> relations = {"<=", ">=", "!=", "<", ">", "="};
  const bool related = std::any_of(relations.begin(), relations.end(),
                                   [&](std::string_view one) { return scanner.accept(one); });
  if (!related)
    scanner.fail(scanner.position(), "= != < <= > >= in, not in, is missing or is known");
  value();
}

/// "median(price)" is neither a statistic that there is nor a comparison.
void refuse_function(const std::string& target, const std::string& source) {
  const std::size_t open = target.find('(');
  if (open == 0 || open == std::string::npos || !target.ends_with(')')) return;
  const std::string name = target.substr(0, target.find_last_not_of(' ', open - 1) + 1);
  if (name.empty() || name.find_first_of("=<>!\"") != std::string::npos) return;
  throw UsageError(source + ": no function " + in_quotes(name) +
                   ", expected mean(ATTRIBUTE) or quantile(ATTRIBUTE, SHARE); a name with "
                   "parentheses stands in double quotes");
}

}  // namespace

std::optional<std::string> target_attribute(const std::string& target) {
  try {
    if (auto statistic = parse_numeric_target(target)) return std::move(statistic->attribute);
    const std::string source = "--target";
    Scanner scanner(target, source, Scanner::Comments::none);
    return name_in(scanner);
  } catch (const Error&) {
    return std::nullopt;  // expect_target_syntax() says why
  }
}

bool is_name_alone(const std::string& target) {
  const std::string source = "--target";
  try {
    if (target == no_target || parse_numeric_target(target)) return false;
    Scanner scanner(target, source, Scanner::Comments::none);
    (void)name_in(scanner);
    return scanner.at_end();
  } catch (const Error&) {
    return false;
  }
}

void expect_comparison_syntax(const std::string& text, const std::string& source) {
  try {
    Scanner scanner(text, source, Scanner::Comments::none);
    (void)name_in(scanner);
    read_condition(scanner);
    if (!scanner.at_end()) scanner.fail(scanner.position(), "the end after one comparison");
  } catch (const BadCell& error) {
    throw UsageError(source + ": found '" + error.found + "', expected " + error.expected);
  }
}

void expect_target_syntax(const std::string& target) {
  if (target == no_target || parse_numeric_target(target)) return;
  const std::string source = "--target " + in_quotes(target);
  refuse_function(target, source);
  if (!is_name_alone(target)) expect_comparison_syntax(target, source);
}

void expect_target_syntax(const Experiment& experiment) {
  for (const auto& [island, its] : experiment.by_island()) {
    for (const std::string& target : its.aim.target) {
      try {
        expect_target_syntax(target);
      } catch (const UsageError& error) {
        if (its.aim == experiment.aim) throw;
        throw UsageError("island_settings, of island " + std::to_string(island) + ": " +
                         error.what());
      }
    }
  }
}

}  // namespace atl
