#include "io/results/true_rule_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "io/results/csv_line.hpp"
#include "io/results/json_text.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/measures/measures.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::io {
namespace {

constexpr std::size_t most_shown = 10;  // rules missed, for people

struct FateLine {
  Fate fate;
  const char* text;
};
constexpr std::array<FateLine, 7> lines = {{
    {Fate::found, "found"},
    {Fate::equivalent, "found as a rule of the same rows"},
    {Fate::idle, "says no more than a part of it"},
    {Fate::alike, "like a better one in the list"},
    {Fate::off_list, "worse than all of a full list"},
    {Fate::out_of_run, "not within the settings of the run"},
    {Fate::missed, "missed"},
}};

bool is_missed(const TrueRule& rule) {
  return rule.fate == Fate::missed;
}

std::vector<std::size_t> places(std::span<const TrueRule> rules) {
  std::size_t all = 0;
  for (const TrueRule& rule : rules) all = std::max(all, rule.place);
  std::vector<std::size_t> tops;
  for (const std::size_t top : {10, 100}) {
    if (top < all) tops.push_back(top);
  }
  tops.push_back(all);
  return tops;
}

const WrittenRule* written_of(const TrueRuleReport& report, const TrueRule& rule) {
  return rule.written ? &report.written[*rule.written] : nullptr;
}

double value_of_written(const TrueRuleReport& report, const TrueRule& rule) {
  const WrittenRule* const written = written_of(report, rule);
  return written == nullptr ? std::numeric_limits<double>::quiet_NaN()
                            : evaluate(report.measure, written->table);
}

/// Tells how much better the rule is than the one that stands for it.
double shortfall(const TrueRuleReport& report, const TrueRule& rule) {
  const double of_written = value_of_written(report, rule);
  return std::isinf(rule.value) && std::isinf(of_written) ? 0 : rule.value - of_written;
}

std::string percent(double share) {
  return std::isnan(share) ? "-" : fmt::format("{:.1f}%", 100 * share);
}

std::string short_number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

std::string row(const std::string& name, const std::vector<std::string>& cells) {
  std::string line = fmt::format("{:<44}", name);
  for (const std::string& cell : cells) line += fmt::format("{:>11}", cell);
  return line + "\n";
}

std::string counts(const TrueRuleReport& report) {
  const std::vector<std::size_t> tops = places(report.rules);
  std::vector<Recall> recalls;
  std::vector<std::string> headings;
  for (const std::size_t top : tops) {
    recalls.push_back(recall_of(report.rules, top));
    const bool all = &recalls.back() == &recalls[tops.size() - 1];
    headings.push_back((all ? "all " : "best ") + std::to_string(top));
  }
  const std::string measure(info(report.measure).name);
  std::string text = row("by " + measure, headings);
  const auto add = [&](const std::string& name, const auto& cell) {
    std::vector<std::string> cells;
    for (const Recall& recall : recalls) cells.push_back(cell(recall));
    text += row(name, cells);
  };
  for (const auto& [fate, name] : lines) {
    add(name, [fate = fate](const Recall& recall) { return std::to_string(recall.of(fate)); });
  }
  add("found, of those found or missed", [](const Recall& r) { return percent(r.share()); });
  add("the same of the sum of " + measure,
      [](const Recall& r) { return percent(r.share_of_value()); });
  return text;
}

std::string text_of(const TrueRuleReport& report, const Rule& rule) {
  return printable(to_text(rule, report.attributes), std::string::npos);
}

std::string missed(const TrueRuleReport& report) {
  std::string text;
  std::size_t shown = 0, all = 0;
  for (const TrueRule& rule : report.rules) {
    if (!is_missed(rule) || ++all > most_shown) continue;
    if (++shown == 1) {
      text += fmt::format("\n{:>6}  {:>9}  missed, and what the run has instead\n", "place",
                          info(report.measure).name);
    }
    text += fmt::format("{:>6}  {:>9}  {}\n", rule.place, short_number(rule.value),
                        text_of(report, rule.rule));
    const WrittenRule* const written = written_of(report, rule);
    if (written == nullptr) continue;
    text += fmt::format("{:>6}  {:>9}  {}: {}\n", "", short_number(value_of_written(report, rule)),
                        rule.more_general ? "more general" : "most similar",
                        printable(written->text, std::string::npos));
  }
  if (all > shown) text += fmt::format("and {} more: --format csv has them\n", all - shown);
  return text;
}

std::string repetitions(const TrueRuleReport& report) {
  const auto redundant = std::ranges::count(report.rules, Fate::redundant, &TrueRule::fate);
  if (redundant == 0) return "";
  return fmt::format("{} of {} rules repeat another or a more general one, and do not count\n",
                     redundant, report.rules.size());
}

/// A field that CSV and JSON have of a rule, by name; those of JSON are quoted where they are no
/// number.
struct Field {
  const char* name;
  std::string text;
  bool is_text = false;
};

std::string relation_of(const WrittenRule* written, const TrueRule& rule) {
  if (written == nullptr) return "";
  if (!is_missed(rule) && rule.fate != Fate::off_list) return "instead";
  return rule.more_general ? "more general" : "most similar";
}

std::vector<Field> fields_of(const TrueRuleReport& report, const TrueRule& rule) {
  const WrittenRule* const written = written_of(report, rule);
  const auto number = [](std::uint64_t count) { return std::to_string(count); };
  return {{"place", rule.place == 0 ? "" : number(rule.place)},
          {"rule", to_text(rule.rule, report.attributes), true},
          {"n_antecedent", number(rule.table.n_antecedent)},
          {"n_consequent", number(rule.table.n_consequent)},
          {"n_both", number(rule.table.n_both)},
          {"value", format_number(rule.value)},
          {"fate", std::string(to_string(rule.fate)), true},
          {"limit", rule.fate == Fate::out_of_run ? std::string(rule.limit) : "", true},
          {"written_id", written == nullptr ? "" : number(written->id)},
          {"written_rule", written == nullptr ? "" : written->text, true},
          {"written_value", format_number(value_of_written(report, rule))},
          {"written_is", relation_of(written, rule), true},
          {"gap", format_number(shortfall(report, rule))}};
}

std::string json_of(const Field& field) {
  if (field.text.empty()) return "null";
  const bool infinite = field.text == "inf" || field.text == "-inf";
  return field.is_text || infinite ? json_quote(field.text) : field.text;
}

std::string recalls_json(const TrueRuleReport& report) {
  return json_join(places(report.rules), [&](std::size_t top) {
    const Recall recall = recall_of(report.rules, top);
    std::string text = "{\"top\": " + std::to_string(top);
    for (const auto& [fate, name] : lines) {
      text +=
          ", " + json_quote(std::string(to_string(fate))) + ": " + std::to_string(recall.of(fate));
    }
    return text + ", \"recall\": " + json_number(recall.share()) +
           ", \"recall_of_value\": " + json_number(recall.share_of_value()) + "}";
  });
}

}  // namespace

