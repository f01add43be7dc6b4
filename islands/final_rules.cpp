#include "islands/final_rules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "islands/covered_consequents.hpp"
#include "islands/explained.hpp"
#include "islands/redundancy.hpp"
#include "islands/refinement.hpp"
#include "islands/selection.hpp"
#include "islands/steering.hpp"
#include "islands/widened_counts.hpp"
#include "src/core/error.hpp"
#include "src/eval/counting_options.hpp"

namespace atl {

namespace {

auto key(const ContingencyTable& table) {
  return std::tie(table.n, table.n_antecedent, table.n_consequent, table.n_both);
}

// Positions of records whose table another one has, too: only they can cover the same rows.
std::vector<std::size_t> with_equal_tables(std::span<const RuleRecord> records) {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto of_a = key(records[a].table);
    const auto of_b = key(records[b].table);
    return of_a != of_b ? of_a < of_b : a < b;
  });
  std::vector<std::size_t> equal;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto table = key(records[order[i]].table);
    if ((i > 0 && key(records[order[i - 1]].table) == table) ||
        (i + 1 < order.size() && key(records[order[i + 1]].table) == table)) {
      equal.push_back(order[i]);
    }
  }
  return equal;
}

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

/// Best first; of one rule the first find. Of equal value the more confident goes first, as it
/// stands for its reversal, then the shorter.
std::vector<RuleRecord> in_order(std::span<const RuleRecord> records, Measure measure) {
  std::map<Rule, const RuleRecord*> distinct;
  for (const RuleRecord& record : records) {
    const auto [known, is_new] = distinct.emplace(record.rule, &record);
    const auto found = [](const RuleRecord& r) { return std::tie(r.generation, r.island); };
    if (!is_new && found(record) < found(*known->second)) known->second = &record;
  }
  std::vector<RuleRecord> ordered;
  ordered.reserve(distinct.size());
  for (const auto& [rule, record] : distinct) ordered.push_back(*record);
  const auto order = [&](Measure by, const RuleRecord& a, const RuleRecord& b) {
    return by_measure(evaluate(by, a.table), evaluate(by, b.table));
  };
  std::stable_sort(ordered.begin(), ordered.end(), [&](const RuleRecord& a, const RuleRecord& b) {
    if (const auto c = order(measure, a, b); c != 0) return c < 0;
    return order(Measure::confidence, a, b) < 0;
  });
  return ordered;
}

struct Chosen {
  std::vector<RuleRecord> rules, definitions;

  /// Definitions behind the rules.
  std::vector<RuleRecord> all() && {
    rules.insert(rules.end(), definitions.begin(), definitions.end());
    return std::move(rules);
  }
};

/// Chooses from records of one dataset.
class Chooser {
 public:
  Chooser(const Experiment& experiment, const Dataset& dataset, Evaluator& evaluator,
          const Definitions& definitions)
      : experiment_(experiment),
        definitions_(definitions),
        attributes_(dataset.attributes()),
        evaluator_(evaluator),
        measure_(steering_measure(experiment.archive_by, experiment)),
        options_(counting_options(experiment, dataset.attributes())),
        sample_(dataset, CoverageSample::Detail::every_code) {}

  /// Removes redundancy; at most experiment.top of what is left, and as many definitions.
  /// @param first  that stay, however alike
  Chosen choose(std::span<const RuleRecord> records, const std::set<Rule>& first) const {
    const auto ordered = in_order(records, measure_);
    // Of equivalents the shortest stands for all, whose contrast may be another.
    std::vector<RuleRecord> rules, definitions;
    for (RuleRecord& record :
         in_order(remove_redundant(ordered, hashed(ordered), attributes_), measure_)) {
      const bool is_definition = definitions_.is_definition(record.rule);
      record.kind = is_definition ? RuleKind::definition : RuleKind::rule;
      (is_apart(record) ? definitions : rules).push_back(std::move(record));
    }
    Selection::SaysNoMore is_explained;
    if (measure_ == Measure::contrast) {
      is_explained = [&](const RuleRecord& record, std::span<const RuleRecord> better) {
        return explained(record, better, options_, evaluator_);
      };
    }
    const auto select = [&](const std::vector<RuleRecord>& of) {
      return select_unlike(of, first, attributes_, sample_, limits(of), is_explained);
    };
    return {select(rules), select(definitions)};
  }

  /// The first `most` records that are not alike, nor like those chosen. @return their positions
  std::vector<std::size_t> next(std::span<const RuleRecord> records, const std::vector<bool>& gone,
                                std::span<const RuleRecord> chosen, std::size_t most) const {
    Selection selection(attributes_, sample_, experiment_.max_similarity);
    std::map<Expression, std::size_t> of_consequent;
    for (const RuleRecord& record : chosen) {
      selection.put(record);
      ++of_consequent[record.rule.consequent];
    }
    const std::size_t each = limits(records).each;
    std::vector<bool> looked_at = gone;
    std::vector<std::size_t> positions;
    for (const bool quota : {true, false}) {
      for (std::size_t i = 0; i < records.size() && positions.size() < most; ++i) {
        std::size_t& own = of_consequent[records[i].rule.consequent];
        if (looked_at[i] || (quota && own >= each)) continue;
        looked_at[i] = true;
        if (!selection.offer(records[i])) continue;
        positions.push_back(i);
        ++own;
      }
    }
    return positions;
  }

