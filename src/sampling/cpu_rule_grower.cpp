#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "src/sampling/common_bits.hpp"
#include "src/sampling/literal_balances.hpp"
#include "src/sampling/rule_grower.hpp"

namespace atl {
namespace {

std::ptrdiff_t at(std::size_t index) noexcept {
  return static_cast<std::ptrdiff_t>(index);
}

/// Grows one rule after the other, with the memory that this takes.
class GapGrower {
 public:
  /// The arguments must outlive it.
  GapGrower(const ClassSample& sample, const GrowthSettings& settings)
      : sample_(&sample),
        settings_(settings),
        weights_(weights_in_window(sample, settings)),
        least_(least_in_window(sample, settings)),
        reach_(sample.words()),
        correct_(sample.words()),
        left_(sample.words()),
        mask_(sample.words()),
        balances_(sample) {}

  std::optional<Grown> grow(const GrowthTask& task);

 private:
  struct Step {
    Comparison comparison;
    GrowthBalance balance;
    double score = 0;
    std::uint32_t literal = 0;  // from the attribute's first
  };

  void look_at_gap(const GrowthTask& task);
  GrowthLabel choose_label(const GrowthTask& task);
  void make_runs(const GrowthLabel& of);
  std::optional<Step> best_step(const GrowthBalance& now, const GrowthTask& task,
                                const std::uint64_t* attributes);
  /// Looks at the literals of an attribute that were counted.
  void look_at_literals(std::uint32_t attribute, const GrowthBalance& now,
                        const GrowthScorer& scorer, std::optional<Step>& best) const;
  double net(const GrowthBalance& balance, std::size_t comparisons) const noexcept {
    return balance.net(settings_.costs[price_][label_], static_cast<std::uint32_t>(comparisons));
  }
  /// Leaves in mask_ the rows that matter on which all of them hold.
  GrowthBalance narrow(std::span<const Comparison> conjunction);
  void narrow(const Comparison& comparison) {
    sample_->narrow(sample_->rows_of(comparison), window_->first(), window_->end(), mask_.data());
  }
  double prune(std::vector<Comparison>& conjunction);