std::string true_rules_table(const TrueRuleReport& report) {
  return counts(report) + repetitions(report) + missed(report);
}

std::string true_rules_csv(const TrueRuleReport& report) {
  std::string out;
  std::vector<std::string> cells;
  for (const Field& field : fields_of(report, report.rules.front())) cells.emplace_back(field.name);
  append_csv_line(out, cells);
  for (const TrueRule& rule : report.rules) {
    cells.clear();
    for (Field& field : fields_of(report, rule)) cells.push_back(std::move(field.text));
    append_csv_line(out, cells);
  }
  return out;
}

std::string true_rules_json(const TrueRuleReport& report) {
  std::string rules;
  for (const TrueRule& rule : report.rules) {
    rules += rules.empty() ? "\n" : ",\n";
    rules += "{" +
             json_join(fields_of(report, rule),
                       [](const Field& field) {
                         return json_quote(field.name) + ": " + json_of(field);
                       }) +
             "}";
  }
  return "{\"measure\": " + json_quote(std::string(info(report.measure).name)) +
         ", \"n\": " + std::to_string(report.rows) +
         ", \"written\": " + std::to_string(report.written.size()) + ",\n\"best\": [" +
         recalls_json(report) + "],\n\"rules\": [" + rules + (rules.empty() ? "]}\n" : "\n]}\n");
}

}  // namespace atl::io
