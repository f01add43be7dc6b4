#include "src/results/written/written_rule.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "src/core/text/near_names.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

std::vector<WrittenComparison> written(const Expression& side,
                                       std::span<const Attribute> attributes) {
  std::vector<WrittenComparison> out;
  for (const Comparison& comparison : side.comparisons())
    out.push_back(to_written(comparison, attributes[comparison.attribute]));
  return out;
}

const char* mean_relation(const ContingencyTable& table) {
  return table.target.side == TargetMoments::Side::low ? "low mean" : "mean";
}

std::string text_of(const Rule& rule, const ContingencyTable& table,
                    std::span<const Attribute> attributes) {
  if (table.target.side == TargetMoments::Side::none) return to_text(rule, attributes);
  const std::string& name = attributes[rule.consequent.comparisons().front().attribute].name;
  return to_text(rule.antecedent, attributes) + " => " + mean_relation(table) + "(" +
         quoted_if_needed(name, relation_characters) + ")";
}

}  // namespace

WrittenComparison to_written(const Comparison& comparison, const Attribute& attribute,
                             WrittenBounds bounds) {
  Condition condition = to_condition(comparison, attribute, bounds);
  std::vector<std::string> found =
      to_condition(comparison, attribute, WrittenBounds::at_values).values;
  if (found == condition.values) found.clear();
  return {attribute.name, condition.relation, std::move(condition.values),
          has_numbers(attribute.kind) ? attribute.kind : AttributeKind::nominal, std::move(found)};
}

std::vector<WrittenRule> to_written(std::span<const RuleRecord> records,
                                    std::span<const Attribute> attributes) {
  std::vector<WrittenRule> rules;
  for (const RuleRecord& record : records) {
    WrittenRule rule;
    rule.id = rules.size() + 1;
    rule.text = text_of(record.rule, record.table, attributes);
    rule.antecedent = written(record.rule.antecedent, attributes);
    rule.consequent = written(record.rule.consequent, attributes);
    if (record.table.target.side != TargetMoments::Side::none) {
      rule.consequent.front().relation = mean_relation(record.table);
      rule.consequent.front().values.clear();
      rule.consequent.front().found.clear();
    }
    rule.table = record.table;
    rule.missing_consequent = record.missing_consequent;
    rule.generation = record.generation;
    rule.island = record.island;
    rule.kind = record.kind;
    for (const Rule& other : record.equivalents) {
      rule.equivalents.push_back(text_of(other, record.table, attributes));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::string antecedent_text(const WrittenRule& rule) {
  return std::string(sides_of(rule.text).first);
}

std::string consequent_text(const WrittenRule& rule) {
  return std::string(sides_of(rule.text).second);
}

std::string news_text(const WrittenRule& rule) {
  if (rule.strongest_of) return fmt::format("strongest of {:.3g}%", 100 * *rule.strongest_of);
  return rule.new_rows ? counted(*rule.new_rows, "row") : "";
}

std::size_t erase_definitions(std::vector<WrittenRule>& rules) {
  return std::erase_if(rules,
                       [](const WrittenRule& rule) { return rule.kind == RuleKind::definition; });
}

std::size_t erase_variants(std::vector<WrittenRule>& rules) {
  return std::erase_if(rules,
                       [](const WrittenRule& rule) { return rule.kind == RuleKind::variant; });
}

void arrange_variants(std::vector<WrittenRule>& rules, bool shown) {
  if (!shown) erase_variants(rules);
  const auto place = [](const WrittenRule& rule) {
    return std::pair(rule.variant_of.value_or(rule.id), rule.id);
  };
  std::stable_sort(rules.begin(), rules.end(),
                   [&](const WrittenRule& a, const WrittenRule& b) { return place(a) < place(b); });
}

std::vector<Measure> with_interval(std::span<const Measure> measures) {
  std::vector<Measure> all(measures.begin(), measures.end());
  const auto is_of_means = [](Measure m) { return info(m).of == MeasureInfo::Of::means; };
  if (std::any_of(all.begin(), all.end(), is_of_means)) return all;
  for (const Measure bound : {Measure::confidence_low, Measure::confidence_high}) {
    if (std::find(all.begin(), all.end(), bound) == all.end()) all.push_back(bound);
  }
  return all;
}

std::optional<double> reversed_confidence(const WrittenRule& rule) noexcept {
  if (of_mean(rule) || rule.table.n_consequent == 0) return std::nullopt;
  return static_cast<double>(rule.table.n_both) / static_cast<double>(rule.table.n_consequent);
}

const char* to_string(RuleKind kind) noexcept {
  constexpr const char* names[] = {"rule", "variant", "definition"};
  return names[static_cast<std::size_t>(kind)];
}

const char* to_string(Drift drift) noexcept {
  constexpr const char* names[] = {"kept", "fell", "rose", "gone"};
  return names[static_cast<std::size_t>(drift)];
}

std::span<const Measure> table_measures(std::span<const WrittenRule> rules) noexcept {
  static constexpr std::array<Measure, 4> of_means = {Measure::mean, Measure::mean_rest,
                                                      Measure::effect_size, Measure::impact};
  if (!rules.empty() && of_mean(rules.front())) return of_means;
  static constexpr std::array<Measure, 4> chosen = {Measure::support, Measure::confidence,
                                                    Measure::lift, Measure::leverage};
  return chosen;
}

}  // namespace atl
