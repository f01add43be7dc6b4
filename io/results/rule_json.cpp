#include <algorithm>
#include <cmath>

#include "io/results/json_list.hpp"
#include "io/results/rule_file.hpp"
#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "src/core/number.hpp"
#include "src/measures/p_value.hpp"

namespace atl::io {
namespace {

using Json = nlohmann::json;

std::string quote(const std::string& text) {
  return printable_lines(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Joins what `write` makes of each element.
template <typename List, typename Write>
std::string join(const List& list, const Write& write) {
  std::string out;
  for (const auto& element : list) out += (out.empty() ? "" : ", ") + write(element);
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "null";
  return std::isinf(value) ? quote(format_number(value)) : format_number(value);
}

std::string comparison_json(const WrittenComparison& comparison) {
  const auto value = [&](const std::string& text) {
    return comparison.kind == AttributeKind::numeric ? text : quote(text);
  };
  return "{\"attribute\": " + quote(comparison.attribute) +
         ", \"relation\": " + quote(comparison.relation) +
         (is_date(comparison.kind) ? ", \"kind\": " + quote(to_string(comparison.kind)) : "") +
         ", \"values\": [" + join(comparison.values, value) + "]}";
}

std::string measures_json(const ContingencyTable& table, std::span<const Measure> measures) {
  return join(measures, [&](Measure measure) {
    return quote(std::string(info(measure).name)) + ": " + number(evaluate(measure, table));
  });
}

/// Nothing for a rule that is not about a mean.
std::string target_json(const TargetMoments& target) {
  if (target.side == TargetMoments::Side::none) return "";
  const bool low = target.side == TargetMoments::Side::low;
  return std::string(", \"target\": {\"side\": ") + (low ? "\"low\"" : "\"high\"") +
         ", \"mean\": " + number(target.mean) + ", \"mean_rest\": " + number(target.mean_rest) +
         ", \"mean_all\": " + number(target.mean_all) +
         ", \"deviation_all\": " + number(target.deviation_all) +
         ", \"deviation\": " + number(target.deviation) + "}";
}

/// Nothing if there are none.
std::string quantiles_json(const std::optional<Quantiles>& quantiles) {
  if (!quantiles) return "";
  return ", \"quantiles\": {\"within\": " + number(quantiles->within) +
         ", \"rest\": " + number(quantiles->rest) + "}";
}

std::string counts_json(const ContingencyTable& table, std::uint64_t missing_consequent) {
  return "{\"n\": " + std::to_string(table.n) +
         ", \"antecedent\": " + std::to_string(table.n_antecedent) +
         ", \"consequent\": " + std::to_string(table.n_consequent) +
         ", \"both\": " + std::to_string(table.n_both) +
         ", \"missing_consequent\": " + std::to_string(missing_consequent) + "}";
}

/// The figures of a rule on rows other than those it was mined on.
std::string elsewhere_json(const ContingencyTable& table, std::uint64_t missing_consequent,
                           std::span<const Measure> measures) {
  const std::string figures = "{\"counts\": " + counts_json(table, missing_consequent) +
                              target_json(table.target) + ", \"measures\": {" +
                              measures_json(table, measures) + "}";
  if (table.target.side != TargetMoments::Side::none) return figures;
  return figures + ", \"confidence_low\": " + number(evaluate(Measure::confidence_low, table)) +
         ", \"confidence_high\": " + number(evaluate(Measure::confidence_high, table));
}

std::string held_out_json(const HeldOut& held_out, std::span<const Measure> measures) {
  return elsewhere_json(held_out.table, held_out.missing_consequent, measures) +
         ", \"p_value\": " + number(held_out.p_value) +
         ", \"p_productive\": " + number(held_out.p_productive) +
         ", \"p_holm\": " + number(held_out.p_holm) + ", \"p_bh\": " + number(held_out.p_bh) +
         quantiles_json(held_out.quantiles) + "}";
}

std::string rescored_json(const Rescored& rescored, std::span<const Measure> measures) {
  return elsewhere_json(rescored.table, rescored.missing_consequent, measures) +
         ", \"change\": " + number(rescored.change) +
         ", \"p_change\": " + number(rescored.p_change) + ", \"drift\": \"" +
         to_string(rescored.drift) + "\"" + quantiles_json(rescored.quantiles) + "}";
}

std::string rule_json(const WrittenRule& rule, std::span<const Measure> measures) {
  std::string out = "{\"id\": " + std::to_string(rule.id) + ", \"rule\": " + quote(rule.text) +
                    ", \"antecedent\": [" + join(rule.antecedent, comparison_json) +
                    "], \"consequent\": [" + join(rule.consequent, comparison_json) +
                    "], \"counts\": " + counts_json(rule.table, rule.missing_consequent) +
                    target_json(rule.table.target) + ", \"measures\": {" +
                    measures_json(rule.table, measures) + "}" + quantiles_json(rule.quantiles) +
                    (rule.run.empty() ? "" : ", \"run\": " + quote(rule.run)) +
                    ", \"generation\": " + std::to_string(rule.generation) +
                    ", \"island\": " + std::to_string(rule.island) + ", \"equivalents\": [" +
                    join(rule.equivalents, quote) + "]";
  if (rule.table.n_general_antecedent > 0) {
    out += ", \"wider\": {\"antecedent\": " + std::to_string(rule.table.n_general_antecedent) +
           ", \"both\": " + std::to_string(rule.table.n_general_both) + "}";
  }
  if (rule.held_out) out += ", \"holdout\": " + held_out_json(*rule.held_out, measures);
  if (rule.rescored) out += ", \"on\": " + rescored_json(*rule.rescored, measures);
  if (const auto reversed = reversed_confidence(rule)) {
    out += ", \"reversed_confidence\": " + number(*reversed);
  }
  return out + ", \"kind\": \"" + to_string(rule.kind) + "\"}";
}

// A whole number in [0, 2^64); nlohmann converts others without a word.
template <typename T>
T whole(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max()) {
    throw std::invalid_argument(std::string("\"") + key + "\" is not a count");
  }
  return value.get<T>();
}

AttributeKind parse_date_kind(const std::string& text) {
  using enum AttributeKind;
  for (const AttributeKind kind : {date, date_time, date_time_utc}) {
    if (text == to_string(kind)) return kind;
  }
  throw std::invalid_argument("\"kind\" is no kind of dates");
}

WrittenComparison parse_comparison(const Json& json) {
  WrittenComparison comparison;
  json.at("attribute").get_to(comparison.attribute);
  json.at("relation").get_to(comparison.relation);
  if (json.contains("kind")) comparison.kind = parse_date_kind(json.at("kind").get<std::string>());
  for (const Json& value : json.at("values")) {
    if (value.is_number()) comparison.kind = AttributeKind::numeric;
    comparison.values.push_back(value.is_number() ? format_number(value.get<double>())
                                                  : value.get<std::string>());
  }
  const bool interval = comparison.relation == "in" || comparison.relation == "not in";
  const bool mean = is_mean(comparison);
  if (mean) comparison.kind = AttributeKind::numeric;
  if (comparison.values.size() != (interval ? 2U : mean ? 0U : 1U)) {
    throw std::invalid_argument("a comparison with a wrong number of values");
  }
  return comparison;
}

TargetMoments parse_target(const Json& json) {
  using Side = TargetMoments::Side;
  const auto side = json.at("side").get<std::string>();
  if (side != "high" && side != "low") throw std::invalid_argument("\"side\" is not high or low");
  return {side == "low" ? Side::low : Side::high, json.at("mean").get<double>(),
          json.at("mean_rest").get<double>(),     json.at("mean_all").get<double>(),
          json.at("deviation_all").get<double>(), json.at("deviation").get<double>()};
}

std::optional<Quantiles> parse_quantiles(const Json& figures) {
  if (!figures.contains("quantiles")) return std::nullopt;
  const auto value = [&](const char* key) {
    const Json& json = figures.at("quantiles").at(key);
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
  };
  return Quantiles{value("within"), value("rest")};
}

/// @param figures  what has the counts, and the target if there is one
ContingencyTable parse_table(const Json& figures) {
  const Json& counts = figures.at("counts");
  ContingencyTable table{
      whole<std::uint64_t>(counts, "n"), whole<std::uint64_t>(counts, "antecedent"),
      whole<std::uint64_t>(counts, "consequent"), whole<std::uint64_t>(counts, "both")};
  const bool possible = std::max(table.n_antecedent, table.n_consequent) <= table.n &&
                        table.n_both <= std::min(table.n_antecedent, table.n_consequent) &&
                        table.n_antecedent - table.n_both <= table.n - table.n_consequent;
  if (!possible) throw std::invalid_argument("\"counts\" that no rows have");
  if (figures.contains("target")) table.target = parse_target(figures.at("target"));
  return table;
}

void parse_wider(const Json& wider, ContingencyTable& table) {
  table.n_general_antecedent = whole<std::uint64_t>(wider, "antecedent");
  table.n_general_both = whole<std::uint64_t>(wider, "both");
  if (table.n_general_both > table.n_general_antecedent || table.n_general_antecedent > table.n) {
    throw std::invalid_argument("\"wider\" has counts that no rows have");
  }
}

double probability(const Json& object, const char* key) {
  const double p = object.at(key).get<double>();
  if (p >= 0 && p <= 1) return std::max(p, least_p_value);  // of former versions 0
  throw std::invalid_argument(std::string("\"") + key + "\" is not a probability");
}

HeldOut parse_held_out(const Json& json) {
  const Json& counts = json.at("counts");
  return {parse_table(json),
          whole<std::uint64_t>(counts, "missing_consequent"),
          probability(json, "p_value"),
          probability(json, "p_productive"),
          probability(json, "p_holm"),
          probability(json, "p_bh"),
          parse_quantiles(json)};
}

RuleKind parse_kind(const Json& json) {
  if (!json.contains("kind")) return RuleKind::rule;
  const auto name = json.at("kind").get<std::string>();
  for (const RuleKind kind : {RuleKind::rule, RuleKind::variant, RuleKind::definition})
    if (name == to_string(kind)) return kind;
  throw std::invalid_argument("\"kind\" is not rule, variant or definition");
}

WrittenRule parse_rule(const Json& json) {
  WrittenRule rule;
  rule.id = whole<std::uint64_t>(json, "id");
  json.at("rule").get_to(rule.text);
  for (const Json& c : json.at("antecedent")) rule.antecedent.push_back(parse_comparison(c));
  for (const Json& c : json.at("consequent")) rule.consequent.push_back(parse_comparison(c));
  rule.table = parse_table(json);
  if (json.contains("wider")) parse_wider(json.at("wider"), rule.table);
  rule.missing_consequent = whole<std::uint64_t>(json.at("counts"), "missing_consequent");
  rule.kind = parse_kind(json);
  rule.reversed = json.contains("reversed_confidence");
  rule.generation = whole<std::uint32_t>(json, "generation");
  rule.island = whole<std::uint32_t>(json, "island");
  if (json.contains("run")) json.at("run").get_to(rule.run);
  json.at("equivalents").get_to(rule.equivalents);
  rule.quantiles = parse_quantiles(json);
  if (json.contains("holdout")) rule.held_out = parse_held_out(json.at("holdout"));
  return rule;
}

}  // namespace

std::string rules_json(std::span<const WrittenRule> rules, const RuleColumns& columns) {
  std::string out = "[";
  for (const WrittenRule& rule : rules) {
    out += (out.size() == 1 ? "\n" : ",\n") + rule_json(rule, columns.measures);
  }
  return out + (rules.empty() ? "]\n" : "\n]\n");
}

std::vector<WrittenRule> parse_rules_json(std::string_view json, const std::string& file) {
  std::vector<WrittenRule> rules;
  for_each_in_json_list(json, file, "rule", [&](const Json& json_rule) {
    WrittenRule rule = parse_rule(json_rule);
    const WrittenRule& first = rules.empty() ? rule : rules.front();
    const bool alike =
        rule.held_out.has_value() == first.held_out.has_value() &&
        rule.quantiles.has_value() == first.quantiles.has_value() &&
        (!rule.held_out || rule.held_out->quantiles.has_value() == rule.quantiles.has_value());
    if (!alike) throw std::invalid_argument("has other keys than the first");
    rules.push_back(std::move(rule));
  });
  return rules;
}

std::vector<WrittenRule> read_rules(const std::string& path) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;  // millions of rules
  return parse_rules_json(read_file(path, most), path);
}

}  // namespace atl::io
