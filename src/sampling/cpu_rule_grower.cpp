#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

#include "src/sampling/common_bits.hpp"
#include "src/sampling/host_rule_grower.hpp"
#include "src/sampling/literal_counts.hpp"

namespace atl {
namespace {

std::ptrdiff_t at(std::size_t index) noexcept {
  return static_cast<std::ptrdiff_t>(index);
}

class CpuRuleGrower final : public HostRuleGrower {
 public:
  CpuRuleGrower(std::shared_ptr<const ClassSample> sample, const GrowthSettings& settings)
      : sample_(std::move(sample)),
        settings_(settings),
        weights_(weights_in_window(*sample_, settings)),
        least_(least_in_window(*sample_, settings)),
        reach_(sample_->words()),
        correct_(sample_->words()),
        left_(sample_->words()),
        mask_(sample_->words()) {}

 private:
  struct Step {
    Comparison comparison;
    GrowthBalance balance;
    double score = 0;
  };

  std::optional<Grown> grow(const GrowthTask& task) override;
  void look_at_gap(const GrowthTask& task);
  std::uint32_t draw_label(double drawn);
  void make_runs(std::uint32_t label);
  static GrowthBalance balance_of(const std::vector<double>& weights, const std::uint32_t* counts);
  void look_at_mask();
  std::optional<Step> best_step(const GrowthBalance& now, const GrowthTask& task,
                                const std::uint64_t* attributes);
  void look_at_attribute(std::uint32_t attribute, const GrowthBalance& now, const GrowthTask& task,
                         std::optional<Step>& best);
  /// Counts the rows of each open run on which the literals of an attribute hold, of all literals
  /// or of those that differ from the one before.
  void count(std::uint32_t attribute);
  void count_by_codes(std::span<const std::uint16_t> codes, std::size_t literals);
  /// Leaves where the rows of the mask are, unless that is known.
  void list_positions();
  double net(const GrowthBalance& balance, std::size_t comparisons) const noexcept {
    return balance.net(settings_.costs[price_][label_], static_cast<std::uint32_t>(comparisons));
  }
  /// Leaves in mask_ the rows that matter on which all of them hold.
  GrowthBalance narrow(std::span<const Comparison> conjunction);
  void narrow(const Comparison& comparison) {
    sample_->narrow(sample_->rows_of(comparison), window_->first(), window_->end(), mask_.data());
  }
  double prune(std::vector<Comparison>& conjunction);

