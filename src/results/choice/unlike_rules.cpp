#include "src/results/choice/unlike_rules.hpp"

#include <algorithm>
#include <utility>

#include "src/measures/measures.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {
namespace {

Coverage reversed(const Coverage& coverage) {
  Coverage made = coverage;
  const auto middle = static_cast<std::ptrdiff_t>(made.words.size() / 2);
  std::rotate(made.words.begin(), made.words.begin() + middle, made.words.end());
  std::swap(made.rows[0], made.rows[1]);
  return made;
}

/// Rows on which both sides hold.
std::vector<std::uint64_t> both_sides(const Coverage& coverage) {
  const std::size_t words = coverage.words.size() / 2;
  std::vector<std::uint64_t> both(words);
  for (std::size_t w = 0; w < words; ++w) both[w] = coverage.words[w] & coverage.words[words + w];
  return both;
}

/// Is more than half of the one's rows the other's?
bool overlap(const Coverage& a, const Coverage& b) {
  const auto own = both_sides(a);
  const auto its = both_sides(b);
  const auto rows = [](const auto& x, const auto& y) {
    return common_bits(x.data(), y.data(), x.size());
  };
  return 2 * rows(own, its) > std::min(rows(own, own), rows(its, its));
}

bool one_implies_the_other(const Expression& a, const Expression& b,
                           std::span<const Attribute> attributes) {
  if (a.comparisons().size() != 1 || b.comparisons().size() != 1) return false;
  const Comparison& x = a.comparisons()[0];
  const Comparison& y = b.comparisons()[0];
  if (x.attribute != y.attribute || !a.is_conjunction() || !b.is_conjunction()) return false;
  const std::uint32_t distinct = attributes[x.attribute].distinct();
  return implies(x, y, distinct) || implies(y, x, distinct);
}

}  // namespace

const RuleProfile& RuleShapes::of(const Rule& rule) {
  const auto known = known_.find(rule);
  return known != known_.end() ? known->second : known_.emplace(rule, shape(rule)).first->second;
}

RuleProfile RuleShapes::shape(const Rule& rule) const {
  RuleProfile made;
  sample_.cover(rule, made.coverage);
  const auto conclusions = rule.consequent.comparisons();
  made.bounds = std::all_of(conclusions.begin(), conclusions.end(), [&](const Comparison& c) {
    return attributes_[c.attribute].ordered();
  });
  made.attributes = {attributes_of(rule.antecedent), attributes_of(rule.consequent)};
  if (made.bounds) {
    made.mirror = made.coverage;
    mirror(made.mirror, sample_.rows());
  }
  return made;
}

std::set<std::uint32_t> RuleShapes::attributes_of(const Expression& side) const {
  std::set<std::uint32_t> named;
  for (const Comparison& c : side.comparisons()) named.insert(dependences_.first_copy(c.attribute));
  return named;
}

UnlikeRules::UnlikeRules(RuleShapes& shapes, double most_similar, SaysNoMore says_no_more)
    : all_shapes_(shapes), most_similar_(most_similar), says_no_more_(std::move(says_no_more)) {}

bool UnlikeRules::near(const Coverage& a, const Coverage& b) const {
  return similarity(a, b, most_similar_) > 0;
}

bool UnlikeRules::reverses(const RuleProfile& shape, const RuleProfile& other) const {
  return shape.attributes[0] == other.attributes[1] && shape.attributes[1] == other.attributes[0] &&
         near(reversed(shape.coverage), other.coverage);
}

bool UnlikeRules::is_alike(const Rule& rule, const RuleProfile& shape, std::size_t selected) const {
  const Rule& other = records_[selected].rule;
  const RuleProfile& its = *shapes_[selected];
  return near(shape.coverage, its.coverage) ||
         (rule.antecedent == other.antecedent &&
          one_implies_the_other(rule.consequent, other.consequent, all_shapes_.attributes())) ||
         (shape.bounds && shape.attributes == its.attributes &&
          overlap(shape.coverage, its.coverage));
}

bool UnlikeRules::offer(const RuleRecord& record) {
  if (most_similar_ >= 1) {
    take(record, nullptr, false);
    return true;
  }
  const RuleProfile& made = all_shapes_.of(record.rule);
  std::vector<std::size_t> mirrored;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (reverses(made, *shapes_[i])) {
      records_[i].reversed = true;
      return false;
    }
    if (is_alike(record.rule, made, i)) return false;
    if (made.bounds && shapes_[i]->bounds && near(made.coverage, shapes_[i]->mirror)) {
      mirrored.push_back(i);
    }
  }
  const auto lift = [](const RuleRecord& of) { return evaluate(Measure::lift, of.table); };
  for (const std::size_t i : mirrored) {
    if (stays_[i]) return false;
    if (by_measure(lift(records_[i]), lift(record)) <= 0) return false;
  }
  if (says_no_more_ && says_no_more_(record, records_)) return false;
  for (; !mirrored.empty(); mirrored.pop_back()) {
    const auto place = static_cast<std::ptrdiff_t>(mirrored.back());
    records_.erase(records_.begin() + place);
    shapes_.erase(shapes_.begin() + place);
    stays_.erase(stays_.begin() + place);
  }
  take(record, &made, false);
  return true;
}

void UnlikeRules::put(const RuleRecord& record) {
  take(record, most_similar_ < 1 ? &all_shapes_.of(record.rule) : nullptr, true);
}

std::vector<std::size_t> UnlikeRules::like(const RuleRecord& record) {
  if (most_similar_ >= 1) return {};
  const RuleProfile& shape = all_shapes_.of(record.rule);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (reverses(shape, *shapes_[i]) || is_alike(record.rule, shape, i)) positions.push_back(i);
  }
  return positions;
}

void UnlikeRules::take(const RuleRecord& record, const RuleProfile* shape, bool stays) {
  records_.push_back(record);
  shapes_.push_back(shape);
  stays_.push_back(stays);
}

std::vector<RuleRecord> choose_unlike(std::span<const RuleRecord> records,
                                      const std::set<Rule>& first, RuleShapes& shapes,
                                      const UnlikeLimits& limits,
                                      UnlikeRules::SaysNoMore says_no_more) {
  UnlikeRules selection(shapes, limits.most_similar, std::move(says_no_more));
  std::unordered_map<Rule, std::size_t, RuleHash> places;
  std::map<Expression, std::size_t> of_consequent;
  std::vector<bool> taken(records.size(), false);
  for (std::size_t i = 0; i < records.size(); ++i) {
    places.emplace(records[i].rule, i);
    if (!has_one_of(records[i], first) || selection.records().size() == limits.top) continue;
    selection.put(records[i]);
    ++of_consequent[records[i].rule.consequent];
    taken[i] = true;
  }
  for (const bool quota : {true, false}) {
    for (std::size_t i = 0; i < records.size() && selection.records().size() < limits.top; ++i) {
      std::size_t& own = of_consequent[records[i].rule.consequent];
      if (taken[i] || (quota && own >= limits.each)) continue;
      taken[i] = true;
      if (selection.offer(records[i])) ++own;
    }
  }
  std::vector<RuleRecord> selected(selection.records().begin(), selection.records().end());
  std::sort(selected.begin(), selected.end(), [&](const RuleRecord& a, const RuleRecord& b) {
    return places.at(a.rule) < places.at(b.rule);
  });
  return selected;
}

}  // namespace atl
