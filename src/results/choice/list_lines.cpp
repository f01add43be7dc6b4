#include "src/results/choice/list_lines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

#include "src/results/archive/steering.hpp"
#include "src/results/choice/news_order.hpp"
#include "src/rules/generalisation.hpp"

namespace atl {
namespace {

constexpr std::uint64_t most_rows = std::uint64_t{1} << 18;  // that lines are told apart by
constexpr double first_share = 0.999, least_first_share = 0.99;
constexpr double clearly_more = 1.01;

CountingOptions with_deviations(CountingOptions options) {
  if (options.mean) options.mean->deviations = true;
  return options;
}

Expression negation(const Expression& of) {
  std::vector<Op> program(of.program().begin(), of.program().end());
  program.push_back(Op::negation);
  return Expression(program,
                    std::vector<Comparison>(of.comparisons().begin(), of.comparisons().end()));
}

void add_variant(ListLine& line, const RuleRecord& record) {
  line.variants.push_back(record);
  line.variants.back().kind = RuleKind::variant;
}

void add_variants_of(const ListLine& other, ListLine& line) {
  const auto matter = other.variants.begin() + static_cast<std::ptrdiff_t>(other.that_matter);
  line.variants.insert(line.variants.begin() + static_cast<std::ptrdiff_t>(line.that_matter),
                       other.variants.begin(), matter);
  line.that_matter += other.that_matter;
  line.variants.insert(line.variants.end(), matter, other.variants.end());
}

}  // namespace

ListLines::ListLines(const Experiment& experiment, CountedRules& counted, ThreadPool& pool)
    : most_similar_(experiment.max_similarity),
      measure_(steering_measure(experiment.archive_by, experiment)),
      counted_(counted),
      for_p_(counted.resident(), with_deviations(counted.options())),
      rows_(counted.resident().dataset(), most_rows, pool) {}

/// Numbers of records by consequent, in the order of the best rule of each.
std::vector<ListLines::Numbers> ListLines::by_consequent(
    std::span<const RuleRecord> records) const {
  std::map<Expression, std::size_t> places;
  std::vector<Numbers> groups;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(records[i].rule.consequent, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(i);
  }
  return groups;
}

CoveredRows ListLines::covered(std::span<const RuleRecord> records, const Numbers& of) const {
  std::vector<RuleRecord> its;
  for (const std::size_t i : of) its.push_back(records[i]);
  return CoveredRows(its, rows_, counted_.options().exclude_missing_consequent);
}

std::vector<ListLine> ListLines::by_measure(std::span<const RuleRecord> records,
                                            const std::set<Rule>& chosen) {
  std::map<std::size_t, ListLine> lines;  // by the number of the record
  for (const Numbers& group : by_consequent(records)) {
    if (group.size() == 1 || most_similar_ >= 1) {
      for (const std::size_t i : group) {
        if (chosen.count(records[i].rule) != 0) lines[i].record = records[i];
      }
      continue;
    }
    const CoveredRows rows = covered(records, group);
    Numbers taken;  // places in the group
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto line = std::find_if(taken.begin(), taken.end(), [&](std::size_t of) {
        return rows.is_variant(i, of, most_similar_);
      });
      const RuleRecord& record = records[group[i]];
      if (line != taken.end()) {
        add_variant(lines[group[*line]], record);
      } else if (chosen.count(record.rule) != 0) {
        lines[group[i]].record = record;
        taken.push_back(i);
      }
    }
  }
  std::vector<ListLine> all;
  for (auto& [number, line] : lines) all.push_back(std::move(line));
  separate(all);
  return all;
}

std::vector<ListLine> ListLines::by_news(std::span<const RuleRecord> records, std::size_t most) {
  std::vector<std::vector<ListLine>> groups;
  for (const Numbers& group : by_consequent(records)) {
    groups.push_back(lines_of(records, group, most));
  }
  std::vector<ListLine> lines;
  for (std::size_t k = 0; k < most; ++k) {
    for (auto& group : groups) {
      if (k < group.size() && lines.size() < most) lines.push_back(std::move(group[k]));
    }
  }
  return lines;
}

