// Parts of the JSON that we write.
#pragma once

#include <string>

#include "src/results/written/written_rule.hpp"

namespace atl::io {

/// In double quotes. Bytes that are no UTF-8 are replaced.
std::string json_quote(const std::string& text);
/// null where the value does not exist, "inf" for infinity.
std::string json_number(double value);
std::string comparison_json(const WrittenComparison& comparison);

/// Joins what `write` makes of each element, with commas.
template <typename List, typename Write>
std::string json_join(const List& list, const Write& write) {
  std::string out;
  for (const auto& element : list) {
    if (!out.empty()) out += ", ";
    out += write(element);
  }
  return out;
}

}  // namespace atl::io
