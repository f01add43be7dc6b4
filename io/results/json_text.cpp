#include "io/results/json_text.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "src/core/error.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {

std::string json_quote(const std::string& text) {
  using Json = nlohmann::json;
  return printable_lines(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string json_number(double value) {
  if (std::isnan(value)) return "null";
  return std::isinf(value) ? json_quote(format_number(value)) : format_number(value);
}

std::string comparison_json(const WrittenComparison& comparison) {
  const auto value = [&](const std::string& text) {
    return comparison.kind == AttributeKind::numeric ? text : json_quote(text);
  };
  // A program that knows no more than = and != still reads null as what is not there.
  const bool is_missing = comparison.relation == "is missing";
  const bool presence = is_missing || comparison.relation == "is known";
  const std::string relation = presence ? (is_missing ? "=" : "!=") : comparison.relation;
  return "{\"attribute\": " + json_quote(comparison.attribute) +
         ", \"relation\": " + json_quote(relation) +
         (is_date(comparison.kind) ? ", \"kind\": " + json_quote(to_string(comparison.kind)) : "") +
         ", \"values\": [" + (presence ? "null" : json_join(comparison.values, value)) + "]" +
         (comparison.found.empty() ? ""
                                   : ", \"found\": [" + json_join(comparison.found, value) + "]") +
         "}";
}

}  // namespace atl::io
