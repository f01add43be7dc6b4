#include "islands/final_rules.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "islands/covered_consequents.hpp"
#include "islands/list_choice.hpp"
#include "islands/refinement.hpp"
#include "islands/widened_counts.hpp"
#include "src/core/error.hpp"
#include "src/eval/counting_options.hpp"

namespace atl {

namespace {

// Where the search has not done so.
void count_widenings(std::vector<RuleRecord>& records, std::span<const Attribute> attributes,
                     const EvaluateOptions& options, Evaluator& evaluator) {
  std::vector<Rule> rules;
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const auto widened = count_widened(rules, attributes, options, evaluator);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].table = widened.counts[i].table;
}

void count_deviations(std::vector<RuleRecord>& records, EvaluateOptions options,
                      Evaluator& evaluator) {
  options.mean->deviations = true;
  std::vector<Rule> rules;
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const std::vector<RuleCounts> counts = count(rules, options, evaluator);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].table.target = counts[i].table.target;
}

// Counts what only rules that are written need.
void complete(std::vector<RuleRecord>& records, std::span<const Attribute> attributes,
              const EvaluateOptions& options, Evaluator& evaluator) {
  if (options.mean) {
    count_deviations(records, options, evaluator);
  } else {
    count_widenings(records, attributes, options, evaluator);
  }
}

// Must find what the search found.
void count_again(std::span<const RuleRecord> records, const EvaluateOptions& options,
                 Evaluator& evaluator) {
  std::vector<Rule> rules;
  rules.reserve(records.size());
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  const std::vector<RuleCounts> counts = count(rules, options, evaluator);
  for (std::size_t i = 0; i < records.size(); ++i) {
    ContingencyTable table = counts[i].table;
    table.n_wider_antecedent = records[i].table.n_wider_antecedent;
    table.n_wider_both = records[i].table.n_wider_both;
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

/// A list that grows batch by batch.
class List {
 public:
  /// @param candidates  best first, in exact codes, counted
  List(std::vector<RuleRecord> candidates, const Experiment& experiment,
       const IslandGrammars& grammars, const ExactRows& exact, const BinEdges& edges,
       const Definitions& definitions)
      : experiment_(experiment),
        grammars_(grammars),
        exact_(exact),
        edges_(edges),
        choice_(experiment, exact.dataset, exact.evaluator, definitions),
        fit_(Climber::fit_to(exact.dataset)),
        candidates_(std::move(candidates)),
        gone_(candidates_.size(), false) {
    // What is no news needs no better bounds.
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!choice_.is_apart(candidates_[i])) continue;
      gone_[i] = true;
      pool_.push_back(candidates_[i]);
    }
  }

  /// @param covering  in exact codes; stay, however alike, without their idle parts
  void begin(std::vector<RuleRecord> covering) {
    if (covering.empty()) return;
    const Refined refined = refine_all(std::move(covering));
    for (const RuleRecord& record : refined.unmoved) first_.insert(record.rule);
    chosen_ = choice_.choose(with_equivalents(), first());
  }

  /// False if there is nothing left to add.
  bool grow() {
    if (chosen_.rules.size() >= experiment_.top) return false;
    const auto batch = choice_.next(candidates_, gone_, chosen_.rules, batch_size());
    if (batch.empty()) return false;
    std::vector<RuleRecord> records;
    for (const std::size_t i : batch) {
      gone_[i] = true;
      records.push_back(candidates_[i]);
    }
    refine_all(std::move(records));
    chosen_ = choice_.choose(with_equivalents(), first());
    return true;
  }

  ListProgress progress() const { return {chosen_.rules.size(), summary_.rules}; }
  const RefinementSummary& summary() const noexcept { return summary_; }
  std::vector<RuleRecord> take() {
    if (summary_.rules == 0) chosen_ = choice_.choose(pool_, {});  // all are definitions
    choice_.put_variants_last(chosen_.rules, best());
    return std::move(chosen_).all();
  }

 private:
  /// More than are missing, as some end at the same rule.
  std::size_t batch_size() const {
    return std::max<std::size_t>(2 * (experiment_.top - chosen_.rules.size()), 8);
  }

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

  /// Those of the pool that stay however alike.
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
    Refined refined = refine(std::move(records), experiment_, grammars_, exact_.dataset,
                             exact_.evaluator, exact_.pool, fit_, edges_);
    pool_.insert(pool_.end(), refined.records.begin(), refined.records.end());
    pool_.insert(pool_.end(), refined.unmoved.begin(), refined.unmoved.end());
    if (refined.whole) keep_whole(refined);
    summary_.rules += refined.summary.rules;
    summary_.improved += refined.summary.improved;
    summary_.added += refined.summary.added;
    summary_.evaluated += refined.summary.evaluated;
    return refined;
  }

  void keep_whole(const Refined& refined) {
    const RuleRecord& record = *refined.whole;
    const auto value = [&](const RuleRecord& r) { return evaluate(choice_.measure(), r.table); };
    if (whole_ && by_measure(value(record), value(*whole_)) >= 0) return;
    whole_ = record;
    shorter_ = refined.shorter;
    pool_.push_back(record);
  }

  const Experiment& experiment_;
  const IslandGrammars& grammars_;
  const ExactRows& exact_;
  const BinEdges& edges_;
  ListChoice choice_;
  std::shared_ptr<const BoundFit> fit_;
  std::vector<RuleRecord> candidates_;
  std::vector<bool> gone_;  // [candidates_]
  std::vector<RuleRecord> pool_;
  std::set<Rule> first_;
  std::optional<RuleRecord> whole_;    // the best so far, with what is idle in it
  std::optional<RuleRecord> shorter_;  // and without
  ChosenRules chosen_;
  RefinementSummary summary_;
};

}  // namespace

std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    const Dataset& dataset, Evaluator& evaluator,
                                    const Definitions& definitions) {
  const std::vector<RuleRecord> records = state.archive.rules();
  const ListChoice choice(experiment, dataset, evaluator, definitions);
  count_again(records, choice.options(), evaluator);
  auto chosen = choice.choose(records, {}).all();
  complete(chosen, dataset.attributes(), choice.options(), evaluator);
  return chosen;
}

std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    const IslandGrammars& grammars, const Dataset& dataset,
                                    Evaluator& evaluator, const ExactRows& exact,
                                    const Definitions& definitions, RefinementSummary& summary,
                                    const std::function<bool(const ListProgress&)>& go_on) {
  std::vector<RuleRecord> candidates = state.archive.rules();
  const EvaluateOptions options = counting_options(experiment, dataset.attributes());
  count_again(candidates, options, evaluator);
  auto covering =
      cover_consequents(candidates, experiment, grammars, dataset, evaluator, exact.pool);
  const auto attributes = exact.dataset.attributes();
  for (auto* const records : {&candidates, &covering}) {
    move_to_exact_codes(*records, dataset.attributes(), attributes);
    count_again(*records, options, exact.evaluator);
  }
  const BinEdges edges = bin_edges(dataset.attributes(), attributes);
  List list(std::move(candidates), experiment, grammars, exact, edges, definitions);
  if (go_on(list.progress())) list.begin(std::move(covering));
  while (go_on(list.progress()) && list.grow()) {
  }
  summary = list.summary();
  auto chosen = list.take();
  complete(chosen, attributes, options, exact.evaluator);
  return chosen;
}

}  // namespace atl
