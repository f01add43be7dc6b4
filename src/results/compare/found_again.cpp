#include "src/results/compare/found_again.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "src/results/compare/overlap.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {
namespace {

constexpr std::size_t most_at_once = 4096;  // pairs of sides that are counted together

/// Tells which sides hold on nearly the same rows. Each pair is counted once.
class SimilarSides {
 public:
  explicit SimilarSides(Resident& resident) : resident_(resident) {}

  /// Its number. Equal sides have one number.
  std::size_t number_of(const Expression& side) {
    const auto [place, is_new] = numbers_.try_emplace(side, sides_.size());
    if (is_new) sides_.push_back(side);
    return place->second;
  }

  using Pair = std::pair<std::size_t, std::size_t>;

  /// Counts these pairs of numbers, unless they are known. They are ordered and differ.
  void compare(const std::vector<Pair>& pairs) {
    count_sides();
    std::vector<Pair> asked;
    const auto flush = [&] {
      std::vector<Rule> rules;
      for (const auto& [a, b] : asked) rules.push_back({sides_[a], sides_[b]});
      const auto counts = resident_.count(rules, CountingOptions{});
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const ContingencyTable& table = counts[i].table;
        similar_[asked[i]] =
            is_similar(table.n_both, table.n_antecedent + table.n_consequent - table.n_both);
      }
      asked.clear();
    };
    for (const Pair& pair : pairs) {
      const auto [less, more] = std::minmax(rows_[pair.first], rows_[pair.second]);
      const auto [place, is_new] = similar_.try_emplace(pair, false);
      if (!is_new || !is_similar(less, more)) continue;
      asked.push_back(pair);
      if (asked.size() == most_at_once) flush();
    }
    flush();
  }

  bool are_similar(std::size_t a, std::size_t b) const {
    return a == b || similar_.at(std::minmax({a, b}));
  }

 private:
  static bool is_similar(std::uint64_t both, std::uint64_t any) {
    return static_cast<double>(both) >= same_find * static_cast<double>(any);
  }

  void count_sides() {
    std::vector<Rule> rules;
    for (std::size_t i = rows_.size(); i < sides_.size(); ++i)
      rules.push_back({sides_[i], sides_[i]});
    for (const RuleStatistics& counts : resident_.count(rules, CountingOptions{}))
      rows_.push_back(counts.table.n_antecedent);
  }

  Resident& resident_;
  std::map<Expression, std::size_t> numbers_;
  std::vector<Expression> sides_;
  std::vector<std::uint64_t> rows_;  // [sides_] on which it holds
  std::map<Pair, bool> similar_;
};

/// A rule by the numbers of its sides.
struct Sides {
  std::size_t antecedent, consequent;
};

/// Finds rules of a list in others.
class Finder {
 public:
  Finder(std::span<const Attribute> attributes, Resident& resident)
      : attributes_(attributes), antecedents_(resident), consequents_(resident) {}

  Sides sides_of(const WrittenRule& rule) {
    const Rule parsed = parse_rule(rule.text, attributes_, "a rule of the run");
    return {antecedents_.number_of(parsed.antecedent), consequents_.number_of(parsed.consequent)};
  }

  /// All of a list, those as found too.
  std::vector<Sides> sides_of(const std::vector<WrittenRule>& list) {
    std::vector<Sides> all;
    for (const WrittenRule& rule : list) {
      all.push_back(sides_of(rule));
      for (const WrittenRule& found : rule.as_found) all.push_back(sides_of(found));
    }
    return all;
  }

  /// [rules] does the list have one that says the same?
  std::vector<bool> find(std::span<const Sides> rules, std::span<const Sides> list) {
    compare(rules, list, &Sides::consequent, consequents_);
    compare(rules, list, &Sides::antecedent, antecedents_);
    std::vector<bool> found;
    for (const Sides& rule : rules) {
      found.push_back(std::any_of(list.begin(), list.end(), [&](const Sides& other) {
        return consequents_.are_similar(rule.consequent, other.consequent) &&
               antecedents_.are_similar(rule.antecedent, other.antecedent);
      }));
    }
    return found;
  }

 private:
  /// Antecedents are compared only where the consequents are similar.
  void compare(std::span<const Sides> rules, std::span<const Sides> list, std::size_t Sides::*side,
               SimilarSides& sides) {
    std::vector<SimilarSides::Pair> pairs;
    for (const Sides& rule : rules) {
      for (const Sides& other : list) {
        if (rule.*side == other.*side) continue;
        if (&sides == &antecedents_ && !consequents_.are_similar(rule.consequent, other.consequent))
          continue;
        pairs.push_back(std::minmax({rule.*side, other.*side}));
      }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    sides.compare(pairs);
  }

  std::span<const Attribute> attributes_;
  SimilarSides antecedents_, consequents_;
};

}  // namespace

void find_again(std::vector<WrittenRule>& rules, std::span<const std::vector<WrittenRule>> others,
                Resident& resident) {
  Finder finder(resident.dataset().attributes(), resident);
  std::vector<Sides> own;
  for (const WrittenRule& rule : rules) own.push_back(finder.sides_of(rule));
  std::vector<std::size_t> times(rules.size(), 0);
  for (const auto& other : others) {
    const std::vector<bool> found = finder.find(own, finder.sides_of(other));
    for (std::size_t i = 0; i < found.size(); ++i) times[i] += found[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules[i].found_again = static_cast<double>(times[i]) / static_cast<double>(others.size());
  }
}

}  // namespace atl
