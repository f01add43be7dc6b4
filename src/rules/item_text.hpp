#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// The name as TransactionSet has it and itemsets are written with.
std::string item_text(const std::string& name);
/// Back again. @pre text is what item_text() gave
std::string item_name(const std::string& text);

/// The names of items joined by AND, without quotes; nothing of a text that is more than these.
/// @param source  what messages call the text
/// @throws BadCell
std::optional<std::vector<std::string>> item_names(std::string_view text,
                                                   const std::string& source);

/// A side of a rule of itemsets as it is written: items joined by AND. An item is a comparison
/// `attribute=label` (item_table.hpp), or the name of an attribute that says that something is
/// there (presence_code()).
/// @param source  what messages call the text
/// @return canonical
/// @throws BadCell, as parse_expression
Expression parse_items(std::string_view text, std::span<const Attribute> attributes,
                       const std::string& source);

}  // namespace atl
