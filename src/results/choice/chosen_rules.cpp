#include "src/results/choice/chosen_rules.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/time_line.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/choice/aimed_rules.hpp"
#include "src/results/choice/list_lines.hpp"
#include "src/results/choice/rule_choice.hpp"
#include "src/results/choice/telling_direction.hpp"
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

void complete(ChosenRules& made, CountedRules& counted) {
  complete(made.rules, counted);
  if (!made.as_found) return;
  std::vector<RuleRecord> best = {*made.as_found};
  complete(best, counted);
  made.as_found = best[0];
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

/// With a test more are chosen than are to be written, so that what fails costs none its place.
std::size_t most_lines(const Experiment& experiment) {
  return experiment.significance > 0 ? 4 * std::size_t{experiment.top} : experiment.top;
}

std::set<Rule> set_of(std::span<const RuleRecord> records) {
  std::set<Rule> rules;
  for (const RuleRecord& record : records) rules.insert(record.rule);
  return rules;
}

/// Which variants are written, as line and place in it: those that matter, and then each line's
/// next in turn, as many as there are lines at most.
std::set<std::pair<std::size_t, std::size_t>> written_variants(std::span<const ListLine> lines) {
  std::set<std::pair<std::size_t, std::size_t>> written;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    longest = std::max(longest, lines[i].variants.size());
    for (std::size_t k = 0; k < lines[i].that_matter; ++k) written.emplace(i, k);
  }
  for (std::size_t k = 0; k < longest; ++k) {
    for (std::size_t i = 0; i < lines.size() && written.size() < lines.size(); ++i) {
      if (k < lines[i].variants.size()) written.emplace(i, k);
    }
  }
  return written;
}

/// Lines, and then their variants.
void put(ChosenRules& made, std::vector<ListLine> lines) {
  const auto written = written_variants(lines);
  std::vector<RuleRecord> variants;
  std::vector<ListNote> notes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].record.kind =
        lines[i].record.kind == RuleKind::definition ? RuleKind::definition : RuleKind::rule;
    made.rules.push_back(std::move(lines[i].record));
    made.notes.push_back({.strongest_of = lines[i].strongest_of, .new_rows = lines[i].new_rows});
    for (std::size_t k = 0; k < lines[i].variants.size(); ++k) {
      if (written.count({i, k}) == 0) continue;
      variants.push_back(std::move(lines[i].variants[k]));
      notes.push_back({.variant_of = i});
    }
  }
  made.lines = lines.size();
  made.variants = variants.size();
  made.rules.insert(made.rules.end(), variants.begin(), variants.end());
  made.notes.insert(made.notes.end(), notes.begin(), notes.end());
}

void put_definitions(ChosenRules& made, std::vector<RuleRecord> definitions) {
  made.rules.insert(made.rules.end(), definitions.begin(), definitions.end());
  made.notes.resize(made.rules.size());
}

bool is_line(const ChosenRules& made, const Rule& rule) {
  return std::any_of(made.rules.begin(),
                     made.rules.begin() + static_cast<std::ptrdiff_t>(made.lines),
                     [&](const RuleRecord& record) { return has_one_of(record, {rule}); });
}

/// Asked every now and then.
using GoOn = std::function<bool(const ChoiceProgress&)>;

/// Refined between two questions whether to go on.
constexpr std::size_t most_at_once = 256;

