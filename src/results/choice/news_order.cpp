#include "src/results/choice/news_order.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "src/core/set_bits.hpp"

namespace atl {
namespace {

constexpr std::size_t reference_lines = 20;
constexpr std::size_t early_lines = 10;  // chosen together
constexpr std::size_t most_exchanges = 64;
constexpr double least_news = 1e-9;  // of an exchange
constexpr double front_weight = 3;
constexpr double most_alike = 0.25;  // of the early lines, in the mean of their pairs
constexpr double alike_weight = 10;

/// What is chosen so far, and what each rule would add.
class News {
 public:
  News(const CoveredRows& rules, ThreadPool& pool)
      : rules_(rules), gains_(rules.gains()), pool_(pool) {
    for (const double share : front_sizes(rules.rows())) {
      sizes_.push_back(
          {static_cast<std::uint32_t>(std::ceil(share * static_cast<double>(rules.rows()))),
           share});
    }
    all_covers_.resize(rules.rules());
    pool.wait(pool.submit(rules.rules(), [&](std::size_t i, unsigned) {
      for_each_set_bit(rules.bits(i), rules.bits(i),
                       [&](std::size_t row) { all_covers_[i] += gains_[row]; });
    }));
    set_references();
  }

  void begin() {
    state_.weights.assign(gains_.size(), 1);
    state_.at_size.assign(sizes_.size(), 0);
    state_.covers = all_covers_;
  }

  void take(std::size_t rule) {
    weigh_anew(rule, 0.5);
    serve_sizes(rule);
  }

  /// After begin() and take() for each of `lines`: as if one of them had not been taken, which is
  /// less work than to take all the others. @param use  is called with that
  template <typename Use>
  void without_each(const std::vector<std::size_t>& lines, const Use& use) {
    const State all = state_;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      state_ = all;
      weigh_anew(lines[k], 2);
      state_.at_size.assign(sizes_.size(), 0);
      for (const std::size_t rule : lines) {
        if (rule != lines[k]) serve_sizes(rule);
      }
      use(k);
    }
  }

  /// The best for weighted covering alone.
  const std::vector<std::size_t>& covering() const noexcept { return covering_; }

  double of(std::size_t rule) const { return cover_news(rule) + front_news(rule); }

  /// Notes of each line the greatest size of which it is the most certain of all lines.
  void note_strongest(std::vector<NewsLine>& lines) const {
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      NewsLine* best = nullptr;
      for (NewsLine& line : lines) {
        if (rules_.sum(line.rule).rows < sizes_[s].rows) continue;
        if (best && rules_.certainty(line.rule) <= rules_.certainty(best->rule)) continue;
        best = &line;
      }
      if (best) best->strongest_of = sizes_[s].share;
    }
  }

 private:
  struct Size {
    std::uint32_t rows;
    double share;
  };

  struct State {
    std::vector<double> weights;  // [row]
    std::vector<double> covers;   // [rule] at these weights
    std::vector<double> at_size;  // [size] the best certainty so far
  };

  /// Rows of a rule weigh so many times as much from now on.
  void weigh_anew(std::size_t rule, double factor) {
    const RowBits& its = rules_.bits(rule);
    pool_.wait(pool_.submit(rules_.rules(), [&](std::size_t i, unsigned) {
      double sum = 0;
      for_each_set_bit(rules_.bits(i), its,
                       [&](std::size_t row) { sum += state_.weights[row] * gains_[row]; });
      state_.covers[i] += (factor - 1) * sum;
    }));
    for_each_set_bit(its, its, [&](std::size_t row) { state_.weights[row] *= factor; });
  }

  void serve_sizes(std::size_t rule) {
    for (std::size_t s = 0; s < sizes_of(rule); ++s) {
      state_.at_size[s] = std::max(state_.at_size[s], rules_.certainty(rule));
    }
  }

  /// Sizes that the rule has: the first ones.
  std::size_t sizes_of(std::size_t rule) const {
    const auto end =
        std::upper_bound(sizes_.begin(), sizes_.end(), rules_.sum(rule).rows,
                         [](std::uint32_t rows, const Size& s) { return rows < s.rows; });
    return static_cast<std::size_t>(end - sizes_.begin());
  }

  double cover_news(std::size_t rule) const { return state_.covers[rule] / cover_reference_; }

  double front_news(std::size_t rule) const {
    double news = 0;
    for (std::size_t s = 0; s < sizes_of(rule); ++s) {
      news += std::max(rules_.certainty(rule) - state_.at_size[s], 0.0);
    }
    return front_weight * news / front_reference_;
  }

  void set_references() {
    begin();
    double cover = 0;
    for (std::size_t k = 0; k < std::min(reference_lines, rules_.rules()); ++k) {
      const std::vector<double>& covers = state_.covers;
      const auto best =
          static_cast<std::size_t>(std::max_element(covers.begin(), covers.end()) - covers.begin());
      if (covers[best] <= 0) break;
      cover += covers[best];
      covering_.push_back(best);
      take(best);
    }
    begin();
    for (std::size_t i = 0; i < rules_.rules(); ++i) serve_sizes(i);
    double front = 0;
    for (const double best : state_.at_size) front += best;
    if (cover > 0) cover_reference_ = cover;
    if (front > 0) front_reference_ = front;
  }

  const CoveredRows& rules_;
  const std::vector<double> gains_;  // [row]
  ThreadPool& pool_;
  std::vector<Size> sizes_;         // ascending
  std::vector<double> all_covers_;  // [rule] where every row weighs 1
  double cover_reference_ = 1, front_reference_ = 1;
  State state_;
  std::vector<std::size_t> covering_;
};

