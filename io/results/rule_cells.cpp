#include "io/results/rule_cells.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <variant>

#include "src/core/error.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/results/written/rule_columns.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::io {
namespace {

// Four decimals, or four digits of what would vanish then or fill the line.
std::string rounded(double value) {
  if (std::isnan(value)) return "-";
  const double size = std::abs(value);
  const bool fits = size == 0 || (size >= 0.00005 && size < 1e12);
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 fits ? std::chars_format::fixed : std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

// Labels may hold control characters, which a terminal would obey.
struct TableCell {
  std::string operator()(std::uint64_t count) const { return std::to_string(count); }
  std::string operator()(double value) const { return rounded(value); }
  std::string operator()(const std::string& text) const {
    return printable(text, std::string::npos);
  }
  std::string operator()(const std::vector<std::string>& texts) const {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : "; ") + operator()(text);
    return all;
  }
};

std::string cell_of(const RuleColumn& column, const WrittenRule& rule) {
  const RuleValue value = column.value(rule);
  const auto* figure = std::get_if<double>(&value);
  if (column.optional && figure != nullptr && std::isnan(*figure)) return {};
  return std::visit(TableCell{}, value);
}

std::vector<std::string> usual_columns(std::span<const WrittenRule> rules,
                                       const ColumnChoice& choice) {
  const bool about_means = !rules.empty() && of_mean(rules.front());
  std::vector<std::string> names = {"id", "rule"};
  const auto add = [&](const std::string& name) {
    names.push_back(name);
    if (choice.rescored) names.push_back(std::string(column_prefix(RuleRows::rescored)) + name);
  };
  add("n_both");
  for (const Measure m : choice.measures) add(std::string(info(m).name));
  if (choice.quantiles) names.insert(names.end(), {"quantile", "quantile_rest"});
  if (choice.held_out) {
    names.insert(names.end(),
                 {about_means ? "holdout_mean" : "holdout_confidence", "holdout_p_holm"});
  }
  if (choice.rescored) names.insert(names.end(), {"on_p_holm", "on_p_change", "on_drift"});
  if (choice.repeated) names.emplace_back("found_again");
  if (std::any_of(rules.begin(), rules.end(),
                  [](const WrittenRule& r) { return r.kind != RuleKind::rule; })) {
    names.emplace_back("kind");
  }
  return names;
}

std::string equivalents_text(const WrittenRule& rule) {
  const std::size_t others = rule.equivalents.size();
  if (others == 0) return {};
  return " (and " + std::to_string(others) +
         (others == 1 ? " equivalent rule)" : " equivalent rules)");
}

/// Empty if not all rules have it, or if there are not several.
std::string shared_consequent_of(std::span<const WrittenRule> rules) {
  if (rules.size() < 2) return {};
  const std::string first = consequent_text(rules.front());
  const bool shared = std::all_of(rules.begin(), rules.end(), [&](const WrittenRule& rule) {
    return sides_of(rule.text).second == first;
  });
  return shared && !first.empty() ? "=> " + printable(first, std::string::npos) : "";
}

/// The ends of the parts of a rule: where AND, OR, => or what is said of other rules begins.
std::vector<std::size_t> ends_of_parts(std::string_view rule) {
  constexpr std::array<std::string_view, 4> begins = {" AND ", " OR ", " => ", " (and "};
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; (at = find_unquoted(rule, begins, at)) < rule.size(); ++at) {
    ends.push_back(at);
  }
  ends.push_back(rule.size());
  return ends;
}

}  // namespace

RuleCells rule_cells(std::span<const WrittenRule> rules, const ColumnChoice& choice) {
  RuleCells made;
  const bool named = !choice.columns.empty();
  const std::vector<std::string> names =
      named ? std::vector<std::string>(choice.columns.begin(), choice.columns.end())
            : usual_columns(rules, choice);
  const bool has_rule = std::find(names.begin(), names.end(), "rule") != names.end();
  if (has_rule) made.shared_consequent = shared_consequent_of(rules);
  for (const std::string& name : names) {
    const RuleColumn& column = *find_rule_column(name);
    RuleCells::Column cells{.name = name};
    cells.of_words =
        name == "rule" || name == "antecedent" || name == "consequent" || name == "equivalents";
    cells.is_text = cells.of_words || !column.is_number;
    for (const WrittenRule& rule : rules) {
      std::string text = cell_of(column, rule);
      if (name == "rule") {
        if (!made.shared_consequent.empty())
          text = printable(antecedent_text(rule), std::string::npos);
        if (!named) text += equivalents_text(rule);
      }
      cells.cells.push_back(std::move(text));
    }
    made.columns.push_back(std::move(cells));
  }
  return made;
}

bool leave_one_out(RuleCells& cells) {
  for (const std::string_view least_telling :
       {"support", "leverage", "impact", "effect_size", "mean_rest", "on_lift", "lift"}) {
    const auto is_it = [&](const auto& column) { return column.name == least_telling; };
    if (std::erase_if(cells.columns, is_it) != 0) return true;
  }
  return false;
}

std::vector<std::string> wrapped_rule(const std::string& rule, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t from = 0;
  for (const std::size_t end : ends_of_parts(rule)) {
    const std::string part = rule.substr(from, end - from);
    from = end;
    if (characters(lines.back()) + characters(part) <= width) {
      lines.back() += part;
      continue;
    }
    const std::size_t blank = part.starts_with(' ') ? 1 : 0;
    const std::vector<std::string> own = wrapped(std::string_view(part).substr(blank), width);
    if (lines.back().empty()) lines.pop_back();
    lines.insert(lines.end(), own.begin(), own.end());
  }
  return lines;
}

}  // namespace atl::io
