// What the columns of a text table are, as inferred or as the user says, and its TOML form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/values/written_number.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

/// Tokens that mean "no value" unless the user names others.
inline const std::vector<std::string> default_missing = {"",    "?",   "NA",   "N/A", "n/a",
                                                         "NaN", "nan", "NULL", "null"};

enum class ColumnRole : std::uint8_t { input, target, ignore };

struct Column {
  std::string name;
  std::optional<AttributeKind> kind = AttributeKind::nominal;  ///< to be inferred if not set
  ColumnRole role = ColumnRole::input;
  std::vector<std::string> missing;  ///< tokens that mean "no value"
  std::vector<std::string> order;    ///< ordinal: its labels, lowest first; nominal: labels kept,
                                     ///< all others become "other"; empty: all
  std::string reason;                ///< why it was inferred so; a comment in the TOML form
  std::string format = {};           ///< of dates, as DateFormat takes it; empty: ISO 8601
  std::optional<DecimalMark> decimal = {};  ///< of numbers; as the import says if not set
};

struct Schema {
  std::vector<Column> columns;  ///< in the order of the table
  std::string file = "schema";  ///< where it is from, for messages
};

/// [[column]] tables with name, kind, role, missing, order, format, reasons as comments.
std::string to_toml(const Schema& schema);
/// @throws BadData or BadCell
Schema parse_schema(std::string_view toml, const std::string& file);

}  // namespace atl::io
