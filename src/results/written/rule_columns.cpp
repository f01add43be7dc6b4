#include "src/results/written/rule_columns.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

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
RuleColumn counted(RuleRows rows, std::string_view name, std::string_view key, Value value) {
  RuleColumn column;
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
RuleColumn part_of(const char* name, const char* key, Value value, bool is_number = true) {
  const auto get = [value](const WrittenRule& r) -> RuleValue {
    if (!(r.*Part)) return none;
    return value(*(r.*Part));
  };
  return {name, key, get, is_number};
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
  return {{"id", "id", [](const WrittenRule& r) { return r.id; }},
          {"rule", "rule", [](const WrittenRule& r) { return r.text; }, false},
          {"antecedent", "", [](const WrittenRule& r) { return antecedent_text(r); }, false},
          {"consequent", "", [](const WrittenRule& r) { return consequent_text(r); }, false}};
}

std::vector<RuleColumn> length_columns() {
  return {{"comparisons", "", comparisons_of}};
}

std::vector<RuleColumn> count_columns(RuleRows rows) {
  using F = const Figures&;
  return {
      counted(rows, "n", "n", [](F f) { return f.table.n; }),
      counted(rows, "n_antecedent", "antecedent", [](F f) { return f.table.n_antecedent; }),
      counted(rows, "n_consequent", "consequent", [](F f) { return f.table.n_consequent; }),
      counted(rows, "n_both", "both", [](F f) { return f.table.n_both; }),
      counted(rows, "missing_consequent", "missing_consequent",
              [](F f) { return f.missing_consequent; }),
  };
}

std::vector<RuleColumn> measure_columns(RuleRows rows, std::span<const Measure> measures) {
  std::vector<RuleColumn> columns;
  for (const Measure m : measures) {
    const std::string_view name = info(m).name;
    columns.push_back(
        counted(rows, name, name, [m](const Figures& f) { return evaluate(m, f.table); }));
  }
  return columns;
}

std::vector<RuleColumn> quantile_columns(RuleRows rows) {
  using F = const Figures&;
  return {
      counted(rows, "quantile", "within",
              [](F f) { return f.quantiles ? f.quantiles->within : none; }),
      counted(rows, "quantile_rest", "rest",
              [](F f) { return f.quantiles ? f.quantiles->rest : none; }),
  };
}

std::vector<RuleColumn> test_columns(RuleRows rows) {
  constexpr auto held_out = &WrittenRule::held_out;
  constexpr auto rescored = &WrittenRule::rescored;
  if (rows == RuleRows::held_out) {
    using H = const HeldOut&;
    return {
        part_of<held_out>("holdout_p_value", "p_value", [](H h) { return h.p_value; }),
        part_of<held_out>("holdout_p_productive", "p_productive",
                          [](H h) { return h.p_productive; }),
        part_of<held_out>("holdout_p_holm", "p_holm", [](H h) { return h.p_holm; }),
        part_of<held_out>("holdout_p_bh", "p_bh", [](H h) { return h.p_bh; }),
    };
  }
  if (rows == RuleRows::rescored) {
    using R = const Rescored&;
    return {
        part_of<rescored>("on_change", "change", [](R r) { return r.change; }),
        part_of<rescored>("on_p_change", "p_change", [](R r) { return r.p_change; }),
        part_of<rescored>(
            "on_drift", "drift", [](R r) { return std::string(to_string(r.drift)); }, false),
    };
  }
  return {};
}

std::vector<RuleColumn> origin_columns() {
  return {
      {"run", "run", [](const WrittenRule& r) { return r.run; }, false, true},
      {"generation", "generation",
       [](const WrittenRule& r) { return std::uint64_t{r.generation}; }},
      {"island", "island", [](const WrittenRule& r) { return std::uint64_t{r.island}; }},
      {"equivalents", "equivalents", [](const WrittenRule& r) { return r.equivalents; }, false}};
}

std::vector<RuleColumn> relation_columns() {
  return {
      {"reversed_confidence", "reversed_confidence",
       [](const WrittenRule& r) { return reversed_confidence(r).value_or(none); }, true, true},
      {"adds", "adds", [](const WrittenRule& r) { return news_text(r); }, false, true},
      {"new_rows", "new_rows",
       [](const WrittenRule& r) { return r.new_rows ? static_cast<double>(*r.new_rows) : none; },
       true, true},
      {"strongest_of", "strongest_of",
       [](const WrittenRule& r) { return r.strongest_of.value_or(none); }, true, true},
      {"kind", "kind", [](const WrittenRule& r) { return std::string(to_string(r.kind)); }, false},
      {"variant_of", "variant_of",
       [](const WrittenRule& r) {
         return r.variant_of ? static_cast<double>(*r.variant_of) : none;
       },
       true, true}};
}

std::vector<RuleColumn> csv_columns(const ColumnChoice& choice) {
  std::vector<RuleColumn> columns = identity_columns();
  append(columns, count_columns(RuleRows::mined));
  append(columns, length_columns());
  append(columns, measure_columns(RuleRows::mined, choice.measures));
  if (choice.quantiles) append(columns, quantile_columns(RuleRows::mined));
  append(columns, origin_columns());
  if (!choice.runs) {
    std::erase_if(columns, [](const RuleColumn& column) { return column.name == "run"; });
  }
  if (choice.held_out) append_elsewhere(columns, RuleRows::held_out, choice);
  if (choice.rescored) append_elsewhere(columns, RuleRows::rescored, choice);
  append(columns, relation_columns());
  return columns;
}

std::span<const RuleColumn> all_rule_columns() {
  static const std::vector<RuleColumn> columns = every_column();
  return columns;
}

const RuleColumn* find_rule_column(std::string_view name) {
  const auto columns = all_rule_columns();
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const RuleColumn& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace atl