  const ClassSample* const sample_;
  const GrowthSettings& settings_;
  const std::vector<double> weights_;  // [classes] of a row of each class in a window
  const std::vector<double> least_;    // [classes] that a rule has to gain there
  const SampleWindow* window_ = nullptr;
  std::vector<std::uint64_t> reach_;    // [words] rows that come to the gap
  std::vector<std::uint64_t> correct_;  // [words] of those, which the rest gets right
  std::vector<std::uint64_t> left_;     // [words] scratch
  std::vector<std::uint64_t> mask_;     // [words] rows that matter for a label
  std::vector<WordRun> runs_;           // of words of equal weight
  std::vector<double> run_weights_;     // [runs] negative: what is lost
  std::vector<std::uint32_t> counts_;   // [runs] scratch
  std::uint32_t label_ = 0;
  std::uint32_t price_ = 0;
  CountedRows counted_ = CountedRows::gains;
  LiteralBalances balances_;
};

void GapGrower::look_at_gap(const GrowthTask& task) {
  window_ = &sample_->windows()[task.window];
  const std::size_t first = window_->first(), end = window_->end();
  const std::uint64_t* const rows =
      task.without ? sample_->rows_without(*task.without) : sample_->rows();
  std::copy(rows + first, rows + end, reach_.begin() + at(first));
  for (const SharedRule& rule : task.before) {
    const std::uint64_t* const cover = rule->cover();
    for (std::size_t w = first; w < end; ++w) reach_[w] &= ~cover[w];
  }
  std::copy(reach_.begin() + at(first), reach_.begin() + at(end), left_.begin() + at(first));
  std::fill(correct_.begin() + at(first), correct_.begin() + at(end), 0);
  for (const SharedRule& rule : task.behind) {
    const std::uint64_t* const cover = rule->cover();
    const std::uint32_t c = rule->rule().label;
    for (std::size_t w = window_->classes[c]; w < window_->classes[c + 1]; ++w) {
      correct_[w] |= left_[w] & cover[w];
    }
    for (std::size_t w = first; w < end; ++w) left_[w] &= ~cover[w];
  }
  const std::uint32_t c = task.default_class;
  for (std::size_t w = window_->classes[c]; w < window_->classes[c + 1]; ++w) {
    correct_[w] |= left_[w];
  }
}

GrowthLabel GapGrower::choose_label(const GrowthTask& task) {
  const auto classes = static_cast<std::uint32_t>(weights_.size());
  const bool all = counted_ == CountedRows::all;
  std::vector<double> at_gap;
  for (std::uint32_t c = 0; c < classes && (all || !task.label); ++c) {
    for (std::size_t w = window_->classes[c]; w < window_->classes[c + 1]; ++w) {
      left_[w] = all ? reach_[w] : reach_[w] & ~correct_[w];
    }
    const std::size_t words = window_->classes[c + 1] - window_->classes[c];
    const std::uint64_t* const its = left_.data() + window_->classes[c];
    at_gap.push_back(weights_[c] * static_cast<double>(common_bits(its, its, words)));
  }
  return growth_label(at_gap.data(), classes, counted_, task.label.value_or(classes), task.drawn);
}

// Neighbouring classes of the same weight are counted as one.
void GapGrower::make_runs(const GrowthLabel& of) {
  label_ = of.label;
  runs_.clear();
  run_weights_.clear();
  for (std::uint32_t c = 0; c < weights_.size(); ++c) {
    const WordRun run{window_->classes[c], window_->classes[c + 1]};
    if (run.first == run.end) continue;
    const double weight = counted_weight(weights_[c], c == of.label, of.odds);
    if (!runs_.empty() && run_weights_.back() == weight) {
      runs_.back().end = run.end;
    } else {
      runs_.push_back(run);
      run_weights_.push_back(weight);
    }
  }
}

GrowthBalance GapGrower::narrow(std::span<const Comparison> conjunction) {
  for (std::size_t w = window_->first(); w < window_->end(); ++w) {
    mask_[w] = counted_ == CountedRows::gains ? reach_[w] & correct_[w] : reach_[w];
  }
  if (counted_ != CountedRows::all) {
    for (std::size_t w = window_->classes[label_]; w < window_->classes[label_ + 1]; ++w) {
      mask_[w] = reach_[w] & ~correct_[w];
    }
  }
  for (const Comparison& comparison : conjunction) narrow(comparison);
  counts_.clear();
  for (const WordRun& run : runs_) {
    const std::uint64_t* const its = mask_.data() + run.first;
    counts_.push_back(static_cast<std::uint32_t>(common_bits(its, its, run.end - run.first)));
  }
  return LiteralBalances::balance_of(run_weights_, counts_.data());
}

void GapGrower::look_at_literals(std::uint32_t attribute, const GrowthBalance& now,
                                 const GrowthScorer& scorer, std::optional<Step>& best) const {
  const Attribute& its = sample_->attributes()[attribute];
  const std::size_t first = sample_->first_literal(attribute);
  const GrowthBalance present = its.has_missing ? balances_.present() : now;
  const double least = least_[label_];
  for (std::size_t i = 0; i < balances_.size(); ++i) {
    const GrowthBalance in = balances_.balance(i);
    for (const bool inside : {true, false}) {
      const GrowthBalance side = inside ? in : present - in;
      if (!may_go_on(side, now, least)) continue;
      if (best && !scorer.may_score_above(side, best->score)) continue;
      const double score = scorer.score(side);
      if (best && best->score >= score) continue;
      const std::uint32_t number = balances_.number(i);
      const std::uint32_t code = sample_->literals()[first + number].code;
      Comparison comparison{attribute, code, code, !inside};
      if (its.ordered()) {
        comparison = inside ? Comparison{attribute, 0, code, false}
                            : Comparison{attribute, code + 1, its.distinct() - 1, false};
      }
      best = Step{comparison, side, score, number};
    }
  }
}

/// @param attributes  bits; null: all
std::optional<GapGrower::Step> GapGrower::best_step(const GrowthBalance& now,
                                                    const GrowthTask& task,
                                                    const std::uint64_t* attributes) {
  balances_.look_at(mask_.data(), *window_, runs_, run_weights_);
  const GrowthScorer scorer(now, task.criterion, task.prior_rows);
  std::optional<Step> best;
  for (std::uint32_t a = 0; a < sample_->attributes().size(); ++a) {
    if (attributes != nullptr && (attributes[a / 64] >> (a % 64) & 1) == 0) continue;
    if (sample_->literals_of(a) == 0) continue;
    balances_.count(a);
    look_at_literals(a, now, scorer, best);
  }
  if (!best) return std::nullopt;
  const std::uint32_t a = best->comparison.attribute;
  if (const std::size_t stride = balances_.stride(a); stride > 1) {  // those near it, too
    const std::size_t after = best->literal + 1;
    balances_.count(a, after > stride ? after - stride : 0,
                    std::min(after + stride - 1, sample_->literals_of(a)));
    look_at_literals(a, now, scorer, best);
  }
  if (!is_more_precise(best->balance, now)) return std::nullopt;
  return best;
}

double GapGrower::prune(std::vector<Comparison>& conjunction) {
  double gain = net(narrow(conjunction), conjunction.size());
  for (std::size_t i = 0; i < conjunction.size() && conjunction.size() > 1;) {
    std::vector<Comparison> fewer = conjunction;
    fewer.erase(fewer.begin() + at(i));
    const double without = net(narrow(fewer), fewer.size());
    if (without < gain) {
      ++i;
      continue;
    }
    gain = without;
    conjunction = std::move(fewer);
    i = 0;
  }
  return gain;
}

std::optional<Grown> GapGrower::grow(const GrowthTask& task) {
  look_at_gap(task);
  price_ = task.price;
  counted_ = task.counted;
  const GrowthLabel chosen = choose_label(task);
  const std::uint32_t label = chosen.label;
  if (label == weights_.size()) return std::nullopt;
  make_runs(chosen);
  std::vector<Comparison> conjunction = task.start;
  GrowthBalance now = narrow(conjunction);
  if (now.gained < least_[label]) return std::nullopt;
  std::vector<Comparison> best = conjunction;
  double best_gain = conjunction.empty() ? 0 : net(now, conjunction.size());
  const std::size_t words = attribute_words(sample_->attributes().size());
  for (std::uint32_t s = 0; s < settings_.most_steps(); ++s) {
    if (conjunction.size() >= settings_.most_comparisons || now.lost <= 0) break;
    if (!best.empty() &&
        !may_gain_more(now, conjunction.data(), static_cast<std::uint32_t>(conjunction.size()),
                       settings_.costs[price_][label_], best_gain)) {
      break;
    }
    const auto step = best_step(
        now, task, task.attributes.empty() ? nullptr : task.attributes.data() + s * words);
    if (!step || !add(conjunction, step->comparison, sample_->attributes())) break;
    narrow(step->comparison);
    now = step->balance;
    const double gain = net(now, conjunction.size());
    if (gain <= best_gain && !best.empty()) continue;
    best_gain = gain;
    best = conjunction;
  }
  if (best.empty() || prune(best) <= 0) return std::nullopt;
  return Grown{label, grown_antecedent(std::move(best), sample_->attributes())};
}

}  // namespace

/// A grower for each of the threads, made when it is first needed.
struct GrowthThreads {
  const std::shared_ptr<const ClassSample> sample;
  const GrowthSettings settings;
  ThreadPool* const pool;  // null: the thread that asks
  std::vector<std::unique_ptr<GapGrower>> growers;

