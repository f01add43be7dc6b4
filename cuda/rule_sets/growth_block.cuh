// Grows a rule by a block of threads, as src/sampling/cpu_rule_grower.cpp does.
#pragma once

#include <cstdint>

#include "cuda/rule_sets/growth_window.cuh"

namespace atl::cuda {

/// Grows a rule. All threads of a block call its functions.
class GrowthBlock {
 public:
  __device__ GrowthBlock(const GrowthRows& rows, const GrowthBatch& batch,
                         const GrowthMemory& memory, const GrowthHead& task)
      : rows_(rows),
        batch_(batch),
        memory_(memory),
        state_(memory.state),
        task_(task),
        terms_(reinterpret_cast<const GrowthTerm*>(&task + 1)),
        starts_(reinterpret_cast<const GrowthComparison*>(terms_ + task.terms)),
        looked_at_(reinterpret_cast<const std::uint32_t*>(starts_ + task.starts)),
        window_(rows, memory, task.window),
        first_(window_.first()),
        words_(window_.words()) {}

  /// Leaves the rule as the best conjunction. @return is there one?
  __device__ bool grow() {
    part_rows();
    choose_label();
    const std::uint32_t label = state_.label;
    if (label == rows_.classes) return false;
    if (threadIdx.x == 0) window_.make_runs(batch_.weights);
    keep_what_matters(label);
    begin_conjunction();
    GrowthBalance now = window_.narrow_to(memory_.conjunction, task_.starts);
    const double least = batch_.least[label];
    cost_ = batch_.costs[task_.price * rows_.classes + label];
    if (now.gained < least) return false;
    if (threadIdx.x == 0) {
      state_.best_gain = task_.starts == 0 ? 0 : now.net(cost_, task_.starts);
    }
    __syncthreads();
    for (std::uint32_t s = 0; s < batch_.steps; ++s) {
      if (state_.comparisons >= batch_.longest || now.lost <= 0) break;
      if (state_.best != 0 &&
          !may_gain_more(now, memory_.conjunction, state_.comparisons, cost_, state_.best_gain)) {
        break;
      }
      if (!step(s, least, now)) break;
    }
    return state_.best != 0 && prune() > 0;
  }

 private:
  static constexpr std::uint32_t nowhere = 0xFFFFFFFF;

  /// A literal and a side of it: its number twice, and one more for the rows where it does not
  /// hold. Of equal scores the lowest place is the best.
  struct Best {
    double score = 0;
    std::uint32_t place = nowhere;
    GrowthBalance balance;
    __device__ void take(double its_score, std::uint32_t its_place) {
      if (its_place == nowhere) return;
      if (place != nowhere && (score > its_score || (score == its_score && place < its_place))) {
        return;
      }
      score = its_score;
      place = its_place;
    }
  };

  /// Some literals: their numbers from `begin` up to `end`, or where these are.
  struct Part {
    const std::uint32_t* literals;  // null: the numbers themselves
    std::uint32_t begin, end;
  };

  /// Leaves which rows come to the gap and are classified right and wrong.
  __device__ void part_rows() {
    constexpr std::uint32_t at_once = 4;
    for (std::uint32_t w = threadIdx.x; w < words_; w += growth_threads) {
      const std::uint32_t word = first_ + w, own = rows_.labels[word];
      unsigned long long left = row_set(rows_, task_.rows)[word];
      unsigned long long cover = ~0ULL, right = 0, wrong = 0;
      for (std::uint32_t t = 0; t < task_.terms && left != 0; t += at_once) {
        GrowthTerm terms[at_once];
        unsigned long long values[at_once];
#pragma unroll
        for (std::uint32_t i = 0; i < at_once; ++i) {
          terms[i] = t + i < task_.terms ? terms_[t + i] : GrowthTerm{0, 0, no_row_set, 0};
        }
        words_of(rows_, terms, word, values);
#pragma unroll
        for (std::uint32_t i = 0; i < at_once; ++i) {
          cover &= values[i];
          if ((terms[i].sets_and_rule & GrowthTerm::last) == 0) continue;
          const std::uint32_t label = terms[i].sets_and_rule >> GrowthTerm::label_shift;
          cover &= left;
          left ^= cover;
          if (label == own) {
            right |= cover;
          } else if (label != before_gap) {
            wrong |= cover;
          }
          cover = ~0ULL;
        }
      }
      (task_.default_class == own ? right : wrong) |= left;
      memory_.all[w] = right;
      memory_.mask[w] = wrong;
    }
    __syncthreads();
  }