  const std::shared_ptr<const ClassSample> sample_;
  const GrowthSettings settings_;
  const std::vector<double> weights_;  // [classes] of a row of each class in a window
  const std::vector<double> least_;    // [classes] that a rule has to gain there
  const SampleWindow* window_ = nullptr;
  std::vector<std::uint64_t> reach_;    // [words] rows that come to the gap
  std::vector<std::uint64_t> correct_;  // [words] of those, which the rest gets right
  std::vector<std::uint64_t> left_;     // [words] scratch
  std::vector<std::uint64_t> mask_;     // [words] rows that matter for a label
  std::vector<WordRun> runs_;           // of words of equal weight
  std::vector<double> run_weights_;     // [runs] negative: what is lost
  std::vector<WordRun> open_runs_;      // those with rows in mask_
  std::vector<double> open_weights_;    // [open runs]
  std::uint32_t label_ = 0;
  std::uint32_t price_ = 0;
  bool pure_ = false;
  RunMask run_mask_;
  std::size_t rows_ = 0;                      // in mask_
  bool listed_ = false;                       // are they in positions_?
  std::vector<std::uint32_t> positions_;      // of the rows in mask_, by open run
  std::vector<std::size_t> position_begins_;  // [open runs + 1]
  std::vector<std::uint32_t>
      counts_;  // [runs], or [numbers_ + 1][open runs], last of rows with a value
  std::vector<std::uint32_t>
      numbers_;  // of the literals that are counted, from the attribute's first
  std::vector<std::uint32_t> of_code_;     // [codes][open runs] rows; zero between two calls
  std::vector<std::uint64_t> codes_seen_;  // bits; likewise
};

void CpuRuleGrower::look_at_gap(const GrowthTask& task) {
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

/// @return [classes] if no row is classified wrong
std::uint32_t CpuRuleGrower::draw_label(double drawn) {
  std::vector<double> wrong(weights_.size(), 0);
  for (std::size_t c = 0; c < wrong.size(); ++c) {
    for (std::size_t w = window_->classes[c]; w < window_->classes[c + 1]; ++w) {
      left_[w] = reach_[w] & ~correct_[w];
    }
    const std::size_t words = window_->classes[c + 1] - window_->classes[c];
    const std::uint64_t* const its = left_.data() + window_->classes[c];
    wrong[c] = weights_[c] * static_cast<double>(common_bits(its, its, words));
  }
  return drawn_class(wrong.data(), static_cast<std::uint32_t>(wrong.size()), drawn);
}

// Rows of the label gain where the rest is wrong, others lose where it is right; neighbouring
// classes of the same weight are counted as one.
void CpuRuleGrower::make_runs(std::uint32_t label) {
  label_ = label;
  runs_.clear();
  run_weights_.clear();
  for (std::uint32_t c = 0; c < weights_.size(); ++c) {
    const WordRun run{window_->classes[c], window_->classes[c + 1]};
    if (run.first == run.end) continue;
    const double weight = c == label ? weights_[c] : -weights_[c];
    if (!runs_.empty() && run_weights_.back() == weight) {
      runs_.back().end = run.end;
    } else {
      runs_.push_back(run);
      run_weights_.push_back(weight);
    }
  }
}

/// @param counts  [weights]
GrowthBalance CpuRuleGrower::balance_of(const std::vector<double>& weights,
                                        const std::uint32_t* counts) {
  GrowthBalance balance;
  for (std::size_t r = 0; r < weights.size(); ++r) balance.add(weights[r], counts[r]);
  return balance;
}

GrowthBalance CpuRuleGrower::narrow(std::span<const Comparison> conjunction) {
  for (std::size_t w = window_->first(); w < window_->end(); ++w) {
    mask_[w] = pure_ ? reach_[w] : reach_[w] & correct_[w];
  }
  for (std::size_t w = window_->classes[label_]; w < window_->classes[label_ + 1]; ++w) {
    mask_[w] = reach_[w] & ~correct_[w];
  }
  for (const Comparison& comparison : conjunction) narrow(comparison);
  counts_.clear();
  for (const WordRun& run : runs_) {
    const std::uint64_t* const its = mask_.data() + run.first;
    counts_.push_back(static_cast<std::uint32_t>(common_bits(its, its, run.end - run.first)));
  }
  return balance_of(run_weights_, counts_.data());
}

void CpuRuleGrower::list_positions() {
  if (listed_) return;
  listed_ = true;
  positions_.clear();
  position_begins_.assign(1, 0);
  for (const WordRun& run : open_runs_) {
    for (std::size_t w = run.first; w < run.end; ++w) {
      for (std::uint64_t bits = mask_[w]; bits != 0; bits &= bits - 1) {
        positions_.push_back(static_cast<std::uint32_t>(w * 64) +
                             static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
    position_begins_.push_back(positions_.size());
  }
}

void CpuRuleGrower::count(std::uint32_t attribute) {
  const std::size_t first = sample_->first_literal(attribute);
  const std::size_t literals = sample_->first_literal(attribute + 1) - first;
  const std::size_t runs = open_runs_.size();
  const std::span<const std::uint16_t> codes = sample_->codes(attribute);
  const std::size_t words = window_->end() - window_->first();
  if (!codes.empty() && rows_ <= literals * (words / 8 + 1)) {
    count_by_codes(codes, literals);
    return;
  }
  numbers_.resize(literals);
  std::iota(numbers_.begin(), numbers_.end(), 0);
  counts_.resize((literals + 1) * runs);
  run_mask_.count_common(sample_->bits(first), sample_->words(), literals, counts_.data());
  if (sample_->attributes()[attribute].has_missing) {
    run_mask_.count_common(sample_->present(attribute), sample_->words(), 1,
                           counts_.data() + literals * runs);
  }
}

// A literal of a code without rows is as good as the one before, so not better than the best.
void CpuRuleGrower::count_by_codes(std::span<const std::uint16_t> codes, std::size_t literals) {
  list_positions();
  const std::size_t runs = open_runs_.size();
  of_code_.resize(std::max(of_code_.size(), (literals + 1) * runs), 0);
  codes_seen_.resize(std::max(codes_seen_.size(), literals / 64 + 1), 0);
  for (std::size_t r = 0; r < runs; ++r) {
    for (std::size_t i = position_begins_[r]; i < position_begins_[r + 1]; ++i) {
      const std::uint16_t code = codes[positions_[i]];
      if (code == ClassSample::no_code) continue;
      ++of_code_[code * runs + r];
      codes_seen_[code / 64] |= std::uint64_t{1} << (code % 64);
    }
  }
  numbers_.clear();
  counts_.assign(runs, 0);          // so far
  if ((codes_seen_[0] & 1) == 0) {  // on its other side are the rows with a value
    numbers_.push_back(0);
    counts_.resize(2 * runs, 0);
  }
  for (std::size_t w = 0; w <= literals / 64; ++w) {
    for (std::uint64_t bits = std::exchange(codes_seen_[w], 0); bits != 0; bits &= bits - 1) {
      const auto code =
          static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
      std::uint32_t* const its = of_code_.data() + code * runs;
      const std::size_t last = counts_.size() - runs;
      for (std::size_t r = 0; r < runs; ++r) counts_[last + r] += std::exchange(its[r], 0);
      if (code == literals) continue;  // the last code has no literal
      numbers_.push_back(code);
      counts_.resize(counts_.size() + runs);
      std::copy_n(counts_.data() + last, runs, counts_.data() + last + runs);
    }
  }
}

void CpuRuleGrower::look_at_attribute(std::uint32_t attribute, const GrowthBalance& now,
                                      const GrowthTask& task, std::optional<Step>& best) {
  const std::size_t first = sample_->first_literal(attribute);
  if (sample_->first_literal(attribute + 1) == first) return;
  const Attribute& its = sample_->attributes()[attribute];
  count(attribute);
  const std::size_t runs = open_runs_.size();
  const GrowthBalance present =
      its.has_missing ? balance_of(open_weights_, counts_.data() + numbers_.size() * runs) : now;
  const double least = least_[label_];
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const GrowthBalance in = balance_of(open_weights_, counts_.data() + i * runs);
    const std::uint32_t code = sample_->literals()[first + numbers_[i]].code;
    for (const bool inside : {true, false}) {
      const GrowthBalance side = inside ? in : present - in;
      if (!may_go_on(side, now, least)) continue;
      const double score = growth_score(side, now, task.criterion, task.prior_rows);
      if (best && best->score >= score) continue;
      Comparison comparison{attribute, code, code, !inside};
      if (its.ordered()) {
        comparison = inside ? Comparison{attribute, 0, code, false}
                            : Comparison{attribute, code + 1, its.distinct() - 1, false};
      }
      best = Step{comparison, side, score};
    }
  }
}

/// Looks at the rows in the mask. A run without rows gains and loses nothing.
void CpuRuleGrower::look_at_mask() {
  rows_ = 0;
  listed_ = false;
  open_runs_.clear();
  open_weights_.clear();
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const std::uint64_t* const its = mask_.data() + runs_[r].first;
    const std::uint64_t rows = common_bits(its, its, runs_[r].end - runs_[r].first);
    if (rows == 0) continue;
    rows_ += rows;
    open_runs_.push_back(runs_[r]);
    open_weights_.push_back(run_weights_[r]);
  }
  run_mask_.set(mask_.data(), open_runs_);
}

/// @param attributes  bits; null: all
std::optional<CpuRuleGrower::Step> CpuRuleGrower::best_step(const GrowthBalance& now,
                                                            const GrowthTask& task,
                                                            const std::uint64_t* attributes) {
  look_at_mask();
  std::optional<Step> best;
  for (std::uint32_t a = 0; a < sample_->attributes().size(); ++a) {
    if (attributes != nullptr && (attributes[a / 64] >> (a % 64) & 1) == 0) continue;
    look_at_attribute(a, now, task, best);
  }
  if (best && !is_more_precise(best->balance, now)) return std::nullopt;
  return best;
}

double CpuRuleGrower::prune(std::vector<Comparison>& conjunction) {
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

std::optional<Grown> CpuRuleGrower::grow(const GrowthTask& task) {
  look_at_gap(task);
  price_ = task.price;
  pure_ = task.pure;
  const std::uint32_t label = task.label ? *task.label : draw_label(task.drawn);
  if (label == weights_.size()) return std::nullopt;
  make_runs(label);
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

std::unique_ptr<RuleGrower> make_cpu_rule_grower(std::shared_ptr<const ClassSample> sample,
                                                 const GrowthSettings& settings) {
  return std::make_unique<CpuRuleGrower>(std::move(sample), settings);
}

}  // namespace atl
