#include "src/results/choice/redundancy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>

#include "src/measures/measures.hpp"
#include "src/results/archive/archive.hpp"

namespace atl {

namespace {

// Less than this of a rule's leverage, and of what it could be, is not worth a rule of its own.
constexpr double own_share = 0.5;

// Do they name the same attributes?
bool about_the_same(const Expression& a, const Expression& b) {
  const auto names = [](const Expression& one, const Expression& other) {
    const auto of_other = other.comparisons();
    return std::all_of(one.comparisons().begin(), one.comparisons().end(), [&](const auto& c) {
      return std::any_of(of_other.begin(), of_other.end(),
                         [&](const auto& d) { return c.attribute == d.attribute; });
    });
  };
  return names(a, b) && names(b, a);
}

/// Counts of some rows.
struct Rows {
  Rows(std::uint64_t all, std::uint64_t of_antecedent, std::uint64_t of_consequent,
       std::uint64_t of_both)
      : n(static_cast<double>(all)),
        antecedent(static_cast<double>(of_antecedent)),
        expected(all == 0 ? 0 : antecedent * static_cast<double>(of_consequent) / n),
        both(static_cast<double>(of_both)) {}

  /// Rows of both sides beyond those to be expected: n times the leverage.
  double excess() const { return both - expected; }
  /// The excess that there would be if the consequent held on all of the antecedent's.
  double most() const { return antecedent - expected; }

  double n, antecedent, expected, both;
};

/// A rule's rows where another antecedent holds, and where it does not.
struct Strata {
  /// @param given   the other antecedent implies the rule's consequent
  /// @param inside  both antecedents imply it
  Strata(const ContingencyTable& rule, const ContingencyTable& given,
         const ContingencyTable& inside)
      : all{Rows(given.n_antecedent, inside.n_antecedent, given.n_both, inside.n_both),
            Rows(rule.n - given.n_antecedent, rule.n_antecedent - inside.n_antecedent,
                 rule.n_consequent - given.n_both, rule.n_both - inside.n_both)} {}

  double excess() const { return all[0].excess() + all[1].excess(); }
  double most() const { return all[0].most() + all[1].most(); }
  /// Is the rule's antecedent more frequent where the other one holds?
  bool leans_in() const { return all[0].antecedent * all[1].n > all[1].antecedent * all[0].n; }

  std::array<Rows, 2> all;
};

// A bit for each attribute of the antecedent, modulo 64: a quick way to see that one antecedent
// has an attribute which another has not.
std::uint64_t attribute_mask(const Expression& antecedent) {
  std::uint64_t mask = 0;
  for (const Comparison& c : antecedent.comparisons()) mask |= std::uint64_t{1} << c.attribute % 64;
  return mask;
}

bool at_least(Measure measure, const ContingencyTable& a, const ContingencyTable& b) {
  return by_measure(evaluate(measure, a), evaluate(measure, b)) <= 0;
}

/// Does the wider of two conjunctions of as many comparisons cover nothing more of the consequent?
bool is_wide_for_nothing(const RuleRecord& wide, const RuleRecord& narrow,
                         std::span<const Attribute> attributes) {
  return wide.table.target.side == TargetMoments::Side::none &&
         wide.table.n_both == narrow.table.n_both &&
         wide.table.n_antecedent > narrow.table.n_antecedent &&
         wide.rule.antecedent.comparisons().size() == narrow.rule.antecedent.comparisons().size() &&
         generalises(wide.rule.antecedent, narrow.rule.antecedent, attributes);
}

std::vector<std::size_t> positions(std::size_t count) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// One record for each coverage, in the order of the first that had it.
std::vector<RuleRecord> merge_equivalents(std::span<const RuleRecord> records,
                                          std::span<const RuleStatistics> counts) {
  const auto coverage = [&](std::size_t i) {
    const RuleStatistics& c = counts[i];
    return std::tie(c.coverage_hash, c.table.n, c.table.n_antecedent, c.table.n_consequent,
                    c.table.n_both);
  };
  auto order = positions(records.size());
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(coverage(a), a) < std::tuple(coverage(b), b);
  });

