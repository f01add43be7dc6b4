#include "src/rules/item_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "src/data/presence.hpp"
#include "src/rules/rule_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

namespace {

std::optional<Comparison> presence_of(const std::string& name,
                                      std::span<const Attribute> attributes) {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  if (found == attributes.end()) return std::nullopt;
  const auto code = presence_code(*found);
  if (!code) return std::nullopt;
  return Comparison{static_cast<std::uint32_t>(found - attributes.begin()), *code, *code, false};
}

/// Nothing if they are not all names of what is there.
std::optional<std::vector<Comparison>> names_of_items(std::string_view text,
                                                      std::span<const Attribute> attributes,
                                                      const std::string& source) {
  Scanner scanner(text, source, Scanner::Comments::none);
  std::vector<Comparison> items;
  do {
    const char first = scanner.peek();
    if (first != '"' && scanner.peek_run({}).empty()) return std::nullopt;
    const auto item = presence_of(scanner.name_or_value({}, "an item"), attributes);
    if (!item) return std::nullopt;
    items.push_back(*item);
  } while (scanner.accept_keyword("AND"));
  if (!scanner.at_end()) return std::nullopt;
  return items;
}

}  // namespace

Expression parse_items(std::string_view text, std::span<const Attribute> attributes,
                       const std::string& source) {
  const auto items = names_of_items(text, attributes, source);
  return items ? canonical(Expression::conjunction(*items), attributes)
               : parse_expression(text, attributes, source);
}

}  // namespace atl