  /// Leaves the label and its odds, of the wrong rows in the mask or of all. The number of classes
  /// is the label if there is none.
  __device__ void choose_label() {
    if (counts_all()) {
      for (std::uint32_t w = threadIdx.x; w < words_; w += growth_threads) {
        memory_.mask[w] |= memory_.all[w];
      }
      __syncthreads();
    }
    if (counts_all() || task_.label == no_label) {
      for (std::uint32_t c = growth_warp(); c < rows_.classes; c += growth_warps) {
        const std::uint32_t rows = window_.count(nullptr, window_.words_of_class(c));
        if (growth_lane() == 0) memory_.weights[c] = batch_.weights[c] * rows;
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      const GrowthLabel chosen =
          growth_label(memory_.weights, rows_.classes, static_cast<CountedRows>(task_.counted),
                       task_.label, task_.drawn);
      state_.label = chosen.label;
      state_.odds = chosen.odds;
    }
    __syncthreads();
  }

  __device__ bool counts_all() const {
    return task_.counted == static_cast<std::uint8_t>(CountedRows::all);
  }

  /// Keeps rows of the label that are wrong, and those of others that are right, or all of others.
  /// If all count, the mask has all.
  __device__ void keep_what_matters(std::uint32_t label) {
    const bool gains = task_.counted == static_cast<std::uint8_t>(CountedRows::gains);
    for (std::uint32_t w = threadIdx.x; w < words_; w += growth_threads) {
      if (rows_.labels[first_ + w] == label) {
        memory_.all[w] = memory_.mask[w];
      } else if (!gains) {
        memory_.all[w] |= memory_.mask[w];
      }
    }
    __syncthreads();
  }

  __device__ void begin_conjunction() {
    for (std::uint32_t i = threadIdx.x; i < task_.starts; i += growth_threads) {
      memory_.conjunction[i] = memory_.best[i] = starts_[i];
    }
    if (threadIdx.x == 0) state_.comparisons = state_.best = task_.starts;
    __syncthreads();
  }

  __device__ bool looks_at(const std::uint32_t* looked_at, std::uint32_t attribute) const {
    return looked_at == nullptr || (looked_at[attribute / 32] >> (attribute % 32) & 1) != 0;
  }

  /// Adds the best comparison. @return is there one?
  __device__ bool step(std::uint32_t number, double least, GrowthBalance& now) {
    const std::uint32_t* const looked_at =
        task_.step_words == 0 ? nullptr : looked_at_ + number * task_.step_words;
    weigh_present(looked_at);
    const bool coarse = window_.rows() > most_fine_rows;
    Part part = {coarse ? rows_.coarse : nullptr, 0,
                 coarse ? rows_.coarse_count : rows_.literal_count};
    Best best;
    for (bool closer = false;; closer = true) {  // one body of code
      const Best its = agree(best_of(part, looked_at, now, least));
      if (!closer || its.score > best.score) best = its;
      if (closer || best.place == nowhere) break;
      part = near(best.place / 2);
      if (!coarse || part.begin == part.end) break;
    }
    if (best.place == nowhere) return false;
    if (!is_more_precise(best.balance, now)) return false;
    now = best.balance;
    if (threadIdx.x == 0) state_.go_on = add(best.place, now) ? 1 : 0;
    window_.narrow_by(best.place);
    __syncthreads();
    return state_.go_on != 0;
  }

  /// The best that a thread sees of some literals.
  __device__ Best best_of(const Part& part, const std::uint32_t* looked_at,
                          const GrowthBalance& now, double least) {
    const GrowthScorer scorer(now, static_cast<GrowthCriterion>(task_.criterion), task_.prior_rows);
    const auto number = [&part](std::uint32_t i) {
      return part.literals == nullptr ? i : part.literals[i];
    };
    Best best;
    const std::uint32_t at_once = growth_counts / max(state_.runs, 1U);
    for (std::uint32_t first = part.begin; first < part.end; first += at_once) {
      const std::uint32_t last = min(first + at_once, part.end);
      for (std::uint32_t i = first + growth_warp(); i < last; i += growth_warps) {
        if (looks_at(looked_at, rows_.literals[number(i)].x)) {
          window_.count(number(i), memory_.counts + (i - first) * state_.runs);
        }
      }
      __syncthreads();
      for (std::uint32_t i = first + threadIdx.x; i < last; i += growth_threads) {
        if (!looks_at(looked_at, rows_.literals[number(i)].x)) continue;
        look_at(number(i), memory_.counts + (i - first) * state_.runs, now, least, scorer, best);
      }
      __syncthreads();
    }
    return best;
  }

  /// Literals near one that was looked at first; none if its neighbours were, too.
  __device__ Part near(std::uint32_t literal) const {
    const GrowthAttribute& attribute = rows_.attributes[rows_.literals[literal].x];
    const std::uint32_t lowest = attribute.first_literal, stride = attribute.stride;
    if (stride <= 1) return {nullptr, 0, 0};
    const std::uint32_t after = literal + 1;
    return {nullptr, after - lowest > stride ? after - stride : lowest,
            min(after + stride - 1, lowest + attribute.literals)};
  }

  /// Weighs, for attributes with missing values, the rows with a value.
  __device__ void weigh_present(const std::uint32_t* looked_at) {
    for (std::uint32_t m = growth_warp(); m < rows_.missing_count; m += growth_warps) {
      if (!looks_at(looked_at, rows_.missing[m])) continue;
      GrowthBalance balance;
      for (std::uint32_t r = 0; r < state_.runs; ++r) {
        balance.add(memory_.weights[r],
                    window_.count(row_set(rows_, rows_.literal_count + m), memory_.runs[r]));
      }
      if (growth_lane() == 0) memory_.present[m] = make_double2(balance.gained, balance.lost);
    }
    __syncthreads();
  }

  /// Looks at both sides of a literal. @param counts  [runs] of its rows
  __device__ void look_at(std::uint32_t literal, const std::uint32_t* counts,
                          const GrowthBalance& now, double least, const GrowthScorer& scorer,
                          Best& best) const {
    const GrowthAttribute& attribute = rows_.attributes[rows_.literals[literal].x];
    GrowthBalance present = now;
    if (attribute.has_missing != 0) {
      const double2 its = memory_.present[attribute.present - rows_.literal_count];
      present = {its.x, its.y};
    }
    const GrowthBalance in = window_.balance_of(counts);
    for (std::uint32_t side = 0; side < 2; ++side) {
      const GrowthBalance its = side == 0 ? in : present - in;
      if (!may_go_on(its, now, least)) continue;
      const double score = scorer.score(its);
      const std::uint32_t place = 2 * literal + side;
      best.take(score, place);
      if (best.place == place) best.balance = its;
    }
  }

  /// @return the best of all threads, for all of them
  __device__ Best agree(const Best& own) {
    Best best = own;
#pragma unroll
    for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
      const double score = __shfl_xor_sync(~0U, best.score, distance);
      const std::uint32_t place = __shfl_xor_sync(~0U, best.place, distance);
      best.take(score, place);
    }
    if (growth_lane() == 0) {
      state_.scores[growth_warp()] = best.score;
      state_.places[growth_warp()] = best.place;
    }
    __syncthreads();
    for (std::uint32_t w = 0; w < growth_warps; ++w) best.take(state_.scores[w], state_.places[w]);
    if (best.place != nowhere && own.place == best.place) {
      state_.gained = own.balance.gained;
      state_.lost = own.balance.lost;
    }
    __syncthreads();
    best.balance = {state_.gained, state_.lost};
    return best;
  }

