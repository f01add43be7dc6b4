#include "io/tables/columns/schema.hpp"

#include <set>
#include <span>
#include <stdexcept>

#include "io/tables/values/date_format.hpp"
#include "src/config/toml_text.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

constexpr const char* kinds[] = {"numeric", "nominal",   "ordinal",
                                 "date",    "date-time", "date-time-utc"};
constexpr const char* roles[] = {"input", "target", "ignore"};

std::string quoted_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ", ";
    out += toml_string(item);
  }
  return out + "]";
}

/// Control characters would end the comment or are not allowed in one.
std::string comment(const std::string& text) {
  if (text.empty()) return {};
  std::string out = "# ";
  out += printable(text, 4 * text.size() + 1);
  out += '\n';
  return out;
}

/// Reads a schema, and knows where things are, for messages.
class SchemaReader {
 public:
  explicit SchemaReader(const std::string& file) : file_(file) {}

  Schema read(const toml::table& root) {
    Schema schema;
    schema.file = file_;
    for (const auto& [key, node] : root) {
      if (key.str() != "column") fail(key.source(), std::string(key.str()), "[[column]]");
    }
    const toml::node* const columns = root.get("column");
    if (columns == nullptr) throw BadData(file_, "has no [[column]], expected one for each column");
    const toml::array* const list = columns->as_array();
    if (list == nullptr || !list->is_homogeneous<toml::table>()) {
      fail(columns->source(), "column", "[[column]] tables");
    }
    std::set<std::string> names;
    for (const toml::node& node : *list) {
      const toml::table& table = *node.as_table();
      column_ = table["name"].value_or(std::string());
      schema.columns.push_back(read_column(table));
      column_.clear();
      if (!names.insert(schema.columns.back().name).second) {
        fail(node.source(), schema.columns.back().name, "each column once");
      }
    }
    return schema;
  }

 private:
  Column read_column(const toml::table& table) const {
    for (const auto& [key, node] : table) {
      const std::set<std::string_view> known{"name",  "kind",   "role",   "missing",
                                             "order", "format", "decimal"};
      if (known.count(key.str()) == 0) {
        fail(key.source(), std::string(key.str()),
             "name, kind, role, missing, order, format or decimal");
      }
    }
    Column column;
    column.name = text(table, "name");
    column.kind = std::nullopt;
    if (table.contains("kind")) {
      column.kind = static_cast<AttributeKind>(choice(table, "kind", kinds));
    }
    if (table.contains("role")) {
      column.role = static_cast<ColumnRole>(choice(table, "role", roles));
    }
    column.missing = default_missing;
    if (table.contains("missing")) column.missing = texts(table, "missing");
    if (table.contains("order")) column.order = texts(table, "order");
    const toml::node* const order = table.get("order");
    if (column.kind == AttributeKind::ordinal && column.order.empty()) {
      fail(order != nullptr ? order->source() : table.source(), "no order",
           "that of an ordinal column's labels, lowest first");
    }
    if (!column.kind && !column.order.empty()) {
      fail(order->source(), "order", "kind = \"ordinal\" or \"nominal\" beside it");
    }
    if (column.kind && has_numbers(*column.kind) && !column.order.empty()) {
      fail(order->source(), "order",
           std::string("no order for a ") + to_string(*column.kind) + " column");
    }
    if (table.contains("format")) read_format(table, column);
    if (table.contains("decimal")) {
      column.decimal = static_cast<DecimalMark>(choice(table, "decimal", decimal_marks));
      if (column.kind.value_or(AttributeKind::numeric) != AttributeKind::numeric) {
        fail(table.get("decimal")->source(), "decimal",
             std::string("none for a ") + to_string(*column.kind) + " column");
      }
    }
    return column;
  }

  /// The format tells the kind, which may be left out.
  void read_format(const toml::table& table, Column& column) const {
    column.format = text(table, "format");
    AttributeKind kind{};
    try {
      kind = DateFormat(column.format).kind();
    } catch (const std::invalid_argument& error) {
      fail(table.get("format")->source(), column.format, error.what());
    }
    if (column.kind.value_or(kind) != kind) {
      fail(table.get("format")->source(), column.format,
           std::string("kind = \"") + to_string(kind) + "\", as this format has");
    }
    column.kind = kind;
  }

  std::string text(const toml::table& table, std::string_view key) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr)
      fail(table.source(), "a column", std::string(key).append(" = \"...\" in it"));
    if (!node->is_string()) fail(node->source(), std::string(key), "a string");
    return node->as_string()->get();
  }

  std::size_t choice(const toml::table& table, std::string_view key,
                     std::span<const char* const> choices) const {
    const std::string word = text(table, key);
    std::string expected;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (word == choices[i]) return i;
      expected += i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
      expected += choices[i];
    }
    fail(table.get(key)->source(), word, expected);
  }

  std::vector<std::string> texts(const toml::table& table, std::string_view key) const {
    const toml::node& node = *table.get(key);
    if (!node.is_array()) fail(node.source(), std::string(key), "a list of strings");
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (const toml::node& item : *node.as_array()) {
      if (!item.is_string()) fail(item.source(), std::string(key), "a list of strings");
      out.push_back(item.as_string()->get());
      if (!seen.insert(out.back()).second) fail(item.source(), out.back(), "each label once");
    }
    return out;
  }

  [[noreturn]] void fail(const toml::source_region& where, const std::string& found,
                         const std::string& expected) const {
    throw BadCell(file_, where.begin.line, where.begin.column, found,
                  column_.empty() ? expected : expected + " (column " + in_quotes(column_) + ")");
  }

  const std::string& file_;
  std::string column_;  ///< that is being read, if its name is known
};

}  // namespace

std::string to_toml(const Schema& schema) {
  std::string out =
      "# Columns of a table. kind: numeric, nominal, ordinal, date, date-time or date-time-utc.\n"
      "# role: input, target or ignore.\n"
      "# missing: tokens that mean \"no value\". order: all labels of an ordinal column, lowest\n"
      "# first; of a nominal one, the labels to keep, all others become \"other\".\n"
      "# format: of dates that are not in ISO 8601, such as \"%d.%m.%Y %H:%M\".\n"
      "# decimal: point, comma, plain or auto, of numbers that are not written plainly.\n"
      "# What is not listed, a column or its kind, is inferred.\n";
  for (const Column& column : schema.columns) {
    out.append("\n").append(comment(column.reason)).append("[[column]]\n");
    out.append("name = ").append(toml_string(column.name)).append("\n");
    if (column.kind) {
      out.append("kind = ").append(toml_string(kinds[static_cast<int>(*column.kind)])).append("\n");
    }
    out.append("role = ").append(toml_string(roles[static_cast<int>(column.role)])).append("\n");
    out.append("missing = ").append(quoted_list(column.missing)).append("\n");
    if (!column.order.empty()) {
      out.append("order = ").append(quoted_list(column.order)).append("\n");
    }
    if (!column.format.empty()) {
      out.append("format = ").append(toml_string(column.format)).append("\n");
    }
    if (column.decimal) {
      const char* const mark = decimal_marks[static_cast<std::size_t>(*column.decimal)];
      out.append("decimal = ").append(toml_string(mark)).append("\n");
    }
  }
  return out;
}

Schema parse_schema(std::string_view toml, const std::string& file) {
  return SchemaReader(file).read(parse_toml(toml, file));
}

}  // namespace atl::io
