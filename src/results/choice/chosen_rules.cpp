#include "src/results/choice/chosen_rules.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "src/core/error.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/choice/covered_consequents.hpp"
#include "src/results/choice/news_order.hpp"
#include "src/results/choice/rule_choice.hpp"
#include "src/results/refinement/bound_fits.hpp"
#include "src/results/refinement/counted_rules.hpp"

namespace atl {
namespace {

std::vector<Rule> rules_of(std::span<const RuleRecord> records) {
  std::vector<Rule> rules;
  rules.reserve(records.size());
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  return rules;
}

// Counts records with their generalisations, where the search has not done so.
void count_generalisations(std::vector<RuleRecord>& records, CountedRules& counted) {
  const std::vector<RuleStatistics> counts = counted.count_generalised(rules_of(records));
  for (std::size_t i = 0; i < records.size(); ++i) records[i].table = counts[i].table;
}

void count_deviations(std::vector<RuleRecord>& records, CountingOptions options,
                      Resident& resident) {
  options.mean->deviations = true;
  const std::vector<RuleStatistics> counts = resident.count(rules_of(records), options);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].table.target = counts[i].table.target;
}

// Counts what only rules that are written need.
void complete(std::vector<RuleRecord>& records, CountedRules& counted) {
  if (counted.options().mean) {
    count_deviations(records, counted.options(), counted.resident());
  } else {
    count_generalisations(records, counted);
  }
}

// Must find what the search found.
void count_again(std::span<const RuleRecord> records, const CountingOptions& options,
                 Resident& resident) {
  const std::vector<RuleStatistics> counts = resident.count(rules_of(records), options);
  for (std::size_t i = 0; i < records.size(); ++i) {
    ContingencyTable table = counts[i].table;
    table.n_general_antecedent = records[i].table.n_general_antecedent;
    table.n_general_both = records[i].table.n_general_both;
    if (table != records[i].table) {
      throw InternalError("a rule of the archive has other counts when counted again");
    }
  }
}

void move_to_exact_codes(std::vector<RuleRecord>& records, std::span<const Attribute> binned,
                         std::span<const Attribute> exact) {
  for (RuleRecord& record : records) {
    record.rule = in_exact_codes(record.rule, binned, exact);
    for (Rule& rule : record.equivalents) rule = in_exact_codes(rule, binned, exact);
  }
}

/// Asked every now and then.
using GoOn = std::function<bool(const ChoiceProgress&)>;

/// Refined between two questions whether to go on.
constexpr std::size_t most_at_once = 256;

/// A list that grows batch by batch.
class List {
 public:
  /// @param candidates  best first, in exact codes, counted
  List(std::vector<RuleRecord> candidates, const Experiment& experiment, Refinement& refinement,
       CountedRules& counted, const Definitions& definitions, const GoOn& go_on)
      : experiment_(experiment),
        refinement_(refinement),
        go_on_(go_on),
        choice_(experiment, counted, definitions),
        candidates_(std::move(candidates)),
        gone_(candidates_.size(), false) {
    // A rule that is no news needs no better bounds.
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!choice_.is_apart(candidates_[i])) continue;
      gone_[i] = true;
      put_in_pool(candidates_[i]);
    }
  }

  /// @param covering  in exact codes; stay, however alike, without their idle parts
  ChosenRules make(AimedRules aimed, const Dataset& dataset, ThreadPool& threads) {
    ChosenRules made;
    for (const RuleRecord& record : refinement_.shorten(aimed.front)) put_in_pool(record);
    std::vector<RuleRecord> covering = std::move(aimed.covering);
    made.complete = begin(std::move(covering));
    while (made.complete && chosen_.rules.size() < experiment_.top) {
      const auto batch = choice_.next(candidates_, gone_, chosen_.rules, batch_size());
      if (batch.empty()) break;
      made.complete = add(batch);
    }
    if (!made.complete) {  // the rest is what was found, as it is
      chosen_ = choice_.choose(all(), first());
    } else if (chosen_.rules.size() < experiment_.top) {
      const std::size_t distinct = choice_.distinct(all());
      made.alike = distinct - std::min(distinct, chosen_.rules.size());
    }
    if (!aimed.front.empty() && std::getenv("NEWS_OFF") == nullptr) {
      order(dataset, threads);
    } else {
      choice_.put_variants_last(chosen_.rules, best());
    }
    made.rules = std::move(chosen_).all();
    made.refinement = summary_;
    return made;
  }

 private:
  void order(const Dataset& dataset, ThreadPool& threads) {
    const std::vector<RuleRecord> left = choice_.without_redundant(pool_, best());
    std::map<Expression, std::vector<RuleRecord>> groups;
    std::vector<Expression> sequence;
    for (const RuleRecord& record : left) {
      if (groups.find(record.rule.consequent) == groups.end()) sequence.push_back(record.rule.consequent);
      groups[record.rule.consequent].push_back(record);
    }
    const AntecedentRows rows(dataset, threads);
    std::vector<std::vector<NewsLine>> lines;
    for (const Expression& c : sequence) {
      const auto& records = groups[c];
      NewsTask task{.records = records, .measure = choice_.measure(), .most_similar = experiment_.max_similarity, .top = experiment_.top};
      lines.push_back(order_by_news(task, rows, dataset.attributes(), threads));
    }
    std::vector<RuleRecord> rules, variants;
    for (std::size_t k = 0; k < experiment_.top; ++k) {
      for (std::size_t g = 0; g < lines.size() && rules.size() < experiment_.top; ++g) {
        if (k >= lines[g].size()) continue;
        const auto& records = groups[sequence[g]];
        rules.push_back(records[lines[g][k].rule]);
        rules.back().kind = RuleKind::rule;
        for (const std::size_t v : lines[g][k].variants) {
          variants.push_back(records[v]);
          variants.back().kind = RuleKind::variant;
        }
      }
    }
    if (variants.size() > experiment_.top) variants.resize(experiment_.top);
    rules.insert(rules.end(), variants.begin(), variants.end());
    chosen_.rules = std::move(rules);
  }

  bool begin(std::vector<RuleRecord> covering) {
    if (!go_on()) return false;
    if (!covering.empty()) {
      const std::size_t to_stay = covering.size();
      // The best is not to go because a rule of the covering is like it.
      const auto best = std::find(gone_.begin(), gone_.end(), false);
      if (best != gone_.end()) {
        *best = true;
        covering.push_back(candidates_[static_cast<std::size_t>(best - gone_.begin())]);
      }
      const Refined refined = refine_all(std::move(covering));
      const auto stay = std::span(refined.unmoved).first(std::min(to_stay, refined.unmoved.size()));
      for (const RuleRecord& record : stay) first_.insert(record.rule);
    }
    chosen_ = choice_.choose(with_equivalents(), first());
    return true;
  }

  /// False: not to go on.
  bool add(std::span<const std::size_t> batch) {
    bool going = true;
    for (std::size_t from = 0; from < batch.size() && (going = go_on()); from += most_at_once) {
      std::vector<RuleRecord> records;
      for (const std::size_t i : batch.subspan(from, std::min(most_at_once, batch.size() - from))) {
        gone_[i] = true;
        records.push_back(candidates_[i]);
      }
      refine_all(std::move(records));
    }
    chosen_ = choice_.choose(with_equivalents(), first());
    return going;
  }

  bool go_on() const { return go_on_({chosen_.rules.size(), summary_.rules}); }

  /// More than are missing, as some end at the same rule, and no few, as each choice takes time.
  std::size_t batch_size() const { return 2 * experiment_.top; }

  /// The pool, and candidates that may cover the same rows as one of it: they may say so in fewer
  /// words.
  std::vector<RuleRecord> with_equivalents() const {
    std::vector<RuleRecord> all = pool_;
    const auto counts = [](const RuleRecord& record) {
      return std::tuple(record.table.n_antecedent, record.table.n_consequent, record.table.n_both);
    };
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> known;
    for (const RuleRecord& record : pool_) known.insert(counts(record));
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!gone_[i] && known.count(counts(candidates_[i])) != 0) all.push_back(candidates_[i]);
    }
    return all;
  }

  /// The pool and all other candidates.
  std::vector<RuleRecord> all() const {
    std::vector<RuleRecord> all = pool_;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!gone_[i]) all.push_back(candidates_[i]);
    }
    return all;
  }

  /// The rules of the pool that stay however alike.
  std::set<Rule> first() const {
    std::set<Rule> all = best();
    all.insert(first_.begin(), first_.end());
    return all;
  }

  std::set<Rule> best() const {
    std::set<Rule> best;
    if (whole_) best.insert(whole_->rule);
    if (shorter_) best.insert(shorter_->rule);
    return best;
  }

  Refined refine_all(std::vector<RuleRecord> records) {
    Refined refined = refinement_.refine(std::move(records));
    for (const RuleRecord& record : refined.records) put_in_pool(record);
    for (const RuleRecord& record : refined.unmoved) put_in_pool(record);
    if (refined.whole) keep_whole(refined);
    summary_.rules += refined.summary.rules;
    summary_.improved += refined.summary.improved;
    summary_.added += refined.summary.added;
    summary_.evaluated += refined.summary.evaluated;
    return refined;
  }

  /// Keeps the best whole rule, or what is left of it without idle parts if that is as good.
  void keep_whole(const Refined& refined) {
    const auto goes_first = [&](const RuleRecord& a, const RuleRecord& b) {
      return by_measure(evaluate(choice_.measure(), a.table),
                        evaluate(choice_.measure(), b.table)) < 0;
    };
    const bool is_shorter_best = refined.shorter && !goes_first(*refined.whole, *refined.shorter);
    const RuleRecord& best = is_shorter_best ? *refined.shorter : *refined.whole;
    if (whole_ && !goes_first(best, *whole_)) return;
    whole_ = best;
    shorter_ = is_shorter_best ? std::nullopt : refined.shorter;
    put_in_pool(best);
  }

  /// Puts a record in the pool. The first find of a rule stays.
  void put_in_pool(const RuleRecord& record) {
    const auto found = [](const RuleRecord& r) { return std::tie(r.generation, r.island); };
    const auto [place, is_new] = places_.try_emplace(record.rule, pool_.size());
    if (is_new) {
      pool_.push_back(record);
    } else if (found(record) < found(pool_[place->second])) {
      pool_[place->second] = record;
    }
  }

  const Experiment& experiment_;
  Refinement& refinement_;
  const GoOn& go_on_;
  RuleChoice choice_;
  std::vector<RuleRecord> candidates_;
  std::vector<bool> gone_;                                  // [candidates_]
  std::vector<RuleRecord> pool_;                            // of distinct rules
  std::unordered_map<Rule, std::size_t, RuleHash> places_;  // in it
  std::set<Rule> first_;
  std::optional<RuleRecord> whole_;    // the best so far, with what is idle in it
  std::optional<RuleRecord> shorter_;  // and without
  RulesAndDefinitions chosen_;
  RefinementSummary summary_;
};

}  // namespace