  std::vector<std::pair<std::size_t, RuleRecord>> merged;  // first place, record
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(begin, order.end(),
                                  [&](std::size_t i) { return coverage(i) != coverage(*begin); });
    const std::size_t place = *begin;
    // The rules' order begins with the number of comparisons.
    std::sort(begin, end, [&](std::size_t a, std::size_t b) {
      return (records[a].rule <=> records[b].rule) < 0;
    });
    RuleRecord record = records[*begin];
    for (auto i = begin + 1; i != end; ++i) {
      const RuleRecord& other = records[*i];
      record.equivalents.push_back(other.rule);
      record.equivalents.insert(record.equivalents.end(), other.equivalents.begin(),
                                other.equivalents.end());
    }
    auto& all = record.equivalents;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::erase(all, record.rule);
    merged.emplace_back(place, std::move(record));
    begin = end;
  }
  std::sort(merged.begin(), merged.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<RuleRecord> result;
  result.reserve(merged.size());
  for (auto& [place, record] : merged) result.push_back(std::move(record));
  return result;
}

// Marks conjunctions that a more general rule makes superfluous.
std::vector<bool> superfluous(std::span<const RuleRecord> records,
                              std::span<const Attribute> attributes) {
  std::vector<bool> dropped(records.size(), false);
  // Rules of one consequent stand together, the more general ones first.
  auto order = positions(records.size());
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto c = records[a].rule.consequent <=> records[b].rule.consequent;
    return c != 0 ? c < 0 : (records[a].rule.antecedent <=> records[b].rule.antecedent) < 0;
  });
  std::vector<std::uint64_t> masks;
  masks.reserve(records.size());
  for (const RuleRecord& record : records) masks.push_back(attribute_mask(record.rule.antecedent));

  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(begin, order.end(), [&](std::size_t i) {
      return records[i].rule.consequent != records[*begin].rule.consequent;
    });
    for (auto special = begin; special != end; ++special) {
      const RuleRecord& s = records[*special];
      if (!s.rule.antecedent.is_conjunction()) continue;
      const bool of_mean = s.table.target.side != TargetMoments::Side::none;
      const Measure purity = of_mean ? Measure::effect_size : Measure::confidence;
      const Measure gain = of_mean ? Measure::impact : Measure::leverage;
      dropped[*special] = std::any_of(begin, end, [&](std::size_t general) {
        const RuleRecord& g = records[general];
        if ((masks[general] & ~masks[*special]) != 0 || !g.rule.antecedent.is_conjunction()) {
          return false;
        }
        return (generalises(g.rule.antecedent, s.rule.antecedent, attributes) &&
                at_least(purity, g.table, s.table) && at_least(gain, g.table, s.table)) ||
               is_wide_for_nothing(s, g, attributes);
      });
    }
    begin = end;
  }
  return dropped;
}

}  // namespace

Definitions::Definitions(Dependences dependences, DefinitionChoice choice,
                         std::span<const std::uint32_t> targets)
    : dependences_(std::move(dependences)),
      choice_(choice),
      targets_(targets.begin(), targets.end()) {
  std::sort(targets_.begin(), targets_.end());
}

bool Definitions::is_target(std::uint32_t attribute) const noexcept {
  return std::binary_search(targets_.begin(), targets_.end(), attribute);
}

bool Definitions::tells(const Expression& antecedent, std::uint32_t consequent,
                        std::span<const Attribute> attributes) const {
  const auto comparisons = antecedent.comparisons();
  const auto tells_presence = [&](const Comparison& c) {
    return asks_presence(c, attributes[c.attribute]) &&
           dependences_.missing_together(c.attribute, consequent);
  };
  if (!antecedent.is_conjunction()) {
    return std::all_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
      if (asks_presence(c, attributes[c.attribute])) return tells_presence(c);
      return dependences_.relates({&c.attribute, 1}, consequent);
    });
  }
  if (std::any_of(comparisons.begin(), comparisons.end(), tells_presence)) return true;
  std::vector<std::uint32_t> named;
  for (const Comparison& c : comparisons)
    if (!asks_presence(c, attributes[c.attribute])) named.push_back(c.attribute);
  if (dependences_.relates(named, consequent)) return true;
  // One that is set tells that the others of its group are not.
  const AttributeGroup* const group = dependences_.one_hot_of(consequent);
  return group != nullptr &&
         std::any_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
           return dependences_.one_hot_of(c.attribute) == group && takes(c, 1) && !takes(c, 0);
         });
}

