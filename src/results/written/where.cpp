#include "src/results/written/where.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

/// Recursive descent over the text; each function consumes what it reads.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { advance(); }

  Where whole() {
    // What was found in the place of a rule counts as written.
    named_.holds = [filter = condition()](const WrittenRule& rule) {
      return filter(rule) || std::any_of(rule.as_found.begin(), rule.as_found.end(), filter);
    };
    if (!token_.empty()) fail("AND, OR or the end");
    return std::move(named_);
  }

 private:
  // Deep nesting must not exhaust the stack.
  static constexpr int deepest = 200;

  RuleFilter condition() {
    std::vector<RuleFilter> either = joined("or", [this] { return all(); });
    if (either.size() == 1) return std::move(either[0]);
    return [either = std::move(either)](const WrittenRule& rule) {
      return std::any_of(either.begin(), either.end(),
                         [&](const auto& part) { return part(rule); });
    };
  }

  RuleFilter all() {
    std::vector<RuleFilter> both = joined("and", [this] { return term(); });
    if (both.size() == 1) return std::move(both[0]);
    return [both = std::move(both)](const WrittenRule& rule) {
      return std::all_of(both.begin(), both.end(), [&](const auto& part) { return part(rule); });
    };
  }

  template <typename Part>
  std::vector<RuleFilter> joined(std::string_view keyword, Part part) {
    std::vector<RuleFilter> parts;
    parts.push_back(part());
    while (lower(token_) == keyword) {
      advance();
      parts.push_back(part());
    }
    return parts;
  }

  RuleFilter term() {
    if (++depth_ > deepest) fail("fewer levels of nesting");
    RuleFilter filter;
    if (token_.starts_with('"')) {
      std::string name = quoted("a name");
      filter = is_equality() ? label(std::move(name)) : membership(std::move(name));
    } else if (is_membership()) {
      std::string name(token_);
      advance();
      filter = membership(std::move(name));
    } else if (lower(token_) == "not") {
      advance();
      filter = [inner = term()](const WrittenRule& rule) { return !inner(rule); };
    } else if (token_ == "(") {
      advance();
      filter = condition();
      if (token_ != ")") fail("')'");
      advance();
    } else if (const RuleColumn* column = find_rule_column(token_);
               column != nullptr && !column->is_number) {
      filter = text(*column);
    } else if (is_about_label()) {
      std::string name(token_);
      advance();
      filter = label(std::move(name));
    } else {
      filter = comparison();
    }
    --depth_;
    return filter;
  }

  bool is_equality() const { return token_ == "=" || token_ == "!="; }

  /// Do `=` or `!=` and a text follow a word that is neither a field nor a number?
  bool is_about_label() const {
    constexpr std::string_view others = "<>=!()";
    if (token_.empty() || others.find(token_[0]) != others.npos) return false;
    if (find_rule_column(token_) != nullptr || number()) return false;
    const Token next = token_at(at_ + token_.size());
    return next.text == "=" || next.text == "!=";
  }

  /// The relation = or !=. @return is it the latter?
  bool differs() {
    if (!is_equality()) fail("= or !=");
    const bool negated = token_ == "!=";
    advance();
    return negated;
  }

  std::string label_or_word(const std::string& what) {
    if (token_.starts_with('"')) return quoted(what);
    constexpr std::string_view others = "<>=!()";
    if (token_.empty() || others.find(token_[0]) != others.npos) fail(what);
    std::string word(token_);
    advance();
    return word;
  }

  /// A column of texts, of which the token is the name.
  RuleFilter text(const RuleColumn& column) {
    named_.fields.push_back(column.name);
    advance();
    const bool negated = differs();
    const Token at{at_, token_};
    const auto& known = column.texts;
    std::string sought = label_or_word("a text");
    if (!known.empty()) sought = lower(sought);
    if (!known.empty() && std::find(known.begin(), known.end(), sought) == known.end()) {
      at_ = at.at;
      token_ = at.text;
      fail("a " + column.name + suggestion(sought, known));
    }
    return [&column, negated, sought = std::move(sought)](const WrittenRule& rule) {
      const RuleValue value = column.value(rule);
      const auto* const text = std::get_if<std::string>(&value);
      return text != nullptr && !text->empty() && (*text == sought) != negated;
    };
  }

  /// @param name  of an attribute, already read
  RuleFilter label(std::string name) {
    const bool negated = differs();
    std::string sought = label_or_word("a label");
    const bool has_side = lower(token_) == "in";
    if (has_side) advance();
    const Side in = has_side ? side() : Side{true, true};
    named_.attributes.push_back(name);
    return in.where(
        [name = std::move(name), sought = std::move(sought)](const WrittenComparison& c) {
          return c.attribute == name && c.relation == "=" && c.values.front() == sought;
        },
        negated);
  }

  /// Does `IN`, `NOT IN` or `IS` follow the token? NOT itself must be quoted to be a name.
  bool is_membership() const {
    constexpr std::string_view others = "<>=!()";
    if (token_.empty() || others.find(token_[0]) != others.npos || lower(token_) == "not")
      return false;
    const Token next = token_at(at_ + token_.size());
    if (lower(next.text) == "in" || lower(next.text) == "is") return true;
    return lower(next.text) == "not" && lower(token_at(next.at + next.text.size()).text) == "in";
  }

  /// Reads a name or label as the language of rules has it.
  std::string quoted(const std::string& what) {
    static const std::string source = "--where";
    Scanner scanner(text_.substr(at_), source, Scanner::Comments::none);
    try {
      std::string name = scanner.name_or_value("", what);
      at_ += scanner.position();
      token_ = {};
      advance();
      return name;
    } catch (const BadCell& error) {
      fail(error.expected);
    }
  }

  /// Reads `IS MISSING` or `IS KNOWN`, as a relation of rules; nothing if there is neither.
  std::string presence() {
    if (lower(token_) != "is") return {};
    advance();
    const std::string what = lower(token_);
    if (what != "missing" && what != "known") fail("MISSING or KNOWN");
    advance();
    return "is " + what;
  }

  /// @param name  of an attribute, already read
  RuleFilter membership(std::string name) {
    std::string relation = presence();
    const bool negated = lower(token_) == "not";
    if (negated) advance();
    if (lower(token_) != "in") fail("IN or NOT IN");
    advance();
    const Side in = side();
    named_.attributes.push_back(name);
    return in.where(
        [name = std::move(name), relation = std::move(relation)](const WrittenComparison& c) {
          return c.attribute == name && (relation.empty() || c.relation == relation);
        },
        negated);
  }

  struct Side {
    bool antecedent, consequent;

    /// Has it a comparison that is so?
    template <typename Holds>
    RuleFilter where(Holds holds, bool negated) const {
      return [*this, holds = std::move(holds), negated](const WrittenRule& rule) {
        const auto any = [&](const std::vector<WrittenComparison>& of) {
          return std::any_of(of.begin(), of.end(), holds);
        };
        const bool found =
            (antecedent && any(rule.antecedent)) || (consequent && any(rule.consequent));
        return found != negated;
      };
    }
  };

  Side side() {
    const std::string name = lower(token_);
    const Side side{name == "rule" || name == "antecedent", name == "rule" || name == "consequent"};
    if (!side.antecedent && !side.consequent) fail("rule, antecedent or consequent");
    advance();
    return side;
  }

  RuleFilter comparison() {
    const RuleField left = operand();
    const std::string relation(token_);
    if (relation != "<" && relation != "<=" && relation != ">" && relation != ">=" &&
        relation != "=" && relation != "!=") {
      fail("one of < <= > >= = !=");
    }
    advance();
    const RuleField right = operand();
    return [left, relation, right](const WrittenRule& rule) {
      const double a = left(rule);
      const double b = right(rule);
      if (std::isnan(a) || std::isnan(b)) return false;
      if (relation == "<") return a < b;
      if (relation == "<=") return a <= b;
      if (relation == ">") return a > b;
      if (relation == ">=") return a >= b;
      return (a == b) == (relation == "=");
    };
  }

  RuleField operand() {
    if (const auto number = this->number()) {
      advance();
      return [value = *number](const WrittenRule&) { return value; };
    }
    if (RuleField field = find_rule_field(token_)) {
      named_.fields.push_back(lower(token_));
      advance();
      return field;
    }
    fail("a number or " + expected_rule_field(token_));
  }

  std::optional<double> number() const {
    const std::string word = lower(token_);
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    if (!token_.ends_with('%')) return parse_number(token_);
    // The number is read as text, so that 0.7% equals 0.007.
    return parse_number(std::string(token_.substr(0, token_.size() - 1)) + "e-2");
  }

  struct Token {
    std::size_t at;
    std::string_view text;
  };

  /// The next one at or behind a position.
  Token token_at(std::size_t at) const {
    while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])) != 0) ++at;
    const std::string_view rest = text_.substr(at);
    constexpr std::string_view relations = "<>=!";
    std::size_t length = 0;
    if (!rest.empty() && relations.find(rest[0]) != std::string_view::npos) {
      length = rest.size() > 1 && rest[1] == '=' ? 2 : 1;
    } else if (!rest.empty() && (rest[0] == '(' || rest[0] == ')')) {
      length = 1;
    } else {
      length = std::min(rest.find_first_of("<>=!() \t\r\n"), rest.size());
    }
    return {at, rest.substr(0, length)};
  }

  void advance() {
    const Token next = token_at(at_ + token_.size());
    at_ = next.at;
    token_ = next.text;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    const std::string found =
        token_.empty() ? "the end" : "'" + printable(std::string(token_)) + "'";
    throw UsageError("--where: column " + std::to_string(at_ + 1) + ": found " + found +
                     ", expected " + expected);
  }

  std::string_view text_;
  std::string_view token_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Where named_;
};

