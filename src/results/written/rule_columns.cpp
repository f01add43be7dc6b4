#include "src/results/written/rule_columns.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "src/core/text/ascii.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::uint64_t comparisons_of(const WrittenRule& r) {
  return r.antecedent.size() + r.consequent.size();
}

/// The counts of a rule on some rows.
struct Figures {
  const ContingencyTable& table;
  std::uint64_t missing_consequent;
  const std::optional<Quantiles>& quantiles;
};

/// The figures of a rule on some rows; nothing where the rule tells of no such rows.
std::optional<Figures> figures_on(RuleRows rows, const WrittenRule& r) {
  const auto of = [](const auto& part) -> std::optional<Figures> {
    if (!part) return std::nullopt;
    return Figures{part->table, part->missing_consequent, part->quantiles};
  };
  if (rows == RuleRows::held_out) return of(r.held_out);
  if (rows == RuleRows::rescored) return of(r.rescored);
  return Figures{r.table, r.missing_consequent, r.quantiles};
}

/// A column of a figure that is counted on some rows.
template <typename Value>
RuleColumn counted(RuleRows rows, std::string_view name, std::string_view key, Value value,
                   GoodEnd good = GoodEnd::greatest) {
  RuleColumn column;
  column.good = good;
  column.name = std::string(column_prefix(rows)).append(name);
  column.key = key;
  column.value = [rows, value](const WrittenRule& r) -> RuleValue {
    const auto figures = figures_on(rows, r);
    if (!figures) return none;
    return value(*figures);
  };
  return column;
}

/// A column of a part that not every rule has.
template <auto Part, typename Value>
RuleColumn part_of(const std::string& name, const char* key, Value value, GoodEnd good) {
  const auto get = [value](const WrittenRule& r) -> RuleValue {
    if (!(r.*Part)) return none;
    return value(*(r.*Part));
  };
  return {.name = name, .key = key, .value = get, .good = good};
}

/// The columns of the tests that rules held out and rules on other data have.
template <auto Part>
std::vector<RuleColumn> p_columns(RuleRows rows) {
  const auto column = [&](const char* key, auto value) {
    return part_of<Part>(std::string(column_prefix(rows)) + key, key, value, GoodEnd::least);
  };
  return {column("p_value", [](const auto& its) { return its.p_value; }),
          column("p_productive", [](const auto& its) { return its.p_productive; }),
          column("p_holm", [](const auto& its) { return its.p_holm; }),
          column("p_bh", [](const auto& its) { return its.p_bh; })};
}

GoodEnd good_end_of(const MeasureInfo& measure) {
  if (measure.less_is_better) return GoodEnd::least;
  const bool of_side =
      measure.measure == Measure::mean || measure.measure == Measure::mean_difference;
  return of_side ? GoodEnd::of_side : GoodEnd::greatest;
}

template <typename Kind>
std::vector<std::string> names_of_kinds(std::initializer_list<Kind> kinds) {
  std::vector<std::string> names;
  for (const Kind kind : kinds) names.emplace_back(to_string(kind));
  return names;
}

void append(std::vector<RuleColumn>& columns, std::vector<RuleColumn> more) {
  std::move(more.begin(), more.end(), std::back_inserter(columns));
}

/// Appends what is known of other rows than those mined.
void append_elsewhere(std::vector<RuleColumn>& columns, RuleRows rows, const ColumnChoice& choice) {
  append(columns, count_columns(rows));
  append(columns, measure_columns(rows, with_interval(choice.measures)));
  if (choice.quantiles) append(columns, quantile_columns(rows));
  append(columns, test_columns(rows));
}

std::vector<RuleColumn> every_column() {
  std::vector<Measure> known;
  for (const MeasureInfo& measure : measures()) known.push_back(measure.measure);
  std::vector<RuleColumn> columns = identity_columns();
  append(columns, length_columns());
  append(columns, origin_columns());
  append(columns, relation_columns());
  for (const RuleRows rows : {RuleRows::mined, RuleRows::held_out, RuleRows::rescored}) {
    append(columns, test_columns(rows));
    append(columns, count_columns(rows));
    append(columns, measure_columns(rows, known));
    append(columns, quantile_columns(rows));
  }
  return columns;
}

}  // namespace

std::string_view column_prefix(RuleRows rows) noexcept {
  return rows == RuleRows::held_out ? "holdout_" : rows == RuleRows::rescored ? "on_" : "";
}

std::vector<RuleColumn> identity_columns() {
  return {{.name = "id",
           .key = "id",
           .value = [](const WrittenRule& r) { return r.id; },
           .good = GoodEnd::least},
          {"rule", "rule", [](const WrittenRule& r) { return r.text; }, false},
          {"antecedent", "", [](const WrittenRule& r) { return antecedent_text(r); }, false},
          {"consequent", "", [](const WrittenRule& r) { return consequent_text(r); }, false}};
}

std::vector<RuleColumn> length_columns() {
  return {{.name = "comparisons", .key = "", .value = comparisons_of, .good = GoodEnd::least}};
}

