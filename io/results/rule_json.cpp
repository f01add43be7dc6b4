#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <variant>

#include "io/results/json_list.hpp"
#include "io/results/json_text.hpp"
#include "io/results/rule_file.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/core/thread_pool.hpp"
#include "src/measures/significance.hpp"
#include "src/results/written/rule_columns.hpp"

namespace atl::io {
namespace {

using Json = nlohmann::json;

struct JsonValue {
  std::string operator()(std::uint64_t count) const { return std::to_string(count); }
  std::string operator()(double value) const { return json_number(value); }
  std::string operator()(const std::string& text) const { return json_quote(text); }
  std::string operator()(const std::vector<std::string>& texts) const {
    return "[" + json_join(texts, json_quote) + "]";
  }
};

bool is_there(const RuleValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return !text->empty();
  const auto* figure = std::get_if<double>(&value);
  return figure == nullptr || !std::isnan(*figure);
}

// "key": value, ... of the columns that rules.json has.
std::string members(const WrittenRule& rule, std::span<const RuleColumn> columns) {
  std::string out;
  for (const RuleColumn& column : columns) {
    if (column.key.empty()) continue;
    const RuleValue value = column.value(rule);
    if (column.optional && !is_there(value)) continue;
    if (!out.empty()) out += ", ";
    out += json_quote(column.key) + ": " + std::visit(JsonValue{}, value);
  }
  return out;
}

/// Nothing for a rule that is not about a mean.
std::string target_json(const TargetMoments& target) {
  if (target.side == TargetMoments::Side::none) return "";
  const bool low = target.side == TargetMoments::Side::low;
  return std::string(", \"target\": {\"side\": ") + (low ? "\"low\"" : "\"high\"") +
         ", \"mean\": " + json_number(target.mean) +
         ", \"mean_rest\": " + json_number(target.mean_rest) +
         ", \"mean_all\": " + json_number(target.mean_all) +
         ", \"deviation_all\": " + json_number(target.deviation_all) +
         ", \"deviation\": " + json_number(target.deviation) + "}";
}

/// The columns of one choice of measures, group by group, so that no rule looks for them again.
class RuleWriter {
 public:
  explicit RuleWriter(std::span<const Measure> measures) {
    for (const RuleRows rows : {RuleRows::mined, RuleRows::held_out, RuleRows::rescored}) {
      of_rows_[static_cast<std::size_t>(rows)] = {
          count_columns(rows), measure_columns(rows, measures), measure_columns(rows, interval),
          test_columns(rows), quantile_columns(rows)};
    }
  }

  std::string rule(const WrittenRule& rule) const {
    const Groups& mined = groups(RuleRows::mined);
    std::string out = "{" + members(rule, identity_) + ", \"antecedent\": [" +
                      json_join(rule.antecedent, comparison_json) + "], \"consequent\": [" +
                      json_join(rule.consequent, comparison_json) + "], \"counts\": {" +
                      members(rule, mined.counts) + "}" + target_json(rule.table.target) +
                      ", \"measures\": {" + members(rule, mined.measures) + "}";
    if (rule.quantiles) out += ", \"quantiles\": {" + members(rule, mined.quantiles) + "}";
    out += ", " + members(rule, origin_);
    if (rule.table.n_general_antecedent > 0) {
      out += ", \"wider\": {\"antecedent\": " + std::to_string(rule.table.n_general_antecedent) +
             ", \"both\": " + std::to_string(rule.table.n_general_both) + "}";
    }
    if (rule.held_out) {
      out += ", \"holdout\": " + elsewhere(rule, RuleRows::held_out, rule.held_out->table,
                                           rule.held_out->quantiles.has_value());
    }
    if (rule.rescored) {
      out += ", \"on\": " + elsewhere(rule, RuleRows::rescored, rule.rescored->table,
                                      rule.rescored->quantiles.has_value());
    }
    out += ", " + members(rule, relation_);
    if (!rule.as_found.empty()) out += ", \"as_found\": " + this->rule(rule.as_found.front());
    return out + "}";
  }

 private:
  static constexpr std::array<Measure, 2> interval = {Measure::confidence_low,
                                                      Measure::confidence_high};
  struct Groups {
    std::vector<RuleColumn> counts, measures, interval, tests, quantiles;
  };

  const Groups& groups(RuleRows rows) const { return of_rows_[static_cast<std::size_t>(rows)]; }

  /// The figures of a rule on rows other than those it was mined on.
  std::string elsewhere(const WrittenRule& rule, RuleRows rows, const ContingencyTable& table,
                        bool has_quantiles) const {
    const Groups& its = groups(rows);
    std::string out = "{\"counts\": {" + members(rule, its.counts) + "}" +
                      target_json(table.target) + ", \"measures\": {" +
                      members(rule, its.measures) + "}";
    if (table.target.side == TargetMoments::Side::none) out += ", " + members(rule, its.interval);
    out += ", " + members(rule, its.tests);
    if (has_quantiles) out += ", \"quantiles\": {" + members(rule, its.quantiles) + "}";
    return out + "}";
  }

