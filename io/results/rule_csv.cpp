#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "io/results/csv_line.hpp"
#include "io/results/rule_file.hpp"
#include "src/core/error.hpp"
#include "src/core/number.hpp"

namespace atl::io {
namespace {

using Fields = std::vector<std::string>;

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
  using nlohmann::json;
  return printable_lines(json(texts).dump(-1, ' ', false, json::error_handler_t::replace));
}

void add_counts_header(Fields& fields, const std::string& prefix) {
  for (const char* name : {"n", "n_antecedent", "n_consequent", "n_both", "missing_consequent"}) {
    fields.push_back(prefix + name);
  }
}

void add_counts(Fields& fields, const ContingencyTable& table, std::uint64_t missing_consequent) {
  for (const std::uint64_t count :
       {table.n, table.n_antecedent, table.n_consequent, table.n_both, missing_consequent}) {
    fields.push_back(std::to_string(count));
  }
}

void add_measures_header(Fields& fields, const std::string& prefix,
                         std::span<const Measure> measures) {
  for (const Measure measure : measures) {
    fields.push_back(prefix + std::string(info(measure).name));
  }
}

void add_measures(Fields& fields, const ContingencyTable& table,
                  std::span<const Measure> measures) {
  for (const Measure measure : measures) {
    fields.push_back(format_number(evaluate(measure, table)));
  }
}

void add_quantiles(Fields& fields, const std::optional<Quantiles>& quantiles) {
  fields.push_back(format_number(quantiles.value().within));
  fields.push_back(format_number(quantiles.value().rest));
}

Fields header(const RuleColumns& columns, std::span<const Measure> elsewhere) {
  Fields fields = {"id", "rule", "antecedent", "consequent"};
  add_counts_header(fields, "");
  fields.emplace_back("comparisons");
  const auto add_quantiles_header = [&](const std::string& prefix) {
    if (columns.quantiles)
      fields.insert(fields.end(), {prefix + "quantile", prefix + "quantile_rest"});
  };
  add_measures_header(fields, "", columns.measures);
  add_quantiles_header("");
  if (columns.runs) fields.emplace_back("run");
  fields.insert(fields.end(), {"generation", "island", "equivalents"});
  const auto add_elsewhere = [&](const std::string& prefix) {
    add_counts_header(fields, prefix);
    add_measures_header(fields, prefix, elsewhere);
    add_quantiles_header(prefix);
  };
  if (columns.held_out) {
    add_elsewhere("holdout_");
    fields.insert(fields.end(),
                  {"holdout_p_value", "holdout_p_productive", "holdout_p_holm", "holdout_p_bh"});
  }
  if (columns.rescored) {
    add_elsewhere("on_");
    fields.insert(fields.end(), {"on_change", "on_p_change", "on_drift"});
  }
  fields.insert(fields.end(), {"reversed_confidence", "kind"});
  return fields;
}

Fields record(const WrittenRule& rule, const RuleColumns& columns,
              std::span<const Measure> elsewhere) {
  const auto [antecedent, consequent] = sides(rule.text);
  Fields fields = {std::to_string(rule.id), rule.text, antecedent, consequent};
  add_counts(fields, rule.table, rule.missing_consequent);
  fields.push_back(std::to_string(rule.antecedent.size() + rule.consequent.size()));
  add_measures(fields, rule.table, columns.measures);
  if (columns.quantiles) add_quantiles(fields, rule.quantiles);
  if (columns.runs) fields.push_back(printable(rule.run, std::string::npos));
  fields.push_back(std::to_string(rule.generation));
  fields.push_back(std::to_string(rule.island));
  fields.push_back(json_list(rule.equivalents));
  if (columns.held_out) {
    const HeldOut& held_out = rule.held_out.value();
    add_counts(fields, held_out.table, held_out.missing_consequent);
    add_measures(fields, held_out.table, elsewhere);
    if (columns.quantiles) add_quantiles(fields, held_out.quantiles);
    for (const double p :
         {held_out.p_value, held_out.p_productive, held_out.p_holm, held_out.p_bh}) {
      fields.push_back(format_number(p));
    }
  }
  if (columns.rescored) {
    const Rescored& rescored = rule.rescored.value();
    add_counts(fields, rescored.table, rescored.missing_consequent);
    add_measures(fields, rescored.table, elsewhere);
    if (columns.quantiles) add_quantiles(fields, rescored.quantiles);
    fields.push_back(format_number(rescored.change));
    fields.push_back(format_number(rescored.p_change));
    fields.emplace_back(to_string(rescored.drift));
  }
  const auto reversed = reversed_confidence(rule);
  fields.push_back(reversed ? format_number(*reversed) : "");
  fields.emplace_back(to_string(rule.kind));
  return fields;
}

}  // namespace

std::string rules_csv(std::span<const WrittenRule> rules, const RuleColumns& columns) {
  const std::vector<Measure> elsewhere = with_interval(columns.measures);
  std::string out;
  append_csv_line(out, header(columns, elsewhere));
  for (const WrittenRule& rule : rules) append_csv_line(out, record(rule, columns, elsewhere));
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
