#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <variant>

#include "io/results/rule_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/results/written/rule_columns.hpp"

namespace atl::io {
namespace {

constexpr std::size_t narrowest_rule = 24;  // characters, however little room there is
constexpr std::string_view gap = "  ";

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

std::string left(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, characters(text)), ' ');
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, characters(text)), ' ') + text;
}

struct TableCell {
  std::string operator()(std::uint64_t count) const { return std::to_string(count); }
  std::string operator()(double value) const { return rounded(value); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const std::vector<std::string>&) const { return {}; }
};

std::string cell(const RuleColumn& column, const WrittenRule& rule) {
  const RuleValue value = column.value(rule);
  const auto* figure = std::get_if<double>(&value);
  if (column.optional && figure != nullptr && std::isnan(*figure)) return {};
  return std::visit(TableCell{}, value);
}

// What stands to the right of the rule.
std::vector<std::string> names_of_columns(std::span<const WrittenRule> rules,
                                          const ColumnChoice& choice) {
  const bool about_means = !rules.empty() && of_mean(rules.front());
  const auto any = [&](auto holds) { return std::any_of(rules.begin(), rules.end(), holds); };
  std::vector<std::string> names;
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
  if (choice.rescored) names.insert(names.end(), {"on_p_change", "on_drift"});
  if (any([](const WrittenRule& r) { return r.reversed; })) {
    names.emplace_back("reversed_confidence");
  }
  if (any([](const WrittenRule& r) { return r.kind != RuleKind::rule; })) {
    names.emplace_back("kind");
  }
  return names;
}

// Labels may hold control characters, which a terminal would obey.
std::string rule_cell(const WrittenRule& rule) {
  std::string text = printable(rule.text, std::string::npos);
  const std::size_t others = rule.equivalents.size();
  if (others > 0) text += " (and " + std::to_string(others) + " equivalent";
  if (others > 0) text += others == 1 ? " rule)" : " rules)";
  return text;
}

/// What stands to the right of the rules.
struct Figures {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> cells;  // [rule][column]
  std::vector<std::size_t> widths;

  std::size_t width() const {
    std::size_t all = 0;
    for (const std::size_t w : widths) all += gap.size() + w;
    return all;
  }
};

Figures figures_of(std::span<const WrittenRule> rules, const std::vector<std::string>& names) {
  Figures made;
  made.headings = names;
  made.cells.resize(rules.size());
  for (const std::string& name : names) {
    const RuleColumn& column = *find_rule_column(name);
    made.widths.push_back(name.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      made.cells[i].push_back(cell(column, rules[i]));
      made.widths.back() = std::max(made.widths.back(), made.cells[i].back().size());
    }
  }
  return made;
}

}  // namespace

std::string rules_table(std::span<const WrittenRule> rules, std::size_t width,
                        const ColumnChoice& choice) {
  std::size_t id_width = 2, rule_width = 4;
  for (const WrittenRule& rule : rules) {
    id_width = std::max(id_width, std::to_string(rule.id).size());
    rule_width = std::max(rule_width, characters(rule_cell(rule)));
  }
  auto names = names_of_columns(rules, choice);
  Figures figures = figures_of(rules, names);
  if (width > 0) {
    const auto others = [&] { return id_width + gap.size() + figures.width(); };
    // The column that nobody has asked for gives way.
    if (others() + narrowest_rule > width && std::erase(names, "reversed_confidence") != 0)
      figures = figures_of(rules, names);
    const std::size_t room = std::max(narrowest_rule, width - std::min(width, others()));
    rule_width = std::min(rule_width, room);
  }
  const auto line = [&](const std::string& id, const std::string& rule,
                        const std::vector<std::string>& cells) {
    std::string out = right(id, id_width);
    out += gap;
    out += cells.empty() ? rule : left(rule, rule_width);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      out += gap;
      out += right(cells[i], figures.widths[i]);
    }
    out.erase(out.find_last_not_of(' ') + 1);  // of columns that stay empty
    return out + "\n";
  };
  std::string out = line("id", "rule", figures.headings);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto lines = wrapped(rule_cell(rules[i]), rule_width);
    out += line(std::to_string(rules[i].id), lines[0], figures.cells[i]);
    for (std::size_t k = 1; k < lines.size(); ++k) out += line("", lines[k], {});
  }
  return out;
}

}  // namespace atl::io
