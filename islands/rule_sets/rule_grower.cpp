#include "islands/rule_sets/rule_grower.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/core/portable_math.hpp"

namespace atl {

RuleGrower::RuleGrower(const ClassSample& sample, std::vector<double> weights,
                       const GrowthSettings& settings)
    : sample_(sample),
      weights_(std::move(weights)),
      settings_(settings),
      reach_(sample.words()),
      correct_(sample.words()),
      left_(sample.words()),
      mask_(sample.words()) {
  const auto windows = static_cast<double>(sample.windows().size());
  for (std::uint32_t c = 0; c < weights_.size(); ++c) weights_[c] *= sample.scale(c) * windows;
}

void RuleGrower::look_at(std::span<const SharedRule> list, std::uint32_t default_class,
                         std::size_t position, const std::uint64_t* rows,
                         const SampleWindow& window) {
  window_ = &window;
  const std::size_t first = window.first(), end = window.end();
  std::copy(rows + first, rows + end, reach_.begin() + static_cast<std::ptrdiff_t>(first));
  for (const SharedRule& rule : list.first(position)) {
    for (std::size_t w = first; w < end; ++w) reach_[w] &= ~rule->cover[w];
  }
  std::copy(reach_.begin() + static_cast<std::ptrdiff_t>(first),
            reach_.begin() + static_cast<std::ptrdiff_t>(end),
            left_.begin() + static_cast<std::ptrdiff_t>(first));
  std::fill(correct_.begin() + static_cast<std::ptrdiff_t>(first),
            correct_.begin() + static_cast<std::ptrdiff_t>(end), 0);
  for (const SharedRule& rule : list.subspan(position)) {
    const std::uint32_t c = rule->rule.label;
    for (std::size_t w = window.classes[c]; w < window.classes[c + 1]; ++w) {
      correct_[w] |= left_[w] & rule->cover[w];
    }
    for (std::size_t w = first; w < end; ++w) left_[w] &= ~rule->cover[w];
  }
  for (std::size_t w = window.classes[default_class]; w < window.classes[default_class + 1]; ++w) {
    correct_[w] |= left_[w];
  }
}

std::optional<std::uint32_t> RuleGrower::draw_label(RandomStream& stream) {
  std::vector<double> wrong(weights_.size(), 0);
  double sum = 0;
  for (std::size_t c = 0; c < wrong.size(); ++c) {
    std::uint64_t rows = 0;
    for (std::size_t w = window_->classes[c]; w < window_->classes[c + 1]; ++w) {
      rows += static_cast<std::uint64_t>(std::popcount(reach_[w] & ~correct_[w]));
    }
    wrong[c] = weights_[c] * static_cast<double>(rows);
    sum += wrong[c];
  }
  if (!(sum > 0)) return std::nullopt;
  double at = stream.next_double() * sum;
  std::uint32_t last = 0;
  for (std::uint32_t c = 0; c < wrong.size(); ++c) {
    if (wrong[c] <= 0) continue;
    last = c;
    at -= wrong[c];
    if (at < 0) break;
  }
  return last;
}

// Rows of the label gain where the rest is wrong, others lose where it is right; neighbouring
// classes of the same weight are counted as one.
void RuleGrower::make_runs(std::uint32_t label) {
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

RuleGrower::Balance RuleGrower::balance_of(const std::uint32_t* counts) const {
  Balance balance;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const double weight = run_weights_[r] * counts[r];
    if (weight > 0) {
      balance.gained += weight;
    } else {
      balance.lost -= weight;
    }
  }
  return balance;
}

RuleGrower::Balance RuleGrower::narrow(std::span<const Comparison> conjunction) {
  for (std::size_t w = window_->first(); w < window_->end(); ++w) {
    mask_[w] = reach_[w] & correct_[w];
  }
  for (std::size_t w = window_->classes[label_]; w < window_->classes[label_ + 1]; ++w) {
    mask_[w] = reach_[w] & ~correct_[w];
  }
  for (const Comparison& comparison : conjunction) {
    sample_.narrow(comparison, window_->first(), window_->end(), mask_.data());
  }
  return current();
}

RuleGrower::Balance RuleGrower::current() {
  std::vector<std::uint32_t> counts(runs_.size(), 0);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (std::size_t w = runs_[r].first; w < runs_[r].end; ++w) {
      counts[r] += static_cast<std::uint32_t>(std::popcount(mask_[w]));
    }
  }
  return balance_of(counts.data());
}