/// A list that grows batch by batch.
class List {
 public:
  /// @param candidates  best first, in exact codes, counted
  List(std::vector<RuleRecord> candidates, const Experiment& experiment,
       const IslandGrammars& grammars, Refinement& refinement, CountedRules& counted,
       ThreadPool& threads, const Definitions& definitions, const GoOn& go_on)
      : experiment_(experiment),
        refinement_(refinement),
        counted_(counted),
        threads_(threads),
        go_on_(go_on),
        choice_(experiment, counted, definitions),
        direction_(experiment, grammars, counted, definitions),
        candidates_(std::move(candidates)),
        gone_(candidates_.size(), false) {
    // A rule that is no news needs no better bounds.
    std::vector<RuleRecord> apart;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!choice_.is_apart(candidates_[i])) continue;
      gone_[i] = true;
      apart.push_back(candidates_[i]);
    }
    put_in_pool(apart);
  }

  /// @param aimed  in exact codes
  ChosenRules make(AimedRules aimed) {
    ChosenRules made;
    const bool by_news = experiment_.order == ListOrder::news && !aimed.front.empty();
    made.complete = begin(std::move(aimed));
    while (made.complete && chosen_.rules.size() < most_lines(experiment_)) {
      const auto batch = choice_.next(candidates_, gone_, chosen_.rules, batch_size());
      if (batch.empty()) break;
      made.complete = add(batch);
    }
    if (!made.complete) {  // the rest is what was found, as it is
      chosen_ = choice_.choose(all(), best(), most_lines(experiment_));
    } else if (chosen_.rules.size() < experiment_.top) {
      const std::size_t distinct = choice_.distinct(all());
      made.alike = distinct - std::min(distinct, chosen_.rules.size());
    }
    const TimedPhase phase("arrangement");
    ListLines arranged(experiment_, counted_, threads_);
    const auto left = choice_.without_redundant(made.complete ? with_equivalents() : all(), best());
    put(made, by_news ? arranged.by_news(left, most_lines(experiment_))
                      : arranged.by_measure(left, set_of(chosen_.rules)));
    put_definitions(made, std::move(chosen_.definitions));
    if (whole_ && !is_line(made, whole_->rule)) made.as_found = whole_;
    made.refinement = summary_;
    return made;
  }

 private:
  bool begin(AimedRules aimed) {
    if (!go_on()) return false;
    put_in_pool(refinement_.shorten(std::move(aimed.front)));
    if (!aimed.covering.empty()) {
      // The best is not to go because a rule of the covering is like it.
      const auto best = std::find(gone_.begin(), gone_.end(), false);
      if (best != gone_.end()) {
        *best = true;
        aimed.covering.push_back(candidates_[static_cast<std::size_t>(best - gone_.begin())]);
      }
      refine_all(std::move(aimed.covering));
    }
    const TimedPhase phase("choice");
    chosen_ = choice_.choose(with_equivalents(), best(), most_lines(experiment_));
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
    const TimedPhase phase("choice");
    chosen_ = choice_.choose(with_equivalents(), best(), most_lines(experiment_));
    return going;
  }

  bool go_on() const { return go_on_({chosen_.rules.size(), summary_.rules}); }

  /// More than are missing, as some end at the same rule, and no few, as each choice takes time.
  std::size_t batch_size() const { return 2 * most_lines(experiment_); }

  /// The pool, and candidates that may cover the same rows as one of it: they may say so in fewer
  /// words.
  std::vector<RuleRecord> with_equivalents() {
    std::vector<RuleRecord> others;
    const auto counts = [](const RuleRecord& record) {
      return std::tuple(record.table.n_antecedent, record.table.n_consequent, record.table.n_both);
    };
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> known;
    for (const RuleRecord& record : pool_) known.insert(counts(record));
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!gone_[i] && known.count(counts(candidates_[i])) != 0) others.push_back(candidates_[i]);
    }
    return with_turned(refinement_.shorten(std::move(others)));
  }

  /// The pool and all other candidates.
  std::vector<RuleRecord> all() {
    std::vector<RuleRecord> others;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!gone_[i]) others.push_back(candidates_[i]);
    }
    return with_turned(std::move(others));
  }

  /// The pool, and others, which no refinement has turned.
  std::vector<RuleRecord> with_turned(std::vector<RuleRecord> others) {
    std::vector<RuleRecord> all = pool_;
    std::unordered_set<Rule, RuleHash> added;
    for (RuleRecord& record : direction_.turned(std::move(others))) {
      if (places_.count(record.rule) == 0 && added.insert(record.rule).second)
        all.push_back(std::move(record));
    }
    return all;
  }

  /// The rule of the pool that is not to go.
  std::set<Rule> best() const {
    std::set<Rule> best;
    if (first_) best.insert(first_->rule);
    return best;
  }

  Refined refine_all(std::vector<RuleRecord> records) {
    Refined refined =
        in_phase("refinement", [&] { return refinement_.refine(std::move(records)); });
    put_in_pool(refined.records);
    put_in_pool(refined.unmoved);
    if (refined.whole) keep_whole(refined);
    summary_.rules += refined.summary.rules;
    summary_.improved += refined.summary.improved;
    summary_.added += refined.summary.added;
    summary_.evaluated += refined.summary.evaluated;
    return refined;
  }

  /// Keeps the best rule as it was found, and what is left of it without idle parts.
  void keep_whole(const Refined& refined) {
    const auto value = [&](const RuleRecord& r) { return evaluate(choice_.measure(), r.table); };
    if (whole_ && by_measure(value(*refined.whole), value(*whole_)) >= 0) return;
    whole_ = refined.whole;
    first_ = direction_.turned({*refined.first})[0];
    put_in_pool(*first_);
  }

  /// Puts records in the pool, turned.
  void put_in_pool(const std::vector<RuleRecord>& records) {
    for (const RuleRecord& record : direction_.turned(records)) put_in_pool(record);
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
  CountedRules& counted_;
  ThreadPool& threads_;
  const GoOn& go_on_;
  RuleChoice choice_;
  TellingDirection direction_;
  std::vector<RuleRecord> candidates_;
  std::vector<bool> gone_;                                  // [candidates_]
  std::vector<RuleRecord> pool_;                            // of distinct rules
  std::unordered_map<Rule, std::size_t, RuleHash> places_;  // in it
  std::optional<RuleRecord> whole_;  // the best so far, with what is idle in it
  std::optional<RuleRecord> first_;  // and without
  RulesAndDefinitions chosen_;
  RefinementSummary summary_;
};

}  // namespace

