#include "io/results/rule_set_json.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>

#include "io/results/json_list.hpp"
#include "io/results/json_text.hpp"
#include "src/core/error.hpp"
#include "src/results/written/list_figures.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/rules/expression_tree.hpp"
#include "src/rules/rule_set_text.hpp"

namespace atl::io {
namespace {

using Json = nlohmann::json;

std::string count_text(std::uint64_t count) {
  return std::to_string(count);
}

std::string tree_json(const ExpressionTree& tree, std::span<const Attribute> attributes) {
  const auto operand = [&](const ExpressionTree& of) { return tree_json(of, attributes); };
  switch (tree.op) {
    case Op::conjunction:
      return "{\"and\": [" + json_join(tree.operands, operand) + "]}";
    case Op::disjunction:
      return "{\"or\": [" + json_join(tree.operands, operand) + "]}";
    case Op::negation:
      return "{\"not\": " + operand(tree.operands.front()) + "}";
    case Op::comparison:
      break;
  }
  return comparison_json(
      to_written(tree.comparison, attributes[tree.comparison.attribute], WrittenBounds::midway));
}

/// Says what the import made of tokens, where that is not the usual.
std::string import_json(const Attribute& attribute) {
  std::string out;
  if (!attribute.other.empty()) out += ", \"other\": " + json_quote(attribute.other);
  if (attribute.missing_tokens)
    out += ", \"missing\": [" + json_join(*attribute.missing_tokens, json_quote) + "]";
  if (!attribute.number_form.empty()) out += ", \"written\": " + json_quote(attribute.number_form);
  return out;
}

std::string attribute_json(const Attribute& attribute) {
  std::string out = "{\"name\": " + json_quote(attribute.name) +
                    ", \"kind\": " + json_quote(to_string(attribute.kind));
  if (attribute.kind == AttributeKind::ordinal || !attribute.other.empty())
    out += ", \"values\": [" + json_join(attribute.labels, json_quote) + "]";
  return out + import_json(attribute) + "}";
}

std::string counts_json(const ListRuleFigures& figures) {
  return "{\"covered\": " + count_text(figures.covered) +
         ", \"covered_correct\": " + count_text(figures.covered_correct) +
         ", \"decided\": " + count_text(figures.decided) +
         ", \"decided_correct\": " + count_text(figures.decided_correct) +
         ", \"decided_so_far\": " + count_text(figures.decided_so_far) +
         ", \"correct_so_far\": " + count_text(figures.correct_so_far) + "}";
}

/// "class", "counts", "decided" and "probabilities" of a rule or the default class.
std::string outcome_json(const std::string& label, const ListRuleFigures& figures,
                         std::span<const std::uint64_t> decided,
                         std::span<const double> probabilities) {
  return "\"class\": " + json_quote(label) + ", \"counts\": " + counts_json(figures) +
         ", \"decided\": [" + json_join(decided, count_text) + "], \"probabilities\": [" +
         json_join(probabilities, json_number) + "]";
}

std::string confusion_json(const ConfusionMatrix& matrix) {
  std::string out = "[";
  for (std::size_t actual = 0; actual < matrix.classes(); ++actual) {
    out += actual == 0 ? "[" : ", [";
    for (std::size_t predicted = 0; predicted < matrix.classes(); ++predicted) {
      if (predicted > 0) out += ", ";
      out += count_text(matrix.at(actual, predicted));
    }
    out += "]";
  }
  return out + "]";
}

/// "rows": ..., "confusion": ...: members of an object.
std::string figures_json(const RuleSet& list, const RuleSetCounts& counts,
                         std::span<const std::vector<double>> probabilities) {
  const ConfusionMatrix matrix = confusion_matrix(list, counts);
  const ProbabilityFigures told = probability_figures(list, counts.decided, probabilities);
  return "\"rows\": " + count_text(matrix.rows()) +
         ", \"correct\": " + count_text(matrix.correct()) +
         ", \"accuracy\": " + json_number(accuracy(matrix)) +
         ", \"balanced_accuracy\": " + json_number(balanced_accuracy(matrix)) +
         ", \"macro_f1\": " + json_number(macro_f1(matrix)) +
         ", \"kappa\": " + json_number(kappa(matrix)) +
         ", \"log_loss\": " + json_number(told.log_loss) +
         ", \"brier\": " + json_number(told.brier) + ", \"auc\": " + json_number(told.auc) +
         ", \"confusion\": " + confusion_json(matrix);
}

std::string held_out_json(const RuleSet& list, const RuleSetContext& context,
                          std::span<const std::vector<double>> probabilities) {
  const RuleSetCounts& counts = *context.held_out;
  const std::span<const std::string> unknown = context.unknown;
  const std::string names =
      unknown.empty() ? "" : "\"unknown\": [" + json_join(unknown, json_quote) + "], ";
  return "{" + names + figures_json(list, counts, probabilities) + ", \"counts\": [" +
         json_join(rule_figures(list, counts), counts_json) + "]}";
}

std::string front_json(const ListFront& front) {
  std::string out;
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const ListFrontRow& row = front.rows[i];
    out += i == 0 ? "\n" : ",\n";
    out += "{\"rules\": " + std::to_string(row.list.rules.size()) +
           ", \"comparisons\": " + std::to_string(row.list.comparisons()) +
           ", \"training\": " + json_number(row.training) +
           ", \"inner_folds\": " + (row.unseen ? json_number(*row.unseen) : "null") +
           ", \"chosen\": " + (i == front.chosen ? "true" : "false") + "}";
  }
  return out;
}

std::vector<Attribute> attributes_of(const RuleSet& list, std::span<const Attribute> attributes) {
  std::vector<Attribute> of_list;
  for (std::uint32_t a = 0; a < attributes.size(); ++a)
    if (names(list, a)) of_list.push_back(attributes[a]);
  return of_list;
}

AttributeKind parse_kind(const std::string& name) {
  using enum AttributeKind;
  for (const AttributeKind kind : {numeric, nominal, ordinal, date, date_time, date_time_utc})
    if (name == to_string(kind)) return kind;
  throw std::invalid_argument("\"kind\" is no kind of attributes");
}

/// @param from  an object as import_json writes it
void parse_import(const Json& from, Attribute& attribute) {
  if (from.contains("other")) from.at("other").get_to(attribute.other);
  if (from.contains("missing")) {
    attribute.missing_tokens = from.at("missing").get<std::vector<std::string>>();
  }
  if (from.contains("written")) from.at("written").get_to(attribute.number_form);
}

using LabelsByName = std::map<std::string, std::set<std::string>>;

/// Collects the labels of the comparisons of an antecedent as tree_json writes it.
void collect_labels(const Json& tree, LabelsByName& labels) {
  for (const char* const connective : {"and", "or"}) {
    if (!tree.contains(connective)) continue;
    for (const Json& operand : tree.at(connective)) collect_labels(operand, labels);
    return;
  }
  if (tree.contains("not")) return collect_labels(tree.at("not"), labels);
  for (const Json& value : tree.at("values")) {
    if (!value.is_string()) continue;
    labels[tree.at("attribute").get<std::string>()].insert(value.get<std::string>());
  }
}

/// What a file of a former version leaves out.
std::vector<std::vector<double>> probabilities_of(
    const std::vector<std::vector<std::uint64_t>>& decided) {
  std::vector<std::uint64_t> counts;
  for (const auto& of_rule : decided) counts.insert(counts.end(), of_rule.begin(), of_rule.end());
  return class_probabilities(
      counts, {.shares = class_shares(counts, decided.empty() ? 0 : decided.front().size())});
}

void parse_outcomes(const Json& json, WrittenRuleSet& list) {
  const std::size_t classes = list.class_attribute.labels.size();
  const bool told = json.at("default").contains("probabilities");
  const auto take = [&](const Json& from) {
    auto& decided = list.decided.emplace_back();
    for (const Json& rows : from.at("decided")) decided.push_back(json_count(rows, "decided"));
    if (decided.size() != classes)
      throw std::invalid_argument("\"decided\" has other classes than the list");
    if (!told) return;
    auto& probabilities = list.probabilities.emplace_back();
    from.at("probabilities").get_to(probabilities);
    if (probabilities.size() != classes)
      throw std::invalid_argument("\"probabilities\" has other classes than the list");
    for (const double its : probabilities)
      if (!(its >= 0 && its <= 1)) throw std::invalid_argument("a probability is not from 0 to 1");
  };
  for (const Json& rule : json.at("rules")) take(rule);
  take(json.at("default"));
  if (!told) list.probabilities = probabilities_of(list.decided);
}

WrittenRuleSet parse(const Json& json) {
  WrittenRuleSet list;
  json.at("text").get_to(list.text);
  list.class_attribute.kind = AttributeKind::nominal;
  json.at("class").at("attribute").get_to(list.class_attribute.name);
  json.at("class").at("values").get_to(list.class_attribute.labels);
  parse_import(json.at("class"), list.class_attribute);
  for (const Json& from : json.at("attributes")) {
    Attribute& attribute = list.attributes.emplace_back();
    from.at("name").get_to(attribute.name);
    attribute.kind = parse_kind(from.at("kind").get<std::string>());
    if (from.contains("values")) from.at("values").get_to(attribute.labels);
    parse_import(from, attribute);
  }
  LabelsByName named;
  for (const Json& rule : json.at("rules")) collect_labels(rule.at("antecedent"), named);
  for (Attribute& attribute : list.attributes) {
    const std::set<std::string>& labels = named[attribute.name];
    if (attribute.kind == AttributeKind::nominal && attribute.labels.empty())
      attribute.labels.assign(labels.begin(), labels.end());
  }
  parse_outcomes(json, list);
  return list;
}

}  // namespace

