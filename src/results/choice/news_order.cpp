#include "src/results/choice/news_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "src/measures/fisher.hpp"
#include "src/measures/mean_significance.hpp"
#include "src/results/choice/front.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {

namespace {

double number(const char* name, double value) {
  return std::getenv(name) ? std::atof(std::getenv(name)) : value;
}

constexpr std::size_t reference_rules = 20;
constexpr std::size_t early_lines = 10;
constexpr double log_unproductive = -2.995732273553991;  // ln 0.05

template <typename Each>
void each_row(const AntecedentRows::Bits& bits, const Each& each) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1) {
      each(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

/// What rows say of the consequent.
struct Gains {
  std::vector<double> values;  // [row] 1 or 0, or how far the value lies on the side asked for
  std::vector<std::uint64_t> count;  // bits of the rows that count
  double mean = 0;
  std::uint64_t rows = 0;
};

class Order {
 public:
  Order(const NewsTask& task, const AntecedentRows& rows, std::span<const Attribute> attributes,
        ThreadPool& pool)
      : task_(task), pool_(pool), of_mean_(of_mean(task.records[0])) {
    find_gains(rows, attributes);
    std::vector<const Expression*> sides;
    for (const RuleRecord& record : task.records) sides.push_back(&record.rule.antecedent);
    bits_ = rows.cover(sides);
    sums_.resize(bits_.size());
    pool_.wait(pool_.submit(bits_.size(), [&](std::size_t i, unsigned) {
      for (std::size_t w = 0; w < bits_[i].size(); ++w) bits_[i][w] &= gains_.count[w];
      sums_[i] = sum_of(bits_[i]);
      
    }));
    for (const FrontSum& sum : sums_) {
      certainty_.push_back(sum.rows == 0 ? 0 : certainty(sum, of_mean_) - gains_.mean);
    }
    for (const double share : front_sizes(gains_.rows)) {
      sizes_.push_back(
          static_cast<std::uint32_t>(std::ceil(share * static_cast<double>(gains_.rows))));
    }
  }

  std::vector<NewsLine> make() {
    set_references();
    std::vector<std::size_t> early = greedy({}, std::min(task_.top, early_lines));
    improve(early);
    if (std::getenv("NEWS_LOG")) { begin(); double cover = 0; for (auto r : early) { cover += cover_[r]; take(r); } double front = 0; for (double a : at_size_) front += a; std::fprintf(stderr, "early cover %.4f front %.4f\n", cover / cover_reference_, front / front_reference_); }
    std::vector<std::size_t> all = greedy(early, task_.top);
    std::vector<NewsLine> lines;
    std::vector<bool> gone(task_.records.size(), false);
    for (const std::size_t rule : all) gone[rule] = true;
    for (const std::size_t rule : all) {
      lines.push_back({rule, {}});
      for (std::size_t i = 0; i < gone.size(); ++i) {
        if (gone[i] || !is_variant(i, rule)) continue;
        gone[i] = true;
        lines.back().variants.push_back(i);
      }
    }
    if (std::getenv("NEWS_LOG")) {
      for (std::size_t s = 0; s < sizes_.size(); ++s) {
        std::size_t best = bits_.size();
        for (std::size_t i = 0; i < bits_.size(); ++i)
          if (sums_[i].rows >= sizes_[s] && (best == bits_.size() || certainty_[i] > certainty_[best])) best = i;
        if (best == bits_.size()) continue;
        int line = -1, variant = 0;
        for (std::size_t l = 0; l < lines.size(); ++l) {
          if (lines[l].rule == best) line = static_cast<int>(l);
          for (auto v : lines[l].variants) if (v == best) line = static_cast<int>(l), variant = 1;
        }
        std::size_t rl = 0; for (std::size_t l = 0; l < lines.size(); ++l) if (sums_[lines[l].rule].rows >= sizes_[s] && certainty_[lines[l].rule] == at_size_[s]) { rl = l; break; }
        std::fprintf(stderr, "size %u best %.4f (rows %u, line %d variant %d) list %.4f (line %zu rows %u)\n", sizes_[s], certainty_[best], sums_[best].rows, line, variant, at_size_[s], rl, sums_[lines[rl].rule].rows);
      }
    }
    return lines;
  }

 private:
  static bool of_mean(const RuleRecord& record) {
    return record.table.target.side != TargetMoments::Side::none;
  }

  void find_gains(const AntecedentRows& rows, std::span<const Attribute> attributes) {
    const RuleRecord& record = task_.records[0];
    const Comparison conclusion = record.rule.consequent.comparisons()[0];
    gains_.values.assign(rows.rows(), 0);
    gains_.count.assign(rows.words(), 0);
    const auto codes = rows.codes(conclusion.attribute);
    const Attribute& attribute = attributes[conclusion.attribute];
    const bool low = record.table.target.side == TargetMoments::Side::low;
    const bool exclude = record.table.n < record.table.n + 0;
    double sum = 0;
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] == missing_code && (of_mean_ || exclude)) continue;
      gains_.count[row / 64] |= std::uint64_t{1} << row % 64;
      ++gains_.rows;
      if (codes[row] == missing_code) continue;
      if (of_mean_) {
        const double value = (attribute.low[codes[row]] + attribute.high[codes[row]]) / 2;
        gains_.values[row] = low ? -value : value;
      } else {
        gains_.values[row] = takes(conclusion, codes[row]) ? 1 : 0;
      }
      sum += gains_.values[row];
    }
    gains_.mean = gains_.rows == 0 ? 0 : sum / static_cast<double>(gains_.rows);
  }

  FrontSum sum_of(const AntecedentRows::Bits& bits) const {
    FrontSum sum;
    each_row(bits, [&](std::size_t row) {
      ++sum.rows;
      sum.gain += gains_.values[row];
      sum.square += gains_.values[row] * gains_.values[row];
    });
    return sum;
  }

  double news(std::size_t rule) const {
    return cover_weight_ * cover_[rule] / cover_reference_ +
           front_weight_ * front_news(rule) / front_reference_;
  }

  bool may_be_first(std::size_t rule) const {
    return evaluate(task_.measure, task_.records[rule].table) >=
           first_share_ * evaluate(task_.measure, task_.records[0].table);
  }

  bool conflict(std::size_t a, std::size_t b) const { return is_variant(a, b) || is_variant(b, a); }

  /// The greedy order, of some rules first.
  std::vector<std::size_t> greedy(const std::vector<std::size_t>& first, std::size_t most) {
    begin();
    std::vector<std::size_t> order;
    std::vector<bool> gone(bits_.size(), false);
    while (order.size() < most) {
      std::size_t best = bits_.size();
      double value = 0;
      const auto look = [&](std::size_t i) {
        if (gone[i] || (order.empty() && !may_be_first(i))) return;
        const double its = news(i);
        if (best != bits_.size() && its <= value) return;
        best = i;
        value = its;
      };
      if (order.size() < first.size()) {
        for (const std::size_t i : first) look(i);
      } else {
        for (std::size_t i = 0; i < bits_.size(); ++i) look(i);
      }
      if (best == bits_.size()) break;
      gone[best] = true;
      order.push_back(best);
      take(best);
      if (order.size() <= first.size() && order.size() != first.size()) continue;
      const auto since = order.size() == first.size() ? order.begin() : order.end() - 1;
      pool_.wait(pool_.submit(bits_.size(), [&](std::size_t i, unsigned) {
        if (gone[i]) return;
        const bool is = std::any_of(since, order.end(), [&](std::size_t of) { return is_variant(i, of); });
        if (is) like_[i] = 1;
      }));
      for (std::size_t i = 0; i < gone.size(); ++i) gone[i] = gone[i] || like_[i] != 0;
    }
    std::fill(like_.begin(), like_.end(), 0);
    return order;
  }

  /// Puts other rules in the place of one as long as that makes the sum greater.
  void improve(std::vector<std::size_t>& chosen) {
    for (int round = 0; round < 40; ++round) {
      double most = 1e-9;
      std::size_t from = 0, to = 0;
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        begin();
        for (std::size_t i = 0; i < chosen.size(); ++i) if (i != k) take(chosen[i]);
        const double own = news(chosen[k]);
        bool others_first = false;
        for (std::size_t i = 0; i < chosen.size(); ++i) others_first |= i != k && may_be_first(chosen[i]);
        std::vector<std::pair<double, std::size_t>> better;
        for (std::size_t i = 0; i < bits_.size(); ++i) {
          const double gain = news(i) - own;
          if (gain > most && (others_first || may_be_first(i))) better.emplace_back(gain, i);
        }
        std::sort(better.begin(), better.end(), [](const auto& a, const auto& b) {
          return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        for (const auto& [gain, i] : better) {
          bool fits = true;
          for (std::size_t j = 0; j < chosen.size() && fits; ++j) fits = j == k || (chosen[j] != i && !conflict(i, chosen[j]));
          if (!fits) continue;
          most = gain;
          from = k;
          to = i;
          break;
        }
      }
      if (most <= 1e-9) break;
      if (std::getenv("NEWS_LOG")) std::fprintf(stderr, "swap %zu -> %zu for %.5f\n", chosen[from], to, most);
      chosen[from] = to;
    }
  }

  void begin() {
    weights_.assign(gains_.values.size(), 1);
    at_size_.assign(sizes_.size(), 0);
    cover_.resize(bits_.size());
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      cover_[i] = sums_[i].gain - gains_.mean * sums_[i].rows;
    }
  }

  void take(std::size_t rule) {
    pool_.wait(pool_.submit(bits_.size(), [&](std::size_t i, unsigned) {
      double lost = 0;
      for (std::size_t w = 0; w < bits_[i].size(); ++w) {
        for (std::uint64_t word = bits_[i][w] & bits_[rule][w]; word != 0; word &= word - 1) {
          const std::size_t row = 64 * w + static_cast<std::size_t>(std::countr_zero(word));
          lost += weights_[row] * (gains_.values[row] - gains_.mean);
        }
      }
      cover_[i] -= lost / 2;
    }));
    each_row(bits_[rule], [&](std::size_t row) { weights_[row] /= 2; });
    for (std::size_t s = 0; s < sizes_.size() && sizes_[s] <= sums_[rule].rows; ++s) {
      at_size_[s] = std::max(at_size_[s], certainty_[rule]);
    }
  }

  double front_news(std::size_t rule) const {
    double news = 0;
    for (std::size_t s = 0; s < sizes_.size() && sizes_[s] <= sums_[rule].rows; ++s) {
      news += std::max(certainty_[rule] - at_size_[s], 0.0);
    }
    return news;
  }

  /// What the best lists for one figure alone have of it.
  void set_references() {
    begin();
    std::vector<bool> gone(bits_.size(), false);
    for (std::size_t k = 0; k < std::min(reference_rules, bits_.size()); ++k) {
      std::size_t best = bits_.size();
      for (std::size_t i = 0; i < bits_.size(); ++i) {
        if (!gone[i] && (best == bits_.size() || cover_[i] > cover_[best])) best = i;
      }
      if (cover_[best] <= 0) break;
      cover_reference_ += cover_[best];
      gone[best] = true;
      take(best);
    }
    begin();
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      for (std::size_t s = 0; s < sizes_.size() && sizes_[s] <= sums_[i].rows; ++s) {
        at_size_[s] = std::max(at_size_[s], certainty_[i]);
      }
    }
    for (const double best : at_size_) front_reference_ += best;
    if (cover_reference_ <= 0) cover_reference_ = 1;
    if (front_reference_ <= 0) front_reference_ = 1;
  }

  bool is_variant(std::size_t rule, std::size_t of) const {
    const double own = sums_[rule].rows, its = sums_[of].rows;
    const double least = std::min(own, its);
    if (least < 0.5 * std::max(own, its) && own > its) return false;
    const auto common = static_cast<double>(
        common_bits(bits_[rule].data(), bits_[of].data(), bits_[rule].size()));
    if (common > task_.most_similar * (own + its - common)) return true;
    return common >= 0.9 * own && !is_productive(rule, of);
  }

  bool is_productive(std::size_t rule, std::size_t of) const {
    AntecedentRows::Bits both = bits_[rule];
    for (std::size_t w = 0; w < both.size(); ++w) both[w] &= bits_[of][w];
    const FrontSum special = sum_of(both), general = sums_[of];
    const auto whole = [](double x) { return static_cast<std::uint64_t>(x); };
    if (!of_mean_) {
      return log_fisher_p({general.rows, special.rows, whole(general.gain), whole(special.gain)}) <=
             log_unproductive;
    }
    ContingencyTable table{general.rows, special.rows, general.rows, special.rows};
    const double mean = general.gain / general.rows;
    table.target = {.side = TargetMoments::Side::high,
                    .mean = special.gain / special.rows,
                    .mean_rest = 0,
                    .mean_all = mean,
                    .deviation_all = std::sqrt(std::max(general.square / general.rows - mean * mean, 0.0)),
                    .deviation = -1};
    return log_mean_p(table) <= log_unproductive;
  }

  const NewsTask& task_;
  ThreadPool& pool_;
  bool of_mean_;
  Gains gains_;
  std::vector<AntecedentRows::Bits> bits_;  // [rule]
  std::vector<FrontSum> sums_;
  std::vector<double> certainty_;     // [rule] beyond the mean
  std::vector<std::uint32_t> sizes_;  // least rows, ascending
  std::vector<double> weights_;       // [row]
  std::vector<double> cover_;         // [rule] at today's weights
  std::vector<double> at_size_;       // [size] the best certainty so far
  std::vector<char> like_ = std::vector<char>(task_.records.size(), 0);
  double first_share_ = number("NEWS_FIRST", 0.999);
  double cover_reference_ = 0, front_reference_ = 0;
  double cover_weight_ = number("NEWS_COVER", 1), front_weight_ = number("NEWS_FRONT", 1);
};

}  // namespace

std::vector<NewsLine> order_by_news(const NewsTask& task, const AntecedentRows& rows,
                                    std::span<const Attribute> attributes, ThreadPool& pool) {
  if (task.records.empty()) return {};
  return Order(task, rows, attributes, pool).make();
}

}  // namespace atl
