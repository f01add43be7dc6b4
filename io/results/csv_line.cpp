#include "io/results/csv_line.hpp"

#include <string_view>

#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

bool looks_like_formula(std::string_view field) {
  const std::size_t first = field.find_first_not_of('\'');
  if (first == std::string_view::npos) return false;
  const bool begins_one = std::string_view("=+-@\t\r").find(field[first]) != std::string_view::npos;
  return begins_one && field != "-inf" && !parse_number(field);
}

}  // namespace

std::string csv_field(std::string_view field) {
  if (field.find_first_of(",\"\r\n ") == std::string_view::npos) return std::string(field);
  std::string quoted = "\"";
  for (const char c : field) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

void append_csv_line(std::string& out, std::span<const std::string> fields, Formulas formulas) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += ',';
    const bool guard = formulas == Formulas::guarded && looks_like_formula(fields[i]);
    out += csv_field(guard ? "'" + fields[i] : fields[i]);
  }
  out += '\n';
}

}  // namespace atl::io