  GapGrower& of(unsigned worker) {
    auto& grower = growers[worker];
    if (!grower) grower = std::make_unique<GapGrower>(*sample, settings);
    return *grower;
  }
};

namespace {

class CpuRuleGrower final : public RuleGrower {
 public:
  explicit CpuRuleGrower(std::shared_ptr<GrowthThreads> threads) : threads_(std::move(threads)) {}

  void start(std::span<const GrowthTask> tasks) override {
    grown_.assign(tasks.size(), std::nullopt);
    const auto grow = [&](std::size_t i, unsigned worker) {
      grown_[i] = threads_->of(worker).grow(tasks[i]);
    };
    if (ThreadPool* const pool = threads_->pool) {
      pool->wait(pool->submit(tasks.size(), grow));
    } else {
      for (std::size_t i = 0; i < tasks.size(); ++i) grow(i, 0);
    }
  }
  void read(std::span<std::optional<Grown>> out) override {
    std::move(grown_.begin(), grown_.end(), out.begin());
  }

 private:
  const std::shared_ptr<GrowthThreads> threads_;
  std::vector<std::optional<Grown>> grown_;
};

}  // namespace

std::shared_ptr<GrowthThreads> make_growth_threads(std::shared_ptr<const ClassSample> sample,
                                                   const GrowthSettings& settings,
                                                   ThreadPool* pool) {
  return std::make_shared<GrowthThreads>(GrowthThreads{
      std::move(sample), settings, pool,
      std::vector<std::unique_ptr<GapGrower>>(pool == nullptr ? 1 : pool->threads())});
}

std::unique_ptr<RuleGrower> make_cpu_rule_grower(std::shared_ptr<GrowthThreads> threads) {
  return std::make_unique<CpuRuleGrower>(std::move(threads));
}

}  // namespace atl
