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
  double operator()(const std::vector<std::string>& texts) const {
    return static_cast<double>(texts.size());
  }
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

std::vector<std::string_view> parts_of_list(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size(); from += parts.back().size() + 1)
    parts.push_back(text.substr(from, text.find(',', from) - from));
  return parts;
}

UsageError unknown_field(std::string_view name) {
  return UsageError("'" + printable(std::string(name)) + "', expected " +
                    expected_rule_field(name));
}

const RuleColumn& column_named(std::string_view name) {
  const RuleColumn* const column = find_rule_column(name);
  if (column == nullptr) throw unknown_field(name);
  return *column;
}

using Key = RuleOrder::Key;

std::weak_ordering by_number(const Key& key, const WrittenRule& a, const WrittenRule& b) {
  const auto value = [&](const WrittenRule& rule) {
    const double number = std::visit(AsNumber{}, key.column->value(rule));
    const bool low = rule.table.target.side == TargetMoments::Side::low;
    const GoodEnd good = key.column->good;
    const bool least = key.way == RuleOrder::Way::good_end_first
                           ? good == GoodEnd::least || (good == GoodEnd::of_side && low)
                           : key.way == RuleOrder::Way::least_first;
    return least ? -number : number;
  };
  return by_measure(value(a), value(b));
}

/// Texts that are not there go last.
std::weak_ordering by_text(const Key& key, const WrittenRule& a, const WrittenRule& b) {
  const auto text_of = [&](const WrittenRule& rule) {
    const RuleValue value = key.column->value(rule);
    const auto* text = std::get_if<std::string>(&value);
    return text == nullptr ? std::string() : *text;
  };
  const std::string x = text_of(a), y = text_of(b);
  if (x.empty() || y.empty()) return x.empty() <=> y.empty();
  const auto& known = key.column->texts;
  const auto place = [&](const std::string& text) {
    return std::find(known.begin(), known.end(), text) - known.begin();
  };
  const std::weak_ordering places = known.empty() ? x <=> y : place(x) <=> place(y);
  return key.way == RuleOrder::Way::greatest_first ? 0 <=> places : places;
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
  if (name == "found_again" && !figures.repeated)
    throw UsageError("no found_again without other runs that have ended (atoll mine --repeat)");
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
  if (RuleField field = find_rule_field(name)) return field;
  throw unknown_field(name);
}

RuleOrder parse_rule_order(std::string_view text) {
  using enum RuleOrder::Way;
  RuleOrder order;
  for (std::string_view part : parts_of_list(text)) {
    const std::vector<std::string> words = words_of(part);
    std::string_view field = words.empty() ? std::string_view() : words[0];
    const bool minus = field.starts_with('-');
    if (minus) field.remove_prefix(1);
    const std::string direction = words.size() > 1 ? lower(words[1]) : minus ? "asc" : "";
    const bool twice = minus && words.size() > 1;
    const bool known = direction.empty() || direction == "asc" || direction == "desc";
    if (words.size() > 2 || twice || !known) {
      throw UsageError("'" + printable(std::string(part)) +
                       "', expected a field, one with - before it, or with asc or desc behind it");
    }
    const auto way = direction.empty()    ? good_end_first
                     : direction == "asc" ? least_first
                                          : greatest_first;
    order.keys.push_back({&column_named(field), way});
    order.fields.push_back(lower(field));
  }
  return order;
}

void sort_rules(std::vector<WrittenRule>& rules, const RuleOrder& order) {
  std::stable_sort(rules.begin(), rules.end(), [&](const WrittenRule& a, const WrittenRule& b) {
    for (const RuleOrder::Key& key : order.keys) {
      const auto places = key.column->is_number ? by_number(key, a, b) : by_text(key, a, b);
      if (places != 0) return places < 0;
    }
    return false;
  });
}

std::vector<std::string> parse_rule_columns(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view part : parts_of_list(text)) {
    const std::vector<std::string> words = words_of(part);
    const std::string& name = column_named(words.size() == 1 ? words[0] : part).name;
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw UsageError("'" + name + "' is there twice");
    names.push_back(name);
  }
  return names;
}

void expect_fields(std::span<const std::string> fields, const RuleFigures& figures) {
  for (const std::string& field : fields) expect_field(field, figures);
}

std::string expected_rule_field(std::string_view name) {
  const std::string sought = lower(name);
  std::vector<std::string> names, with_it;
  for (const RuleColumn& column : all_rule_columns()) {
    names.push_back(column.name);
    if (sought.size() > 2 && column.name.ends_with("_" + sought)) with_it.push_back(column.name);
  }
  if (sought == "length") with_it.emplace_back("comparisons");
  if (!with_it.empty()) {
    if (with_it.size() > 3) with_it.resize(3);
    for (std::string& other : with_it) other = in_quotes(other);
    std::string text = "a field, did you mean " + with_it[0];
    for (std::size_t i = 1; i < with_it.size(); ++i) text += " or " + with_it[i];
    return text + "?";
  }
  if (near_names(sought, names).empty())
    return "a field such as lift (atoll rules --help lists them)";
  return "a field" + suggestion(sought, names);
}

std::string rule_text_names() {
  std::string names;
  for (const RuleColumn& column : all_rule_columns()) {
    if (column.is_number) continue;
    names += (names.empty() ? "" : " ") + column.name;
  }
  return names;
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
