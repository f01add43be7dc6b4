// Length by length, and for each length depth first over antecedents as rows in common (Zaki 2000,
// vertical mining), with bounds on the leverage of all rules below (rule_walk.cpp).
//
// Threshold. That of one length is the k-th best leverage of the classes that are kept among all
// shorter rules. Those stay kept whatever comes later (RuleClasses), so the final k-th best is at
// least as good, and nothing below the threshold is among the k best or as good as the k-th. Nor is
// it needed to judge those that are: only rules of at least their leverage decide on them. For the
// first length it is 1, that is, any leverage above 0.
#include "src/exhaustive/rules/enumerate.hpp"

#include <utility>

#include "src/core/communicator.hpp"
#include "src/exhaustive/rules/space.hpp"

namespace atl {

std::vector<Item> consequents(const Items& items, const RuleLimits& limits) {
  std::vector<Item> allowed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto item = static_cast<Item>(i);
    if (!items.is_concluded(item)) continue;
    const double share = static_cast<double>(items.count(item)) / static_cast<double>(items.rows());
    if (share <= limits.max_consequent && items.count(item) < items.rows()) allowed.push_back(item);
  }
  return allowed;
}

EnumeratedRules::EnumeratedRules(const Items& items, const RuleLimits& limits, std::size_t top)
    : items_(items), limits_(limits), classes_(items, top) {
  mined_.counted = space_size(items, 2);  // all pairs
  found_.evaluated = items.size() * items.size();
}

WalkedLength EnumeratedRules::length() const {
  return {comparisons_ - 1, classes_.threshold()};
}

void EnumeratedRules::add(WalkFindings found) {
  found_.rules.insert(found_.rules.end(), found.rules.begin(), found.rules.end());
  found_.evaluated += found.evaluated;
  found_.counted += found.counted;
  found_.complete = found_.complete && found.complete;
}

bool EnumeratedRules::next_length() {
  classes_.add(std::move(found_.rules));
  mined_.evaluated += found_.evaluated;
  mined_.counted += found_.counted;
  mined_.by_length.push_back(found_.evaluated);
  mined_.complete = found_.complete;
  found_ = {};
  ++comparisons_;
  return mined_.complete && comparisons_ <= limits_.max_length;
}

MinedRules EnumeratedRules::mined() const {
  MinedRules mined = mined_;
  mined.rules = classes_.best();
  return mined;
}

void EnumeratedRules::save(ByteWriter& out) const {
  out.put(comparisons_);
  out.put_all(std::span<const std::uint64_t>(mined_.by_length));
  out.put(mined_.evaluated);
  out.put(mined_.counted);
  out.put(found_.evaluated);
  out.put(found_.counted);
  put(out, classes_.standing());
  put(out, found_.rules);
}

void EnumeratedRules::load(ByteReader& in) {
  comparisons_ = in.get<std::uint32_t>();
  require_bytes(comparisons_ >= 2 && comparisons_ <= limits_.max_length, "no length");
  mined_.by_length = in.get_all<std::uint64_t>();
  mined_.evaluated = in.get<std::uint64_t>();
  mined_.counted = in.get<std::uint64_t>();
  found_.evaluated = in.get<std::uint64_t>();
  found_.counted = in.get<std::uint64_t>();
  classes_.take_up(get_rules(in, items_));
  found_.rules = get_rules(in, items_);
}

MinedRules enumerate_rules(const Items& items, const RuleLimits& limits, std::size_t top,
                           ThreadPool& pool, std::uint64_t most) {
  LocalCommunicator alone;
  const WalkedSpace space(items, limits, pool, alone);
  const std::vector<WalkRange> all = {{{}, 0, static_cast<Item>(items.size())}};
  EnumeratedRules rules(items, limits, top);
  do {
    rules.add(walk(space, rules.length(), all, pool, {}, nullptr, most));
  } while (rules.next_length());
  return rules.mined();
}

void put(ByteWriter& out, const std::vector<CountedRule>& rules) {
  out.put(std::uint64_t{rules.size()});
  for (const CountedRule& counted : rules) {
    out.put(counted.rule.size);
    for (const Item item : counted.rule.antecedent()) out.put(item);
    out.put(counted.rule.consequent);
    out.put(counted.n_antecedent);
    out.put(counted.n_both);
    put(out, counted.coverage);
  }
}

std::vector<CountedRule> get_rules(ByteReader& in, const Items& items) {
  constexpr std::size_t least_bytes = 1 + 2 * sizeof(Item) + 2 * 4 + 16;
  std::vector<CountedRule> rules(in.get_count(least_bytes));
  for (CountedRule& counted : rules) {
    ItemRule& rule = counted.rule;
    rule.size = in.get<std::uint8_t>();
    require_bytes(rule.size >= 1 && rule.size < most_comparisons, "no size of an antecedent");
    for (std::size_t i = 0; i < rule.size; ++i) {
      rule.items[i] = in.get<Item>();
      require_bytes(rule.items[i] < items.size() && (i == 0 || rule.items[i] > rule.items[i - 1]),
                    "no antecedent");
    }
    rule.consequent = in.get<Item>();
    counted.n_antecedent = in.get<std::uint32_t>();
    counted.n_both = in.get<std::uint32_t>();
    counted.coverage = get_hash(in);
    require_bytes(rule.consequent < items.size() && counted.n_both <= counted.n_antecedent &&
                      counted.n_antecedent <= items.rows() &&
                      counted.n_both <= items.count(rule.consequent),
                  "no counts of a rule");
  }
  return rules;
}

}  // namespace atl
