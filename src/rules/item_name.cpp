#include "src/rules/item_name.hpp"

#include "src/rules/scanner.hpp"

namespace atl {

std::string item_text(const std::string& name) {
  return quoted_if_needed(name, {});
}

std::string item_name(const std::string& text) {
  if (!text.starts_with('"')) return text;
  const std::string source = "item";
  return Scanner(text, source, Scanner::Comments::none).name_or_value({}, "the name of an item");
}

}  // namespace atl