std::vector<RuleColumn> count_columns(RuleRows rows) {
  using F = const Figures&;
  return {
      counted(rows, "n", "n", [](F f) { return f.table.n; }),
      counted(rows, "n_antecedent", "antecedent", [](F f) { return f.table.n_antecedent; }),
      counted(rows, "n_consequent", "consequent", [](F f) { return f.table.n_consequent; }),
      counted(rows, "n_both", "both", [](F f) { return f.table.n_both; }),
      counted(
          rows, "missing_consequent", "missing_consequent",
          [](F f) { return f.missing_consequent; }, GoodEnd::least),
  };
}

std::vector<RuleColumn> measure_columns(RuleRows rows, std::span<const Measure> measures) {
  std::vector<RuleColumn> columns;
  for (const Measure m : measures) {
    const std::string_view name = info(m).name;
    columns.push_back(counted(
        rows, name, name, [m](const Figures& f) { return evaluate(m, f.table); },
        good_end_of(info(m))));
  }
  return columns;
}

std::vector<RuleColumn> quantile_columns(RuleRows rows) {
  using F = const Figures&;
  return {
      counted(
          rows, "quantile", "within", [](F f) { return f.quantiles ? f.quantiles->within : none; },
          GoodEnd::of_side),
      counted(rows, "quantile_rest", "rest",
              [](F f) { return f.quantiles ? f.quantiles->rest : none; }),
  };
}

std::vector<RuleColumn> test_columns(RuleRows rows) {
  constexpr auto rescored = &WrittenRule::rescored;
  constexpr auto least = GoodEnd::least;
  if (rows == RuleRows::held_out) return p_columns<&WrittenRule::held_out>(rows);
  if (rows == RuleRows::rescored) {
    using R = const Rescored&;
    RuleColumn drift = part_of<rescored>(
        "on_drift", "drift", [](R r) { return std::string(to_string(r.drift)); }, least);
    drift.is_number = false;
    drift.texts = names_of_kinds({Drift::rose, Drift::kept, Drift::fell, Drift::gone});
    std::vector<RuleColumn> columns = p_columns<rescored>(rows);
    append(columns, {part_of<rescored>(
                         "on_change", "change", [](R r) { return r.change; }, GoodEnd::of_side),
                     part_of<rescored>(
                         "on_p_change", "p_change", [](R r) { return r.p_change; }, least),
                     std::move(drift)});
    return columns;
  }
  return {};
}

std::vector<RuleColumn> origin_columns() {
  return {{"run", "run", [](const WrittenRule& r) { return r.run; }, false, true},
          {"generation", "generation",
           [](const WrittenRule& r) { return std::uint64_t{r.generation}; }},
          {"island", "island", [](const WrittenRule& r) { return std::uint64_t{r.island}; }},
          {"equivalents", "equivalents", [](const WrittenRule& r) { return r.equivalents; }}};
}

RuleValue whole_or_none(const std::optional<std::uint64_t>& value) {
  if (value) return *value;
  return none;
}

std::vector<RuleColumn> relation_columns() {
  using enum RuleKind;
  return {{"reversed_confidence", "reversed_confidence",
           [](const WrittenRule& r) { return reversed_confidence(r).value_or(none); }, true, true},
          {"adds", "adds", [](const WrittenRule& r) { return news_text(r); }, false, true},
          {"new_rows", "new_rows", [](const WrittenRule& r) { return whole_or_none(r.new_rows); },
           true, true},
          {"strongest_of", "strongest_of",
           [](const WrittenRule& r) { return r.strongest_of.value_or(none); }, true, true},
          {"variant_of", "variant_of",
           [](const WrittenRule& r) { return whole_or_none(r.variant_of); }, true, true},
          {"found_again", "found_again",
           [](const WrittenRule& r) { return r.found_again.value_or(none); }, true, true},
          {.name = "kind",
           .key = "kind",
           .value = [](const WrittenRule& r) { return std::string(to_string(r.kind)); },
           .is_number = false,
           .texts = names_of_kinds({rule, variant, definition})}};
}

std::vector<RuleColumn> named_columns(std::span<const std::string> names) {
  std::vector<RuleColumn> columns;
  for (const std::string& name : names) columns.push_back(*find_rule_column(name));
  return columns;
}

std::vector<RuleColumn> csv_columns(const ColumnChoice& choice) {
  if (!choice.columns.empty()) return named_columns(choice.columns);
  std::vector<RuleColumn> columns = identity_columns();
  append(columns, count_columns(RuleRows::mined));
  append(columns, length_columns());
  append(columns, measure_columns(RuleRows::mined, choice.measures));
  if (choice.quantiles) append(columns, quantile_columns(RuleRows::mined));
  append(columns, origin_columns());
  if (choice.held_out) append_elsewhere(columns, RuleRows::held_out, choice);
  if (choice.rescored) append_elsewhere(columns, RuleRows::rescored, choice);
  append(columns, relation_columns());
  std::erase_if(columns, [&](const RuleColumn& column) {
    return (column.name == "run" && !choice.runs) ||
           (column.name == "found_again" && !choice.repeated);
  });
  return columns;
}

std::span<const RuleColumn> all_rule_columns() {
  static const std::vector<RuleColumn> columns = every_column();
  return columns;
}

const RuleColumn* find_rule_column(std::string_view name) {
  const auto columns = all_rule_columns();
  const auto found =
      std::find_if(columns.begin(), columns.end(),
                   [sought = lower(name)](const RuleColumn& c) { return c.name == sought; });
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace atl