/// Lines of whole words.
std::string indented(const std::string& text) {
  constexpr std::size_t width = 90;
  std::string lines, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > width) lines += std::exchange(line, "") + "\n";
    line += (line.empty() ? "    " : " ") + word;
  }
  return lines + line + "\n";
}

}  // namespace

Where parse_where(std::string_view text) {
  return Parser(text).whole();
}

std::string where_help() {
  return "EXPR of --where:\n"
         "  condition := all { OR all }     all := term { AND term }\n"
         "  term      := NOT term | ( condition ) | operand relation operand\n"
         "             | attribute [IS MISSING | IS KNOWN] [NOT] IN side\n"
         "             | attribute = label [IN side] | text = word\n"
         "  operand   := field | number | number%     relation := < <= > >= = !=\n"
         "  side      := rule | antecedent | consequent\n"
         "  fields:\n" +
         indented(rule_field_names()) + "  texts:\n" + indented(rule_text_names()) +
         "  A comparison with a value that does not exist is false. Names and labels with\n"
         "  blanks, quotes or any of < > = ! ( ) stand in double quotes. != is for labels and\n"
         "  texts, too. Examples:\n"
         "  --where 'lift > 2 and support > 1%'\n"
         "  --where 'kind = rule and income = \">50K\"'\n"
         "  --where 'income in consequent and not \"marital status\" in rule'";
}

}  // namespace atl