/// The lines of one consequent.
std::vector<ListLine> ListLines::lines_of(std::span<const RuleRecord> records, const Numbers& of,
                                          std::size_t most) {
  const CoveredRows rows = covered(records, of);
  const auto from = [&](double share) {
    const double best = evaluate(measure_, records[of[0]].table);
    Numbers numbers;
    for (std::size_t i = 0; i < of.size(); ++i) {
      const double value = evaluate(measure_, records[of[i]].table);
      if (i == 0 || value >= best - (1 - share) * std::abs(best)) numbers.push_back(i);
    }
    return order_by_news(rows, numbers, {most, most_similar_}, rows_.pool());
  };
  NewsOrder order = from(first_share);
  NewsOrder other = from(least_first_share);
  if (other.early > clearly_more * order.early) order = std::move(other);
  std::vector<ListLine> lines;
  std::vector<bool> is_line(of.size(), false);
  for (const NewsLine& line : order.lines) {
    is_line[line.rule] = true;
    lines.push_back({.record = records[of[line.rule]], .strongest_of = line.strongest_of});
  }
  const auto add_to_its_line = [&](std::size_t i) -> ListLine* {
    const auto line = std::find_if(order.lines.begin(), order.lines.end(), [&](const NewsLine& l) {
      return rows.is_variant(i, l.rule, most_similar_);
    });
    if (is_line[i] || line == order.lines.end()) return nullptr;
    ListLine& its = lines[static_cast<std::size_t>(line - order.lines.begin())];
    add_variant(its, records[of[i]]);
    return &its;
  };
  std::vector<bool> matters(of.size(), false);
  for (const std::size_t i : order.covering) {
    matters[i] = true;
    if (ListLine* const line = add_to_its_line(i)) ++line->that_matter;
  }
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (!matters[i]) add_to_its_line(i);
  }
  separate(lines);
  count_new_rows(lines);
  return lines;
}

void ListLines::count_new_rows(std::vector<ListLine>& lines) {
  if (!rows_.is_whole()) {
    std::vector<Rule> rules;
    Expression before;
    for (const ListLine& line : lines) {
      const Rule& rule = line.record.rule;
      rules.push_back(
          before.empty() ? rule : Rule{both(rule.antecedent, negation(before)), rule.consequent});
      before = before.empty() ? rule.antecedent : either(before, rule.antecedent);
    }
    const auto counts = counted_.resident().count(rules, counted_.options());
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].new_rows = counts[i].table.n_antecedent;
    return;
  }
  std::vector<const Expression*> sides;
  for (const ListLine& line : lines) sides.push_back(&line.record.rule.antecedent);
  const std::vector<RowBits> bits = rows_.cover(sides);
  RowBits before(rows_.words(), 0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::uint64_t fresh = 0;
    for (std::size_t w = 0; w < before.size(); ++w) {
      fresh += static_cast<std::uint64_t>(std::popcount(bits[i][w] & ~before[w]));
      before[w] |= bits[i][w];
    }
    lines[i].new_rows = fresh;
  }
}

void ListLines::separate(std::vector<ListLine>& lines) {
  if (rows_.is_whole() || most_similar_ >= 1) return;
  std::vector<ListLine> kept;
  for (ListLine& line : lines) {
    count_beside(line.record, kept);
    const auto of = std::find_if(kept.begin(), kept.end(), [&](const ListLine& other) {
      return is_variant(line.record, other.record);
    });
    if (of == kept.end()) {
      kept.push_back(std::move(line));
      continue;
    }
    add_variant(*of, line.record);
    add_variants_of(line, *of);
  }
  lines = std::move(kept);
}

namespace {

/// The rules whose counts tell: one covers what both do, the other is the line.
std::array<Rule, 2> rules_to_compare(const Rule& rule, const Rule& line) {
  return {Rule{both(rule.antecedent, line.antecedent), rule.consequent}, line};
}

}  // namespace

bool ListLines::may_be_variant(const RuleRecord& record, const RuleRecord& line) const {
  if (record.rule.consequent != line.rule.consequent) return false;
  const auto own = static_cast<double>(record.table.n_antecedent);
  const auto its = static_cast<double>(line.table.n_antecedent);
  return std::min(own, its) > most_similar_ * std::max(own, its) || variant_inside * own <= its;
}

/// Counts at once what is_variant() asks for, one line after the other.
void ListLines::count_beside(const RuleRecord& record, std::span<const ListLine> lines) {
  std::vector<Rule> rules;
  for (const ListLine& line : lines) {
    if (!may_be_variant(record, line.record)) continue;
    const auto two = rules_to_compare(record.rule, line.record.rule);
    rules.insert(rules.end(), two.begin(), two.end());
  }
  if (!rules.empty()) for_p_.count(rules);
}

/// CoveredRows::is_variant() on all rows, by counts, for rules of one consequent.
bool ListLines::is_variant(const RuleRecord& record, const RuleRecord& line) {
  if (!may_be_variant(record, line)) return false;
  const auto own = static_cast<double>(record.table.n_antecedent);
  const auto its = static_cast<double>(line.table.n_antecedent);
  const auto counts = for_p_.count(rules_to_compare(record.rule, line.rule));
  const auto common = static_cast<double>(counts[0].table.n_antecedent);
  if (common > most_similar_ * (own + its - common)) return true;
  return common >= variant_inside * own &&
         log_productive_p(counts[0].table, counts[1].table) > log_unproductive;
}

}  // namespace atl