  /// Adds a comparison to the conjunction, which becomes the best if it gains most. One thread
  /// calls it.
  /// @return false if nothing would be left
  __device__ bool add(std::uint32_t place, const GrowthBalance& now) {
    const uint2 literal = rows_.literals[place / 2];
    const GrowthAttribute& attribute = rows_.attributes[literal.x];
    const bool ordered = attribute.ordered != 0, inside = place % 2 == 0;
    GrowthComparison comparison = {literal.x, literal.y, literal.y, inside ? 0U : 1U};
    if (ordered) {
      comparison = inside ? GrowthComparison{literal.x, 0, literal.y, 0}
                          : GrowthComparison{literal.x, literal.y + 1, attribute.distinct - 1, 0};
    }
    std::uint32_t comparisons = state_.comparisons;
    if (!add_comparison(memory_.conjunction, comparisons, comparison, ordered)) return false;
    state_.comparisons = comparisons;
    const double gain = now.net(cost_, comparisons);
    if (gain <= state_.best_gain && state_.best != 0) return true;
    state_.best_gain = gain;
    state_.best = comparisons;
    for (std::uint32_t i = 0; i < comparisons; ++i) memory_.best[i] = memory_.conjunction[i];
    return true;
  }

  /// Leaves out the first comparison without which nothing is lost, for as long as there is one.
  /// @return what the rest gains
  __device__ double prune() {
    for (bool first = true;; first = false) {
      count_without();
      if (threadIdx.x == 0) {
        if (first) state_.best_gain = net_of(state_.best, state_.best);
        state_.go_on = leave_out() ? 1 : 0;
      }
      __syncthreads();
      if (state_.go_on == 0) return state_.best_gain;
    }
  }