  bool is_apart(const RuleRecord& record) const { return definitions_.keeps_apart(record.rule); }
  Measure measure() const noexcept { return measure_; }
  const EvaluateOptions& options() const noexcept { return options_; }

 private:
  /// Of a target the classes that have rules share the list.
  SelectionLimits limits(std::span<const RuleRecord> records) const {
    SelectionLimits limits{.most_similar = experiment_.max_similarity, .top = experiment_.top};
    if (!experiment_.aim.has_target()) return limits;
    std::set<Expression> consequents;
    for (const RuleRecord& record : records) consequents.insert(record.rule.consequent);
    if (!consequents.empty()) {
      limits.each = (limits.top + consequents.size() - 1) / consequents.size();
    }
    return limits;
  }

  /// Hashes cost a step for every row covered, so they are asked for only where they can matter.
  std::vector<RuleCounts> hashed(std::span<const RuleRecord> records) const {
    const std::vector<std::size_t> equal = with_equal_tables(records);
    std::vector<Rule> rules;
    for (const std::size_t i : equal) rules.push_back(records[i].rule);
    EvaluateOptions options = options_;
    options.coverage_hashes = true;
    std::vector<RuleCounts> counts(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) counts[i].table = records[i].table;
    const std::vector<RuleCounts> hashed = count(rules, options, evaluator_);
    for (std::size_t i = 0; i < equal.size(); ++i) counts[equal[i]] = hashed[i];
    return counts;
  }

  const Experiment& experiment_;
  const Definitions& definitions_;
  std::span<const Attribute> attributes_;
  Evaluator& evaluator_;
  Measure measure_;
  EvaluateOptions options_;
  CoverageSample sample_;
};

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
        chooser_(experiment, exact.dataset, exact.evaluator, definitions),
        fit_(Climber::fit_to(exact.dataset)),
        candidates_(std::move(candidates)),
        gone_(candidates_.size(), false) {
    // What is no news needs no better bounds.
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!chooser_.is_apart(candidates_[i])) continue;
      gone_[i] = true;
      pool_.push_back(candidates_[i]);
    }
  }

  /// @param covering  in exact codes; stay, however alike, without their idle parts
  void begin(std::vector<RuleRecord> covering) {
    if (covering.empty()) return;
    const Refined refined = refine_all(std::move(covering));
    for (const RuleRecord& record : refined.unmoved) first_.insert(record.rule);
    chosen_ = chooser_.choose(with_equivalents(), first());
  }

  /// False if there is nothing left to add.
  bool grow() {
    if (chosen_.rules.size() >= experiment_.top) return false;
    const auto batch = chooser_.next(candidates_, gone_, chosen_.rules, batch_size());
    if (batch.empty()) return false;
    std::vector<RuleRecord> records;
    for (const std::size_t i : batch) {
      gone_[i] = true;
      records.push_back(candidates_[i]);
    }
    refine_all(std::move(records));
    chosen_ = chooser_.choose(with_equivalents(), first());
    return true;
  }

  ListProgress progress() const { return {chosen_.rules.size(), summary_.rules}; }
  const RefinementSummary& summary() const noexcept { return summary_; }
  std::vector<RuleRecord> take() {
    if (summary_.rules == 0) chosen_ = chooser_.choose(pool_, {});  // all are definitions
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
    std::set<Rule> all = first_;
    if (whole_) all.insert(whole_->rule);
    if (shorter_) all.insert(shorter_->rule);
    return all;
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
    const auto value = [&](const RuleRecord& r) { return evaluate(chooser_.measure(), r.table); };
    if (whole_ && by_measure(value(record), value(*whole_)) >= 0) return;
    whole_ = record;
    shorter_ = refined.shorter;
    pool_.push_back(record);
  }

  const Experiment& experiment_;
  const IslandGrammars& grammars_;
  const ExactRows& exact_;
  const BinEdges& edges_;
  Chooser chooser_;
  std::shared_ptr<const BoundFit> fit_;
  std::vector<RuleRecord> candidates_;
  std::vector<bool> gone_;  // [candidates_]
  std::vector<RuleRecord> pool_;
  std::set<Rule> first_;
  std::optional<RuleRecord> whole_;    // the best so far, with what is idle in it
  std::optional<RuleRecord> shorter_;  // and without
  Chosen chosen_;
  RefinementSummary summary_;
};

}  // namespace

std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    const Dataset& dataset, Evaluator& evaluator,
                                    const Definitions& definitions) {
  const std::vector<RuleRecord> records = state.archive.rules();
  const Chooser chooser(experiment, dataset, evaluator, definitions);
  count_again(records, chooser.options(), evaluator);
  auto chosen = chooser.choose(records, {}).all();
  complete(chosen, dataset.attributes(), chooser.options(), evaluator);
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