  std::vector<RuleColumn> identity_ = identity_columns();
  std::vector<RuleColumn> origin_ = origin_columns();
  std::vector<RuleColumn> relation_ = relation_columns();
  std::array<Groups, 3> of_rows_;
};

template <typename T>
T whole(const Json& object, const char* key) {
  const std::uint64_t count = json_count(object.at(key), key);
  if (count <= std::numeric_limits<T>::max()) return static_cast<T>(count);
  throw std::invalid_argument(std::string("\"") + key + "\" is not a count");
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
  const auto text_of = [](const Json& value) {
    return value.is_number() ? format_number(value.get<double>()) : value.get<std::string>();
  };
  bool presence = false;
  for (const Json& value : json.at("values")) {
    if (value.is_null()) {
      presence = true;
      continue;
    }
    if (value.is_number()) comparison.kind = AttributeKind::numeric;
    comparison.values.push_back(text_of(value));
  }
  if (json.contains("found")) {
    for (const Json& value : json.at("found")) comparison.found.push_back(text_of(value));
  }
  const bool interval = comparison.relation == "in" || comparison.relation == "not in";
  const bool mean = is_mean(comparison);
  if (mean) comparison.kind = AttributeKind::numeric;
  if (comparison.values.size() != (interval ? 2U : mean || presence ? 0U : 1U)) {
    throw std::invalid_argument("a comparison with a wrong number of values");
  }
  if (!presence) return comparison;
  if (comparison.relation != "=" && comparison.relation != "!=") {
    throw std::invalid_argument("a comparison with nothing that is no = or !=");
  }
  comparison.relation = comparison.relation == "=" ? "is missing" : "is known";
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

double share(const Json& object, const char* key) {
  const double value = object.at(key).get<double>();
  if (value >= 0 && value <= 1) return value;
  throw std::invalid_argument(std::string("\"") + key + "\" is no share");
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
  if (json.contains("variant_of")) rule.variant_of = whole<std::uint64_t>(json, "variant_of");
  if (json.contains("new_rows")) rule.new_rows = whole<std::uint64_t>(json, "new_rows");
  if (json.contains("strongest_of")) rule.strongest_of = probability(json, "strongest_of");
  if (json.contains("found_again")) rule.found_again = share(json, "found_again");
  if (json.contains("as_found")) rule.as_found.push_back(parse_rule(json.at("as_found")));
  rule.generation = whole<std::uint32_t>(json, "generation");
  rule.island = whole<std::uint32_t>(json, "island");
  if (json.contains("run")) json.at("run").get_to(rule.run);
  json.at("equivalents").get_to(rule.equivalents);
  rule.quantiles = parse_quantiles(json);
  if (json.contains("holdout")) rule.held_out = parse_held_out(json.at("holdout"));
  return rule;
}

}  // namespace

std::string rules_json(std::span<const WrittenRule> rules, const ColumnChoice& choice) {
  const RuleWriter writer(choice.measures);
  std::string out = "[";
  for (const WrittenRule& rule : rules) {
    out += (out.size() == 1 ? "\n" : ",\n") + writer.rule(rule);
  }
  return out + (rules.empty() ? "]\n" : "\n]\n");
}

namespace {

bool has_keys_of(const WrittenRule& rule, const WrittenRule& first) {
  return rule.held_out.has_value() == first.held_out.has_value() &&
         rule.found_again.has_value() == first.found_again.has_value() &&
         rule.quantiles.has_value() == first.quantiles.has_value() &&
         (!rule.held_out || rule.held_out->quantiles.has_value() == rule.quantiles.has_value());
}

std::vector<WrittenRule> parse_list(std::string_view json, const std::string& file) {
  std::vector<WrittenRule> rules;
  for_each_in_json_list(json, file, "rule", [&](const Json& json_rule) {
    WrittenRule rule = parse_rule(json_rule);
    if (!has_keys_of(rule, rules.empty() ? rule : rules.front())) {
      throw std::invalid_argument("has other keys than the first");
    }
    rules.push_back(std::move(rule));
  });
  return rules;
}

/// Parts of a long list, without brackets, if it has a rule a line as rules_json() writes it.
std::vector<std::string_view> parts_of(std::string_view json) {
  constexpr std::size_t part_bytes = std::size_t{1} << 22;
  std::vector<std::string_view> parts;
  if (json.size() < 2 * part_bytes || !json.starts_with("[\n{") || !json.ends_with("}\n]\n")) {
    return parts;
  }
  json = json.substr(2, json.size() - 5);
  while (json.size() > part_bytes) {
    const std::size_t end = json.find("},\n{", part_bytes);
    if (end == json.npos) break;
    parts.push_back(json.substr(0, end + 1));
    json.remove_prefix(end + 3);
  }
  parts.push_back(json);
  return parts;
}

/// Millions of rules take a while. None if something is wrong with them, which the place tells.
std::optional<std::vector<WrittenRule>> parse_parts(std::span<const std::string_view> parts,
                                                    const std::string& file) {
  std::vector<std::vector<WrittenRule>> parsed(parts.size());
  try {
    ThreadPool pool(available_cpus());
    pool.wait(pool.submit(parts.size(), [&](std::size_t i, unsigned) {
      parsed[i] = parse_list("[" + std::string(parts[i]) + "]", file);
    }));
  } catch (const Error&) {
    return std::nullopt;
  }
  std::vector<WrittenRule> rules;
  for (std::vector<WrittenRule>& part : parsed) {
    if (!has_keys_of(part.front(), parsed.front().front())) return std::nullopt;
    rules.insert(rules.end(), std::move_iterator(part.begin()), std::move_iterator(part.end()));
    part = {};
  }
  return rules;
}

}  // namespace

std::vector<WrittenRule> parse_rules_json(std::string_view json, const std::string& file) {
  const std::vector<std::string_view> parts = parts_of(json);
  if (!parts.empty()) {
    if (auto rules = parse_parts(parts, file)) return std::move(*rules);
  }
  return parse_list(json, file);
}

std::vector<WrittenRule> read_rules(const Folder& run) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31;  // millions of rules
  return parse_rules_json(read_file(run, run_names::rules_json, most),
                          run.path_of(run_names::rules_json));
}

}  // namespace atl::io