double RuleGrower::score(const Balance& in, const Balance& now, const Way& way) {
  const double all = in.gained + in.lost;
  const double prior = now.gained / (now.gained + now.lost);
  switch (way.criterion) {
    case Criterion::gain:
      return in.gained - in.lost;
    case Criterion::information:  // Quinlan 1990, FOIL
      return in.gained * (portable_log(in.gained / all) - portable_log(prior));
    case Criterion::chi_squared: {
      const double out_gained = now.gained - in.gained, out_lost = now.lost - in.lost;
      const double product = in.gained * out_lost - in.lost * out_gained;
      const double out = out_gained + out_lost;
      return product > 0 && out > 0 ? product * product / (all * out) : -1;
    }
    case Criterion::precision:
      return (in.gained + way.prior_rows * prior) / (all + way.prior_rows);
  }
  return 0;
}

void RuleGrower::list_positions() {
  positions_.clear();
  position_begins_.assign(1, 0);
  for (const WordRun& run : runs_) {
    for (std::size_t w = run.first; w < run.end; ++w) {
      for (std::uint64_t bits = mask_[w]; bits != 0; bits &= bits - 1) {
        positions_.push_back(static_cast<std::uint32_t>(w * 64) +
                             static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
    position_begins_.push_back(positions_.size());
  }
}

std::span<const std::uint32_t> RuleGrower::count(std::uint32_t attribute) {
  const std::size_t first = sample_.first_literal(attribute);
  const std::size_t literals = sample_.first_literal(attribute + 1) - first, runs = runs_.size();
  counts_.assign((literals + 1) * runs, 0);
  const std::span<const std::uint16_t> codes = sample_.codes(attribute);
  const std::size_t words = window_->end() - window_->first();
  if (codes.empty() || positions_.size() > literals * (words / 8 + 1)) {
    run_mask_.count_common(sample_.bits(first), sample_.words(), literals, counts_.data());
    if (sample_.attributes()[attribute].has_missing) {
      run_mask_.count_common(sample_.present(attribute), sample_.words(), 1,
                             counts_.data() + literals * runs);
    }
    return counts_;
  }
  // The literal of the last code, which has none, is that there is a value.
  for (std::size_t r = 0; r < runs; ++r) {
    for (std::size_t i = position_begins_[r]; i < position_begins_[r + 1]; ++i) {
      const std::uint16_t code = codes[positions_[i]];
      if (code != ClassSample::no_code) ++counts_[code * runs + r];
    }
  }
  for (std::size_t i = runs; i < counts_.size(); ++i) counts_[i] += counts_[i - runs];
  return counts_;
}

void RuleGrower::look_at_attribute(std::uint32_t attribute, const Balance& now, const Way& way,
                                   std::optional<Step>& best) {
  const std::size_t first = sample_.first_literal(attribute);
  const std::size_t literals = sample_.first_literal(attribute + 1) - first;
  if (literals == 0) return;
  const Attribute& its = sample_.attributes()[attribute];
  const std::span<const std::uint32_t> counts = count(attribute);
  const Balance present =
      its.has_missing ? balance_of(counts.data() + literals * runs_.size()) : now;
  const double least = settings_.least_rows * weights_[label_];
  for (std::size_t i = 0; i < literals; ++i) {
    const Balance in = balance_of(counts.data() + i * runs_.size());
    const std::uint32_t code = sample_.literals()[first + i].code;
    for (const bool inside : {true, false}) {
      const Balance side =
          inside ? in : Balance{present.gained - in.gained, present.lost - in.lost};
      if (side.gained < least || side.gained + side.lost >= now.gained + now.lost) continue;
      const double its_score = score(side, now, way);
      if (best && best->score >= its_score) continue;
      Comparison comparison{attribute, code, code, !inside};
      if (its.ordered()) {
        comparison = inside ? Comparison{attribute, 0, code, false}
                            : Comparison{attribute, code + 1, its.distinct() - 1, false};
      }
      best = Step{comparison, side, its_score};
    }
  }
}

std::optional<RuleGrower::Step> RuleGrower::best_step(const Balance& now, const Way& way,
                                                      RandomStream& stream) {
  run_mask_.set(mask_.data(), runs_);
  list_positions();
  std::optional<Step> best;
  for (std::uint32_t a = 0; a < sample_.attributes().size(); ++a) {
    if (way.attributes < 1 && !stream.chance(way.attributes)) continue;
    look_at_attribute(a, now, way, best);
  }
  // Only what makes the rule more precise.
  if (best && best->balance.lost * (now.gained + now.lost) >=
                  now.lost * (best->balance.gained + best->balance.lost)) {
    return std::nullopt;
  }
  return best;
}

double RuleGrower::prune(std::vector<Comparison>& conjunction) {
  double gain = net(narrow(conjunction), conjunction.size());
  for (std::size_t i = 0; i < conjunction.size() && conjunction.size() > 1;) {
    std::vector<Comparison> fewer = conjunction;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
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

std::optional<Expression> RuleGrower::grow(std::uint32_t label, std::vector<Comparison> start,
                                           RandomStream& stream) {
  make_runs(label);
  Way way;
  way.criterion = static_cast<Criterion>(stream.below(criteria));
  way.prior_rows = stream.chance(0.5) ? 1 : 5;
  if (stream.chance(0.5)) way.attributes = 0.3 + 0.7 * stream.next_double();

  std::vector<Comparison> conjunction = std::move(start);
  Balance now = narrow(conjunction);
  if (now.gained < settings_.least_rows * weights_[label]) return std::nullopt;
  std::vector<Comparison> best = conjunction;
  double best_gain = conjunction.empty() ? 0 : net(now, conjunction.size());
  while (conjunction.size() < settings_.most_comparisons && now.lost > 0) {
    const auto step = best_step(now, way, stream);
    if (!step || !add(conjunction, step->comparison, sample_.attributes())) break;
    sample_.narrow(step->comparison, window_->first(), window_->end(), mask_.data());
    now = step->balance;
    const double gain = net(now, conjunction.size());
    if (gain <= best_gain && !best.empty()) continue;
    best_gain = gain;
    best = conjunction;
  }
  if (best.empty() || prune(best) <= 0) return std::nullopt;
  std::sort(best.begin(), best.end());
  return canonical(Expression::conjunction(best), sample_.attributes());
}

bool add(std::vector<Comparison>& conjunction, const Comparison& comparison,
         std::span<const Attribute> attributes) {
  const Attribute& attribute = attributes[comparison.attribute];
  for (Comparison& its : conjunction) {
    if (its.attribute != comparison.attribute) continue;
    if (attribute.ordered() && !its.negated && !comparison.negated) {
      const std::uint32_t low = std::max(its.low, comparison.low);
      const std::uint32_t high = std::min(its.high, comparison.high);
      if (low > high) return false;
      its.low = low;
      its.high = high;
      return true;
    }
    // A label says more than that it is not another.
    if (its.negated && !comparison.negated) {
      std::erase_if(conjunction,
                    [&](const Comparison& one) { return one.attribute == comparison.attribute; });
      conjunction.push_back(comparison);
      return true;
    }
    if (!its.negated) return true;
  }
  conjunction.push_back(comparison);
  return true;
}

}  // namespace atl