ChosenRules choose_rules(const Archive& archive, const Experiment& experiment, Resident& resident,
                         const Definitions& definitions) {
  const std::vector<RuleRecord> records = archive.rules();
  CountedRules counted(resident, counting_options(experiment, resident.dataset().attributes()));
  count_again(records, counted.options(), resident);
  RuleChoice choice(experiment, counted, definitions);
  RulesAndDefinitions chosen = choice.choose(records, {});
  ChosenRules made;
  if (chosen.rules.size() < experiment.top) {
    made.alike = choice.distinct(records) - chosen.rules.size();
  }
  made.rules = std::move(chosen).all();
  complete(made.rules, counted);
  return made;
}

ChosenRules choose_rules(const Archive& archive, const Experiment& experiment,
                         const IslandGrammars& grammars, Resident& resident, const ExactRows& exact,
                         const Definitions& definitions, const GoOn& go_on) {
  const auto searched = resident.dataset().attributes();
  std::vector<RuleRecord> candidates = archive.rules();
  const CountingOptions options = counting_options(experiment, searched);
  count_again(candidates, options, resident);
  AimedRules aimed = cover_consequents(candidates, experiment, grammars, resident, exact.pool);
  const auto attributes = exact.resident.dataset().attributes();
  if (&exact.resident != &resident) {
    for (auto* const records : {&candidates, &aimed.covering, &aimed.front}) {
      move_to_exact_codes(*records, searched, attributes);
      count_again(*records, options, exact.resident);
    }
  }
  const BinEdges edges = bin_edges(searched, attributes);
  CountedRules counted(exact.resident, options);
  Refinement refinement(experiment, grammars, exact.pool, edges, counted);
  ChosenRules made =
      List(std::move(candidates), experiment, refinement, counted, definitions, go_on)
          .make(std::move(aimed), exact.resident.dataset(), exact.pool);
  complete(made.rules, counted);
  return made;
}

}  // namespace atl
