#include <string_view>

#include "io/results/rule_cells.hpp"
#include "io/results/rule_file.hpp"

namespace atl::io {
namespace {

std::string for_markdown(std::string_view text) {
  constexpr std::string_view special = "\\`*_[]<>|~&$#";
  std::string out;
  for (const char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string_view latex_of(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '`':
      return "\\textasciigrave{}";
    case '\'':
      return "\\textquotesingle{}";
    case '"':
      return "\\symbol{34}";
    case '-':
      return "-{}";  // two of them would be a dash
    default:
      return {};
  }
}

std::string for_latex(std::string_view text) {
  constexpr std::string_view special = "{}$&#%_";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("=> ")) {
      out += "$\\Rightarrow$";
      ++i;
      continue;
    }
    if (const std::string_view command = latex_of(text[i]); !command.empty()) {
      out += command;
      continue;
    }
    if (special.find(text[i]) != special.npos) out += '\\';
    out += text[i];
  }
  return out;
}

}  // namespace

std::string rules_markdown(std::span<const WrittenRule> rules, const ColumnChoice& choice) {
  const RuleCells table = rule_cells(rules, choice);
  std::string out;
  if (!table.shared_consequent.empty()) out += for_markdown(table.shared_consequent) + "\n\n";
  std::string sides = "|";
  out += "|";
  for (const auto& column : table.columns) {
    out.append(" ").append(for_markdown(column.name)).append(" |");
    sides += column.is_text ? " --- |" : " ---: |";
  }
  out += "\n" + sides + "\n";
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    out += "|";
    for (const auto& column : table.columns)
      out.append(" ").append(for_markdown(column.cells[rule])).append(" |");
    out += "\n";
  }
  return out;
}

std::string rules_latex(std::span<const WrittenRule> rules, const ColumnChoice& choice) {
  const RuleCells table = rule_cells(rules, choice);
  std::string sides, heading;
  for (const auto& column : table.columns) {
    sides += column.of_words ? "p{0.5\\linewidth}" : column.is_text ? "l" : "r";
    heading += (heading.empty() ? "" : " & ") + for_latex(column.name);
  }
  std::string out =
      "% \\usepackage{booktabs,textcomp}\n\\begin{tabular}{" + sides + "}\n\\toprule\n";
  if (!table.shared_consequent.empty()) {
    out += "\\multicolumn{" + std::to_string(table.columns.size()) + "}{l}{" +
           for_latex(table.shared_consequent) + "} \\\\\n\\midrule\n";
  }
  out += heading + " \\\\\n\\midrule\n";
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    std::string row;
    for (const auto& column : table.columns)
      row += (&column == &table.columns.front() ? "" : " & ") + for_latex(column.cells[rule]);
    out += row + " \\\\\n";
  }
  return out + "\\bottomrule\n\\end{tabular}\n";
}

std::string rules_text(std::string_view format, std::span<const WrittenRule> rules,
                       std::size_t width, const ColumnChoice& choice) {
  if (format == "csv") return rules_csv(rules, choice);
  if (format == "json") return rules_json(rules, choice);
  if (format == "markdown") return rules_markdown(rules, choice);
  if (format == "latex") return rules_latex(rules, choice);
  return rules_table(rules, width, choice);
}

}  // namespace atl::io