class Order {
 public:
  Order(const CoveredRows& rules, std::span<const std::size_t> may_begin, const NewsLimits& limits,
        ThreadPool& pool)
      : rules_(rules),
        limits_(limits),
        pool_(pool),
        news_(rules, pool),
        may_begin_(rules.rules(), false) {
    for (const std::size_t rule : may_begin) may_begin_[rule] = true;
  }

  NewsOrder make() {
    std::vector<std::size_t> early;
    for (const NewsLine& line : greedy({}, std::min(limits_.lines, early_lines)).lines) {
      early.push_back(line.rule);
    }
    for (std::size_t k = 0; k < most_exchanges && exchange(early); ++k) {
    }
    NewsOrder order = greedy(early, limits_.lines);
    order.covering = news_.covering();
    news_.note_strongest(order.lines);
    return order;
  }

 private:
  /// The greedy order, of `early` first.
  NewsOrder greedy(const std::vector<std::size_t>& early, std::size_t most) {
    news_.begin();
    NewsOrder order;
    std::vector<NewsLine>& lines = order.lines;
    std::vector<char> gone(rules_.rules(), 0);
    const auto is_left = [&](std::size_t rule) { return gone[rule] == 0; };
    while (lines.size() < most) {
      const bool is_early = std::any_of(early.begin(), early.end(), is_left);
      std::optional<std::size_t> best;
      double value = 0;
      for (std::size_t i = 0; i < rules_.rules(); ++i) {
        const bool waits = is_early && !holds(early, i);
        if (!is_left(i) || waits || (lines.empty() && !may_begin_[i])) continue;
        const double its = news_.of(i);
        if (best && its <= value) continue;
        best = i;
        value = its;
      }
      if (!best) break;
      if (lines.size() < early_lines) order.early += value;
      lines.push_back({*best, std::nullopt});
      news_.take(*best);
      gone[*best] = 1;
      pool_.wait(pool_.submit(rules_.rules(), [&](std::size_t i, unsigned) {
        if (is_left(i) && is_variant(i, *best)) gone[i] = 1;
      }));
    }
    return order;
  }

  static bool holds(const std::vector<std::size_t>& rules, std::size_t rule) {
    return std::find(rules.begin(), rules.end(), rule) != rules.end();
  }
  bool is_variant(std::size_t rule, std::size_t line) const {
    return rules_.is_variant(rule, line, limits_.most_similar);
  }

  /// Makes the exchange of one line for another rule that adds most. False: none adds anything.
  bool exchange(std::vector<std::size_t>& lines) {
    double most = least_news;
    std::pair<std::size_t, std::size_t> best{lines.size(), 0};
    news_.begin();
    for (const std::size_t rule : lines) news_.take(rule);
    news_.without_each(lines, [&](std::size_t k) {
      std::vector<std::size_t> others = lines;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      if (const auto better = best_beside(others, lines[k], most)) best = {k, *better};
    });
    if (best.first == lines.size()) return false;
    lines[best.first] = best.second;
    return true;
  }

  /// The rule that adds most beyond what the one that goes adds, and more than `most`, which it
  /// replaces.
  std::optional<std::size_t> best_beside(const std::vector<std::size_t>& others, std::size_t going,
                                         double& most) {
    const bool begins = std::any_of(others.begin(), others.end(),
                                    [&](std::size_t rule) { return may_begin_[rule]; });
    const std::vector<double> losses = losses_beside(others);
    const double given = news_.of(going) - losses[going];
    std::vector<std::pair<double, std::size_t>> better;
    for (std::size_t i = 0; i < rules_.rules(); ++i) {
      const double gain = news_.of(i) - losses[i] - given;
      if (gain > most && (begins || may_begin_[i]) && !holds(others, i))
        better.emplace_back(-gain, i);
    }
    std::sort(better.begin(), better.end());
    for (const std::pair<double, std::size_t>& loss_of : better) {
      const std::size_t rule = loss_of.second;
      const bool fits = std::none_of(others.begin(), others.end(), [&](std::size_t other) {
        return is_variant(rule, other) || is_variant(other, rule);
      });
      if (!fits) continue;
      most = -loss_of.first;
      return rule;
    }
    return std::nullopt;
  }

  /// [rule] what it takes from the sum of the figures beside others, as they are too much alike.
  std::vector<double> losses_beside(const std::vector<std::size_t>& others) {
    std::vector<double> alike(rules_.rules(), 0);
    double between = 0;
    for (const std::size_t line : others) {
      const std::vector<double>& its = likeness_to(line);
      for (std::size_t i = 0; i < alike.size(); ++i) alike[i] += its[i];
      for (const std::size_t other : others) between += other < line ? its[other] : 0;
    }
    const double pairs = static_cast<double>(others.size() * (others.size() + 1)) / 2;
    for (double& sum : alike) {
      sum = alike_weight * std::max((between + sum) / std::max(pairs, 1.0) - most_alike, 0.0);
    }
    return alike;
  }

  const std::vector<double>& likeness_to(std::size_t line) {
    const auto [known, is_new] = likeness_.try_emplace(line);
    std::vector<double>& its = known->second;
    if (!is_new) return its;
    its.resize(rules_.rules());
    pool_.wait(pool_.submit(rules_.rules(),
                            [&](std::size_t i, unsigned) { its[i] = rules_.likeness(i, line); }));
    return its;
  }

  const CoveredRows& rules_;
  NewsLimits limits_;
  ThreadPool& pool_;
  News news_;
  std::vector<bool> may_begin_;                          // [rule]
  std::map<std::size_t, std::vector<double>> likeness_;  // [line][rule]
};

}  // namespace

NewsOrder order_by_news(const CoveredRows& rules, std::span<const std::size_t> may_begin,
                        const NewsLimits& limits, ThreadPool& pool) {
  return Order(rules, may_begin, limits, pool).make();
}

}  // namespace atl
