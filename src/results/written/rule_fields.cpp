#include "src/results/written/rule_fields.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"
#include "src/measures/measures.hpp"
#include "src/results/written/rule_columns.hpp"

namespace atl {
namespace {

struct AsNumber {
  double operator()(std::uint64_t count) const { return static_cast<double>(count); }
  double operator()(double value) const { return value; }
  double operator()(const std::string&) const { return std::numeric_limits<double>::quiet_NaN(); }
  double operator()(const std::vector<std::string>&) const { return operator()(std::string()); }
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// @param name  of a field, in lower case
void expect_field(std::string_view name, const RuleFigures& figures) {
  const std::string_view held_out = column_prefix(RuleRows::held_out);
  const std::string_view rescored = column_prefix(RuleRows::rescored);
  if (name.starts_with(held_out)) {
    if (!figures.held_out)
      throw UsageError("no holdout_ figures without rows held out (atoll mine --holdout)");
    name.remove_prefix(held_out.size());
  } else if (name.starts_with(rescored)) {
    if (!figures.rescored) throw UsageError("no on_ figures without --on DATA");
    name.remove_prefix(rescored.size());
  }
  if (name.starts_with("quantile") && !figures.quantiles)
    throw UsageError("'" + std::string(name) +
                     "' is for rules about a quantile, such as --target 'quantile(price, 0.9)' "
                     "finds");
  for (const MeasureInfo& measure : measures())
    if (measure.name == name) expect_applies(measure, figures.of_mean);
}

}  // namespace

RuleField find_rule_field(std::string_view name) {
  const RuleColumn* const column = find_rule_column(lower(name));
  if (column == nullptr || !column->is_number) return nullptr;
  return [column](const WrittenRule& rule) { return std::visit(AsNumber{}, column->value(rule)); };
}

RuleField rule_field_named(std::string_view name) {
  RuleField field = find_rule_field(name);
  if (field) return field;
  throw UsageError("'" + printable(std::string(name)) + "', expected " + expected_rule_field(name));
}

RuleOrder parse_rule_order(std::string_view text) {
  RuleOrder order;
  for (std::size_t from = 0; from <= text.size();) {
    const std::string_view part = text.substr(from, text.find(',', from) - from);
    from += part.size() + 1;
    const std::vector<std::string> words = words_of(part);
    std::string_view field = words.empty() ? std::string_view() : words[0];
    const bool minus = field.starts_with('-');
    if (minus) field.remove_prefix(1);
    const std::string direction = words.size() > 1 ? lower(words[1]) : minus ? "asc" : "desc";
    const bool twice = minus && words.size() > 1;
    if (words.size() > 2 || twice || (direction != "asc" && direction != "desc")) {
      throw UsageError("'" + printable(std::string(part)) +
                       "', expected a field, one with - before it, or with asc or desc behind it");
    }
    order.keys.push_back({rule_field_named(field), direction == "asc"});
    order.fields.push_back(lower(field));
  }
  return order;
}

void sort_rules(std::vector<WrittenRule>& rules, const RuleOrder& order) {
  std::stable_sort(rules.begin(), rules.end(), [&](const WrittenRule& a, const WrittenRule& b) {
    for (const auto& [field, ascending] : order.keys) {
      const double sign = ascending ? -1 : 1;
      const auto places = by_measure(sign * field(a), sign * field(b));
      if (places != 0) return places < 0;
    }
    return false;
  });
}

void expect_fields(std::span<const std::string> fields, const RuleFigures& figures) {
  for (const std::string& field : fields) expect_field(field, figures);
}

std::string expected_rule_field(std::string_view name) {
  std::vector<std::string> names;
  for (const RuleColumn& column : all_rule_columns()) {
    if (column.is_number) names.push_back(column.name);
  }
  const std::string sought(name);
  if (near_names(sought, names).empty())
    return "a field such as lift (atoll rules --help lists them)";
  return "a field" + suggestion(sought, names);
}

std::string rule_field_names() {
  std::string names;
  const auto add = [&](std::span<const RuleColumn> columns) {
    for (const RuleColumn& column : columns) {
      if (column.is_number) names += column.name + " ";
    }
  };
  for (const auto& group : {identity_columns(), length_columns(), origin_columns(),
                            relation_columns(), test_columns(RuleRows::held_out),
                            test_columns(RuleRows::rescored), count_columns(RuleRows::mined)}) {
    add(group);
  }
  for (const MeasureInfo& measure : measures()) names += std::string(measure.name) + " ";
  return names +
         "quantile quantile_rest and, of counts, measures and quantiles, holdout_... on_...";
}

}  // namespace atl
