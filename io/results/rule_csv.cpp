#include <variant>

#include <nlohmann/json.hpp>

#include "io/results/csv_line.hpp"
#include "io/results/rule_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/results/written/rule_columns.hpp"

namespace atl::io {
namespace {

using Fields = std::vector<std::string>;

std::string json_list(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  using nlohmann::json;
  return printable_lines(json(texts).dump(-1, ' ', false, json::error_handler_t::replace));
}

struct CsvCell {
  std::string operator()(std::uint64_t count) const { return std::to_string(count); }
  std::string operator()(double value) const { return format_number(value); }
  std::string operator()(const std::string& text) const {
    return printable(text, std::string::npos);
  }
  std::string operator()(const std::vector<std::string>& texts) const { return json_list(texts); }
};

}  // namespace

std::string rules_csv(std::span<const WrittenRule> rules, const ColumnChoice& choice) {
  const std::vector<RuleColumn> columns = csv_columns(choice);
  Fields fields;
  for (const RuleColumn& column : columns) fields.push_back(column.name);
  std::string out;
  append_csv_line(out, fields);
  for (const WrittenRule& rule : rules) {
    fields.clear();
    for (const RuleColumn& column : columns) {
      fields.push_back(std::visit(CsvCell{}, column.value(rule)));
    }
    append_csv_line(out, fields);
  }
  return out;
}

std::string history_csv(std::span<const HistoryRow> rows, std::span<const std::string> maximize) {
  std::vector<std::string> fields = {"generation", "island", "evaluated", "feasible",
                                     "mean_comparisons"};
  for (const std::string& measure : maximize) fields.push_back("best_" + measure);
  for (const std::string& measure : maximize) fields.push_back("mean_" + measure);
  std::string out;
  append_csv_line(out, fields);
  for (const HistoryRow& row : rows) {
    fields.clear();
    for (const std::uint64_t count :
         {std::uint64_t{row.generation}, std::uint64_t{row.island}, row.evaluated, row.feasible}) {
      fields.push_back(std::to_string(count));
    }
    fields.push_back(format_number(row.mean_comparisons));
    for (const double value : row.best) fields.push_back(format_number(value));
    for (const double value : row.mean) fields.push_back(format_number(value));
    append_csv_line(out, fields);
  }
  return out;
}

}  // namespace atl::io