bool Definitions::is_definition(const Rule& rule, std::span<const Attribute> attributes) const {
  const auto concluded = rule.consequent.comparisons();
  return !concluded.empty() && !rule.antecedent.empty() &&
         std::all_of(concluded.begin(), concluded.end(), [&](const Comparison& c) {
           return !is_target(c.attribute) && tells(rule.antecedent, c.attribute, attributes);
         });
}

AttributeGroup Definitions::telling(std::uint32_t consequent) const {
  if (choice_ == DefinitionChoice::include || is_target(consequent)) return {};
  return dependences_.telling(consequent);
}

const RuleRecord* confounder(const RuleRecord& rule, std::span<const RuleRecord> better,
                             CountedRules& counted) {
  const ContingencyTable& table = rule.table;
  const double excess =
      Rows(table.n, table.n_antecedent, table.n_consequent, table.n_both).excess();
  if (counted.options().mean || excess <= 0) return nullptr;
  const Expression& conclusion = rule.rule.consequent;
  std::vector<Rule> rules;
  std::vector<const RuleRecord*> asked;
  for (const RuleRecord& b : better) {
    if (!about_the_same(conclusion, b.rule.consequent)) continue;
    asked.push_back(&b);
    rules.push_back({b.rule.antecedent, conclusion});
    rules.push_back({both(b.rule.antecedent, rule.rule.antecedent), conclusion});
    rules.push_back({b.rule.consequent, conclusion});
  }
  const std::vector<RuleStatistics> counts = counted.count(rules);
  const double lift = evaluate(Measure::lift, table);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Strata strata(table, counts[3 * i].table, counts[3 * i + 1].table);
    const bool exclusive = counts[3 * i + 2].table.n_both == 0;
    if (exclusive && (strata.leans_in() || lift > evaluate(Measure::lift, asked[i]->table))) {
      continue;
    }
    if (strata.excess() < own_share * excess && strata.excess() < own_share * strata.most()) {
      return asked[i];
    }
  }
  return nullptr;
}

bool generalises(const Expression& general, const Expression& special,
                 std::span<const Attribute> attributes) {
  const auto wide = general.comparisons();
  const auto narrow = special.comparisons();
  if (wide.size() > narrow.size() || general == special) return false;
  return std::all_of(wide.begin(), wide.end(), [&](const Comparison& w) {
    return std::any_of(narrow.begin(), narrow.end(), [&](const Comparison& n) {
      return n.attribute == w.attribute && implies(n, w, attributes[w.attribute].distinct());
    });
  });
}

bool implies(const Comparison& narrow, const Comparison& wide, std::uint32_t distinct) noexcept {
  if (asks_missing(narrow)) return asks_missing(wide);
  const bool inside = wide.low <= narrow.low && narrow.high <= wide.high;
  const bool apart = narrow.high < wide.low || wide.high < narrow.low;
  const bool covers = narrow.low <= wide.low && wide.high <= narrow.high;
  if (!narrow.negated) return wide.negated ? apart : inside;
  return wide.negated ? covers : wide.low == 0 && wide.high + 1 >= distinct;
}

std::vector<RuleRecord> remove_redundant(std::span<const RuleRecord> records,
                                         std::span<const RuleStatistics> counts,
                                         std::span<const Attribute> attributes,
                                         const std::set<Rule>& stay) {
  auto merged = merge_equivalents(records, counts);
  const auto dropped = superfluous(merged, attributes);
  std::vector<RuleRecord> kept;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (dropped[i] && !has_one_of(merged[i], stay)) continue;
    if (dropped[i]) merged[i].kind = RuleKind::variant;
    kept.push_back(std::move(merged[i]));
  }
  return kept;
}

bool has_one_of(const RuleRecord& record, const std::set<Rule>& rules) {
  const auto is_in = [&](const Rule& rule) { return rules.count(rule) != 0; };
  return is_in(record.rule) ||
         std::any_of(record.equivalents.begin(), record.equivalents.end(), is_in);
}

}  // namespace atl