std::string rule_set_json(const RuleSet& list, std::span<const Attribute> attributes,
                          std::uint32_t class_attribute, const RuleSetCounts& counts,
                          const Smoothing& smoothing, const RuleSetContext& context) {
  const Attribute& classes = attributes[class_attribute];
  std::vector<std::string> labels;
  for (std::uint32_t label = 0; label < classes.distinct(); ++label)
    labels.push_back(class_label(label, classes));
  const std::vector<ListRuleFigures> figures = rule_figures(list, counts);
  const auto probabilities = class_probabilities(counts.decided, smoothing);
  const auto outcome = [&](std::size_t rule, std::uint32_t label) {
    return outcome_json(labels[label], figures[rule],
                        std::span(counts.decided).subspan(rule * labels.size(), labels.size()),
                        probabilities[rule]);
  };

  std::string out =
      "{\n\"class\": {\"attribute\": " + json_quote(classes.name) + ", \"values\": [" +
      json_join(labels, json_quote) + "]" + import_json(classes) + "},\n\"attributes\": [" +
      json_join(attributes_of(list, attributes), attribute_json) +
      "],\n\"smoothing\": {\"rows\": " + json_number(smoothing.rows) + ", \"shares\": [" +
      json_join(smoothing.shares, json_number) + "]},\n\"rules\": [";
  for (std::size_t i = 0; i < list.rules.size(); ++i) {
    const ClassRule& rule = list.rules[i];
    out += i == 0 ? "\n" : ",\n";
    out += "{\"id\": " + std::to_string(i + 1) +
           ", \"rule\": " + json_quote(rule_text(rule, attributes, classes)) +
           ", \"antecedent\": " + tree_json(to_tree(rule.antecedent), attributes) + ", " +
           outcome(i, rule.label) + "}";
  }
  out += (list.rules.empty() ? "" : "\n") + std::string("],\n\"default\": {") +
         outcome(list.rules.size(), list.default_class) + "},\n\"figures\": {" +
         figures_json(list, counts, probabilities) + "},\n";
  if (context.held_out != nullptr) {
    out += "\"held_out\": " + held_out_json(list, context, probabilities) + ",\n";
  }
  if (context.front != nullptr) out += "\"front\": [" + front_json(*context.front) + "\n],\n";
  return out + "\"text\": " + json_quote(to_text(list, attributes, classes)) + "\n}\n";
}

WrittenRuleSet parse_rule_set_json(std::string_view json, const std::string& file) {
  WrittenRuleSet list;
  with_json(json, file, [&](const Json& of) { list = parse(of); });
  return list;
}

}  // namespace atl::io
