#include "src/results/rule_fields.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "src/core/error.hpp"
#include "src/core/near_names.hpp"
#include "src/measures/measures.hpp"

namespace atl {

namespace {

constexpr std::string_view held_out_prefix = "holdout_", rescored_prefix = "on_";

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Field {
  std::string_view name;
  double (*value)(const WrittenRule&);
};

constexpr Field rule_fields[] = {
    {"id", [](const WrittenRule& r) { return static_cast<double>(r.id); }},
    {"comparisons",
     [](const WrittenRule& r) {
       return static_cast<double>(r.antecedent.size() + r.consequent.size());
     }},
    {"reversed_confidence",
     [](const WrittenRule& r) { return reversed_confidence(r).value_or(none); }},
    {"generation", [](const WrittenRule& r) { return static_cast<double>(r.generation); }},
    {"island", [](const WrittenRule& r) { return static_cast<double>(r.island); }},
    {"holdout_p_value",
     [](const WrittenRule& r) { return r.held_out ? r.held_out->p_value : none; }},
    {"holdout_p_productive",
     [](const WrittenRule& r) { return r.held_out ? r.held_out->p_productive : none; }},
    {"holdout_p_holm", [](const WrittenRule& r) { return r.held_out ? r.held_out->p_holm : none; }},
    {"holdout_p_bh", [](const WrittenRule& r) { return r.held_out ? r.held_out->p_bh : none; }},
    {"on_change", [](const WrittenRule& r) { return r.rescored ? r.rescored->change : none; }},
    {"on_p_change", [](const WrittenRule& r) { return r.rescored ? r.rescored->p_change : none; }},
};

/// What is counted of a rule on some rows.
struct Figures {
  ContingencyTable table;
  std::uint64_t missing_consequent;
  std::optional<Quantiles> quantiles;
};

struct CountField {
  std::string_view name;
  std::uint64_t (*value)(const Figures&);
};

constexpr CountField count_fields[] = {
    {"n", [](const Figures& f) { return f.table.n; }},
    {"n_antecedent", [](const Figures& f) { return f.table.n_antecedent; }},
    {"n_consequent", [](const Figures& f) { return f.table.n_consequent; }},
    {"n_both", [](const Figures& f) { return f.table.n_both; }},
    {"missing_consequent", [](const Figures& f) { return f.missing_consequent; }},
};

using FigureField = std::function<double(const Figures&)>;

FigureField find_figure(std::string_view name) {
  for (const CountField& field : count_fields) {
    if (field.name != name) continue;
    return [value = field.value](const Figures& f) { return static_cast<double>(value(f)); };
  }
  if (name == "quantile")
    return [](const Figures& f) { return f.quantiles ? f.quantiles->within : none; };
  if (name == "quantile_rest")
    return [](const Figures& f) { return f.quantiles ? f.quantiles->rest : none; };
  for (const MeasureInfo& measure : measures()) {
    if (measure.name != name) continue;
    return [m = measure.measure](const Figures& f) { return evaluate(m, f.table); };
  }
  return nullptr;
}

/// A figure on the rows that a part of the rule, if it is there, tells of.
template <auto Part>
RuleField figure_of(std::string_view name) {
  const FigureField figure = find_figure(name);
  if (!figure) return nullptr;
  return [figure](const WrittenRule& r) {
    const auto& part = r.*Part;
    return part ? figure({part->table, part->missing_consequent, part->quantiles}) : none;
  };
}

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
  if (name.starts_with(held_out_prefix)) {
    if (!figures.held_out)
      throw UsageError("no holdout_ figures without rows held out (atoll mine --holdout)");
    name.remove_prefix(held_out_prefix.size());
  } else if (name.starts_with(rescored_prefix)) {
    if (!figures.rescored) throw UsageError("no on_ figures without --on DATA");
    name.remove_prefix(rescored_prefix.size());
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
  const std::string wanted = lower(name);
  for (const Field& field : rule_fields) {
    if (field.name == wanted) return field.value;
  }
  if (wanted.starts_with(held_out_prefix)) {
    return figure_of<&WrittenRule::held_out>(wanted.substr(held_out_prefix.size()));
  }
  if (wanted.starts_with(rescored_prefix)) {
    return figure_of<&WrittenRule::rescored>(wanted.substr(rescored_prefix.size()));
  }
  const FigureField figure = find_figure(wanted);
  if (!figure) return nullptr;
  return [figure](const WrittenRule& r) {
    return figure({r.table, r.missing_consequent, r.quantiles});
  };
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
  std::vector<std::string> figures, names;
  for (const Field& field : rule_fields) names.emplace_back(field.name);
  for (const CountField& field : count_fields) figures.emplace_back(field.name);
  for (const MeasureInfo& measure : measures()) figures.emplace_back(measure.name);
  figures.insert(figures.end(), {"quantile", "quantile_rest"});
  for (const std::string& figure : figures) {
    names.push_back(figure);
    for (const std::string_view prefix : {held_out_prefix, rescored_prefix})
      names.push_back(std::string(prefix) + figure);
  }
  const std::string wanted(name);
  if (near_names(wanted, names).empty())
    return "a field such as lift (atoll rules --help lists them)";
  return "a field" + suggestion(wanted, names);
}

std::string rule_field_names() {
  std::string names;
  for (const Field& field : rule_fields) names += std::string(field.name) + " ";
  for (const CountField& field : count_fields) names += std::string(field.name) + " ";
  for (const MeasureInfo& measure : measures()) names += std::string(measure.name) + " ";
  return names +
         "quantile quantile_rest and, of counts, measures and quantiles, holdout_... on_...";
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace atl
