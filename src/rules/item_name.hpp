// Names of items are written as names of attributes are: in double quotes where they need them.
#pragma once

#include <string>

namespace atl {

/// The name as TransactionSet has it and itemsets are written with.
std::string item_text(const std::string& name);
/// Back again. @pre text is what item_text() gave
std::string item_name(const std::string& text);

}  // namespace atl
