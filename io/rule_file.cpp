#include "io/rule_file.hpp"

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "src/core/number.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::io {
namespace {

std::vector<WrittenComparison> written(const Expression& side,
                                       std::span<const Attribute> attributes) {
  std::vector<WrittenComparison> out;
  for (const Comparison& comparison : side.comparisons()) {
    const Attribute& attribute = attributes[comparison.attribute];
    Condition condition = to_condition(comparison, attribute);
    out.push_back({attribute.name, condition.relation, std::move(condition.values),
                   attribute.kind == AttributeKind::numeric});
  }
  return out;
}

// One line of RFC 4180, but that it ends in \n.
void append_line(std::string& out, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string& field = fields[i];
    if (i > 0) out += ',';
    if (field.find_first_of(",\"\r\n ") == std::string::npos) {
      out += field;
      continue;
    }
    out += '"';
    for (const char c : field) out.append(c == '"' ? 2 : 1, c);
    out += '"';
  }
  out += '\n';
}

// The sides of a rule's text. Names and labels that hold blanks are in double quotes.
std::pair<std::string, std::string> sides(const std::string& text) {
  const std::string_view arrow = " => ";
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text.compare(i, arrow.size(), arrow) == 0) {
      return {text.substr(0, i), text.substr(i + arrow.size())};
    }
  }
  return {text, ""};
}

std::string json_list(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  return nlohmann::json(texts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::vector<WrittenRule> to_written(std::span<const RuleRecord> records,
                                    std::span<const Attribute> attributes) {
  std::vector<WrittenRule> rules;
  for (const RuleRecord& record : records) {
    WrittenRule rule;
    rule.id = rules.size() + 1;
    rule.text = to_text(record.rule, attributes);
    rule.antecedent = written(record.rule.antecedent, attributes);
    rule.consequent = written(record.rule.consequent, attributes);
    rule.table = record.table;
    rule.missing_consequent = record.missing_consequent;
    rule.generation = record.generation;
    rule.island = record.island;
    for (const Rule& other : record.equivalents) {
      rule.equivalents.push_back(to_text(other, attributes));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::string rules_csv(std::span<const WrittenRule> rules, std::span<const Measure> measures) {
  std::vector<std::string> fields = {
      "id",           "rule",         "antecedent", "consequent",         "n",
      "n_antecedent", "n_consequent", "n_both",     "missing_consequent", "comparisons"};
  for (const Measure measure : measures) fields.emplace_back(info(measure).name);
  fields.insert(fields.end(), {"generation", "island", "equivalents"});
  std::string out;
  append_line(out, fields);
  for (const WrittenRule& rule : rules) {
    const auto [antecedent, consequent] = sides(rule.text);
    fields = {std::to_string(rule.id), rule.text, antecedent, consequent};
    for (const std::uint64_t count :
         {rule.table.n, rule.table.n_antecedent, rule.table.n_consequent, rule.table.n_both,
          rule.missing_consequent,
          std::uint64_t{rule.antecedent.size() + rule.consequent.size()}}) {
      fields.push_back(std::to_string(count));
    }
    for (const Measure measure : measures) {
      fields.push_back(format_number(evaluate(measure, rule.table)));
    }
    fields.push_back(std::to_string(rule.generation));
    fields.push_back(std::to_string(rule.island));
    fields.push_back(json_list(rule.equivalents));
    append_line(out, fields);
  }
  return out;
}

std::string history_csv(std::span<const HistoryRow> rows, std::span<const std::string> maximize) {
  std::vector<std::string> fields = {"generation", "island", "evaluated", "feasible",
                                     "mean_comparisons"};
  for (const std::string& measure : maximize) fields.push_back("best_" + measure);
  for (const std::string& measure : maximize) fields.push_back("mean_" + measure);
  std::string out;
  append_line(out, fields);
  for (const HistoryRow& row : rows) {
    fields.clear();
    for (const std::uint64_t count :
         {std::uint64_t{row.generation}, std::uint64_t{row.island}, row.evaluated, row.feasible}) {
      fields.push_back(std::to_string(count));
    }
    fields.push_back(format_number(row.mean_comparisons));
    for (const double value : row.best) fields.push_back(format_number(value));
    for (const double value : row.mean) fields.push_back(format_number(value));
    append_line(out, fields);
  }
  return out;
}

}  // namespace atl::io