ChosenRules choose_rules(const Archive& archive, const Experiment& experiment,
                         const IslandGrammars& grammars, Resident& resident, ThreadPool& pool,
                         const Definitions& definitions) {
  std::vector<RuleRecord> records = archive.rules();
  CountedRules counted(resident, counting_options(experiment, resident.dataset().attributes()));
  count_again(records, counted.options(), resident);
  RuleChoice choice(experiment, counted, definitions);
  records = TellingDirection(experiment, grammars, counted, definitions).turned(std::move(records));
  const std::size_t most = most_lines(experiment);
  RulesAndDefinitions chosen = choice.choose(records, {}, most);
  ChosenRules made;
  if (chosen.rules.size() < most) {
    made.alike = choice.distinct(records) - chosen.rules.size();
  }
  put(made, ListLines(experiment, counted, pool)
                .by_measure(choice.without_redundant(records, {}), set_of(chosen.rules)));
  put_definitions(made, std::move(chosen.definitions));
  complete(made, counted);
  return made;
}

ChosenRules choose_rules(const Archive& archive, const Experiment& experiment,
                         const IslandGrammars& grammars, Resident& resident, const ExactRows& exact,
                         const Definitions& definitions, const GoOn& go_on) {
  const auto searched = resident.dataset().attributes();
  std::vector<RuleRecord> candidates = archive.rules();
  const CountingOptions options = counting_options(experiment, searched);
  in_phase("count again", [&] { count_again(candidates, options, resident); });
  AimedRules aimed = in_phase("covering", [&] {
    return aimed_rules(candidates, experiment, grammars, resident, exact.pool);
  });
  const auto attributes = exact.resident.dataset().attributes();
  if (&exact.resident != &resident) {
    for (auto* const records : {&candidates, &aimed.covering, &aimed.front}) {
      const TimedPhase phase("count again");
      move_to_exact_codes(*records, searched, attributes);
      count_again(*records, options, exact.resident);
    }
  }
  const BinEdges edges = bin_edges(searched, attributes);
  CountedRules counted(exact.resident, options);
  Refinement refinement(experiment, grammars, exact.pool, edges, counted);
  ChosenRules made = List(std::move(candidates), experiment, grammars, refinement, counted,
                          exact.pool, definitions, go_on)
                         .make(std::move(aimed));
  const TimedPhase phase("count again");
  complete(made, counted);
  return made;
}

}  // namespace atl