  /// Counts the rows of each run that the best conjunction holds on without each comparison, and
  /// those on which it holds: where all of its comparisons hold, and where all but this one do.
  __device__ void count_without() {
    const std::uint32_t comparisons = state_.best;
    window_.resolve(memory_.best, comparisons);
    for (std::uint32_t w = threadIdx.x; w < words_; w += growth_threads) {
      unsigned long long all = memory_.all[w], single = 0;
      for (std::uint32_t i = 0; i < comparisons && (all | single) != 0; ++i) {
        const unsigned long long its = word_of(rows_, memory_.terms[i], first_ + w);
        single = (single & its) | (all & ~its);
        all &= its;
      }
      memory_.mask[w] = all;
      memory_.single[w] = single;
    }
    __syncthreads();
    for (std::uint32_t p = growth_warp(); p < (comparisons + 1) * state_.runs; p += growth_warps) {
      const std::uint32_t without = p / state_.runs;
      const uint2 run = memory_.runs[p % state_.runs];
      std::uint32_t sum = 0;
      for (std::uint32_t w = run.x + growth_lane(); w < run.y; w += 32) {
        unsigned long long its = memory_.mask[w];
        const unsigned long long single = without == comparisons ? 0 : memory_.single[w];
        if (single != 0) its |= single & ~word_of(rows_, memory_.terms[without], first_ + w);
        sum += __popcll(its);
      }
      sum = __reduce_add_sync(~0U, sum);
      if (growth_lane() == 0) memory_.counts[p] = sum;
    }
    __syncthreads();
  }

  /// @param without  a comparison that is left out, or their number
  __device__ double net_of(std::uint32_t without, std::uint32_t comparisons) const {
    return window_.balance_of(memory_.counts + without * state_.runs).net(cost_, comparisons);
  }

  /// Leaves out a comparison that gains nothing. One thread calls it. @return was one left out?
  __device__ bool leave_out() {
    const std::uint32_t comparisons = state_.best;
    for (std::uint32_t i = 0; i < comparisons && comparisons > 1; ++i) {
      const double without = net_of(i, comparisons - 1);
      if (without < state_.best_gain) continue;
      state_.best_gain = without;
      state_.best = comparisons - 1;
      for (std::uint32_t j = i; j + 1 < comparisons; ++j) memory_.best[j] = memory_.best[j + 1];
      return true;
    }
    return false;
  }

  const GrowthRows& rows_;
  const GrowthBatch& batch_;
  const GrowthMemory& memory_;
  GrowthState& state_;
  const GrowthHead& task_;
  const GrowthTerm* terms_;
  const GrowthComparison* starts_;
  const std::uint32_t* looked_at_;
  const GrowthWindow window_;
  std::uint32_t first_;  // word of the window
  std::uint32_t words_;
  double cost_ = 0;  // of a comparison
};

}  // namespace atl::cuda
