#include "src/rules/item_text.hpp"

#include <algorithm>

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

/// The comparisons that say what is there; nothing if they do not all say what is there.
std::optional<std::vector<Comparison>> presences_of(const std::vector<std::string>& names,
                                                    std::span<const Attribute> attributes) {
  std::vector<Comparison> items;
  for (const std::string& name : names) {
    const auto item = presence_of(name, attributes);
    if (!item) return std::nullopt;
    items.push_back(*item);
  }
  return items;
}

}  // namespace

std::string item_text(const std::string& name) {
  return quoted_if_needed(name, {});
}

std::string item_name(const std::string& text) {
  if (!text.starts_with('"')) return text;
  const std::string source = "item";
  return Scanner(text, source, Scanner::Comments::none).name_or_value({}, "the name of an item");
}

std::optional<std::vector<std::string>> item_names(std::string_view text,
                                                   const std::string& source) {
  Scanner scanner(text, source, Scanner::Comments::none);
  std::vector<std::string> names;
  do {
    if (scanner.peek() != '"' && scanner.peek_run({}).empty()) return std::nullopt;
    names.push_back(scanner.name_or_value({}, "an item"));
  } while (scanner.accept_keyword("AND"));
  if (!scanner.at_end()) return std::nullopt;
  return names;
}

Expression parse_items(std::string_view text, std::span<const Attribute> attributes,
                       const std::string& source) {
  const auto names = item_names(text, source);
  const auto items = names ? presences_of(*names, attributes) : std::nullopt;
  return items ? canonical(Expression::conjunction(*items), attributes)
               : parse_expression(text, attributes, source);
}

}  // namespace atl
