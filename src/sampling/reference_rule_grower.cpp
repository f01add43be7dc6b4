// The grower that every other must agree with: plain loops over the rows of a window, one code at a
// time.
#include <algorithm>
#include <utility>

#include "src/sampling/rule_grower.hpp"

namespace atl {
namespace {

class ReferenceRuleGrower final : public RuleGrower {
 public:
  ReferenceRuleGrower(const Dataset& dataset, std::shared_ptr<const ClassSample> sample,
                      const GrowthSettings& settings)
      : dataset_(dataset),
        sample_(std::move(sample)),
        settings_(settings),
        weights_(weights_in_window(*sample_, settings)),
        least_(least_in_window(*sample_, settings)) {
    for (std::uint32_t a = 0; a < dataset.attributes().size(); ++a) {
      codes_.push_back(all_codes(dataset, a));
    }
  }

  void start(std::span<const GrowthTask> tasks) override {
    grown_.clear();
    for (const GrowthTask& task : tasks) grown_.push_back(grow(task));
  }
  void read(std::span<std::optional<Grown>> out) override {
    std::move(grown_.begin(), grown_.end(), out.begin());
  }

 private:
  using Conjunction = std::vector<Comparison>;
  struct Row {
    std::uint64_t row;  // of the dataset
    std::uint32_t label;
    bool right;  // without the rule that is to be grown
  };

  bool holds(const Comparison& comparison, std::uint64_t row) const {
    const std::uint32_t code = codes_[comparison.attribute][row];
    if (code == missing_code || asks_missing(comparison)) return takes(comparison, code);
    const Attribute& attribute = dataset_.attributes()[comparison.attribute];
    if (asks_known(comparison, attribute.distinct())) return true;
    const Comparison its = as_grown(comparison, attribute);
    return sample_->knows(its.attribute, code) ? takes(its, code) : its.negated;
  }
  bool holds(const Conjunction& conjunction, std::uint64_t row) const {
    for (const Comparison& comparison : conjunction) {
      if (!holds(comparison, row)) return false;
    }
    return true;
  }
  bool covers(const Expression& antecedent, std::uint64_t row) const {
    std::vector<bool> stack;
    std::size_t next = 0;
    for (const Op op : antecedent.program()) {
      if (op == Op::comparison) {
        stack.push_back(holds(antecedent.comparisons()[next++], row));
        continue;
      }
      const bool top = stack.back();
      if (op == Op::negation) {
        stack.back() = !top;
        continue;
      }
      stack.pop_back();
      stack.back() = op == Op::conjunction ? stack.back() && top : stack.back() || top;
    }
    return stack.empty() || stack.back();
  }

  /// The rows of the task's window that come to the gap.
  std::vector<Row> rows_at_gap(const GrowthTask& task) const {
    const SampleWindow& window = sample_->windows()[task.window];
    const std::uint64_t* const counted =
        task.without ? sample_->rows_without(*task.without) : sample_->rows();
    std::vector<Row> rows;
    for (const ClassSample::Place& place : sample_->places()) {
      const std::size_t word = place.position / 64;
      if (word < window.first() || word >= window.end()) continue;
      if ((counted[word] >> (place.position % 64) & 1) == 0) continue;
      bool before = false;
      for (const SharedRule& rule : task.before) {
        before = before || covers(rule->rule().antecedent, place.row);
      }
      if (before) continue;
      std::uint32_t decided = task.default_class;
      for (const SharedRule& rule : task.behind) {
        if (!covers(rule->rule().antecedent, place.row)) continue;
        decided = rule->rule().label;
        break;
      }
      const std::uint32_t label = codes_[sample_->class_attribute()][place.row];
      rows.push_back({place.row, label, decided == label});
    }
    return rows;
  }

  GrowthLabel label_of(const GrowthTask& task, const std::vector<Row>& rows) const {
    std::vector<std::uint32_t> counts(weights_.size(), 0);
    for (const Row& row : rows) {
      counts[row.label] += task.counted == CountedRows::all || !row.right ? 1 : 0;
    }
    std::vector<double> at_gap;
    for (std::size_t c = 0; c < counts.size(); ++c) at_gap.push_back(weights_[c] * counts[c]);
    const auto classes = static_cast<std::uint32_t>(counts.size());
    return growth_label(at_gap.data(), classes, task.counted, task.label.value_or(classes),
                        task.drawn);
  }

  /// The rows that count for a label.
  static std::vector<Row> that_count(const GrowthTask& task, const std::vector<Row>& rows,
                                     std::uint32_t label) {
    std::vector<Row> counting;
    for (const Row& row : rows) {
      const bool counts = row.label == label ? !row.right || task.counted == CountedRows::all
                                             : row.right || task.counted != CountedRows::gains;
      if (counts) counting.push_back(row);
    }
    return counting;
  }

  /// Sums have an order: that of classes, of which neighbours of the same weight are counted as
  /// one. Classes without words in the sample are between none.
  GrowthBalance balance_of(const GrowthTask& task, const GrowthLabel& label,
                           const std::vector<std::uint32_t>& counts) const {
    const SampleWindow& window = sample_->windows()[task.window];
    GrowthBalance balance;
    double weight = 0;
    std::uint32_t rows = 0;
    for (std::uint32_t c = 0; c < counts.size(); ++c) {
      if (window.classes[c] == window.classes[c + 1]) continue;
      const double its = counted_weight(weights_[c], c == label.label, label.odds);
      if (its != weight) {
        balance.add(weight, rows);
        weight = its;
        rows = 0;
      }
      rows += counts[c];
    }
    balance.add(weight, rows);
    return balance;
  }
  template <typename Holds>
  GrowthBalance balance_where(const GrowthTask& task, const GrowthLabel& label,
                              const std::vector<Row>& rows, const Holds& does) const {
    std::vector<std::uint32_t> counts(weights_.size(), 0);
    for (const Row& row : rows) counts[row.label] += does(row.row) ? 1 : 0;
    return balance_of(task, label, counts);
  }

  struct Step {
    Comparison comparison;
    GrowthBalance balance;
    double score;
    std::size_t literal;
  };

  /// Looks at both sides of a literal.
  void look_at(std::size_t literal, const GrowthTask& task, const GrowthLabel& label,
               const GrowthBalance& now, const std::vector<Row>& rows,
               std::optional<Step>& best) const {
    const auto [a, code] = sample_->literals()[literal];
    const Attribute& attribute = dataset_.attributes()[a];
    const Comparison inside{a, attribute.ordered() ? 0 : code, code, false};
    Comparison outside{a, code, code, true};
    if (attribute.ordered()) outside = {a, code + 1, attribute.distinct() - 1, false};
    const GrowthBalance in =
        balance_where(task, label, rows, [&](std::uint64_t row) { return holds(inside, row); });
    const auto has_value = [&, attribute_number = a](std::uint64_t row) {
      return codes_[attribute_number][row] != missing_code;
    };
    const GrowthBalance present =
        attribute.has_missing ? balance_where(task, label, rows, has_value) : now;
    const GrowthScorer scorer(now, task.criterion, task.prior_rows);
    for (const bool is_inside : {true, false}) {
      const GrowthBalance side = is_inside ? in : present - in;
      if (!may_go_on(side, now, least_[label.label])) continue;
      const double score = scorer.score(side);
      if (best && score <= best->score) continue;
      best = Step{is_inside ? inside : outside, side, score, literal};
    }
  }

  std::optional<Step> best_step(const GrowthTask& task, const GrowthLabel& label,
                                std::uint32_t step, const GrowthBalance& now,
                                const std::vector<Row>& rows) const {
    std::optional<Step> best;
    const std::size_t words = attribute_words(dataset_.attributes().size());
    const bool coarse = rows.size() > most_fine_rows;
    for (std::size_t l = 0; l < sample_->literals().size(); ++l) {
      const std::uint32_t a = sample_->literals()[l].attribute;
      if (!task.attributes.empty() &&
          (task.attributes[step * words + a / 64] >> (a % 64) & 1) == 0) {
        continue;
      }
      const std::size_t stride = coarse ? sample_->stride(a) : 1;
      if ((l - sample_->first_literal(a)) % stride != stride / 2) continue;
      look_at(l, task, label, now, rows, best);
    }
    if (!best) return std::nullopt;
    const std::uint32_t a = best->comparison.attribute;
    const std::size_t stride = coarse ? sample_->stride(a) : 1, middle = best->literal;
    for (std::size_t l = sample_->first_literal(a); l < sample_->first_literal(a + 1); ++l) {
      if (l + stride > middle && l < middle + stride) look_at(l, task, label, now, rows, best);
    }
    if (!is_more_precise(best->balance, now)) return std::nullopt;
    return best;
  }

  std::optional<Grown> grow(const GrowthTask& task) const {
    const std::vector<Row> reach = rows_at_gap(task);
    const GrowthLabel chosen = label_of(task, reach);
    const std::uint32_t label = chosen.label;
    if (label == weights_.size()) return std::nullopt;
    const std::vector<Row> rows = that_count(task, reach, label);
    const auto balance = [&](const Conjunction& conjunction) {
      return balance_where(task, chosen, rows,
                           [&](std::uint64_t row) { return holds(conjunction, row); });
    };
    const auto net = [&](const GrowthBalance& its, const Conjunction& conjunction) {
      return its.net(settings_.costs[task.price][label],
                     static_cast<std::uint32_t>(conjunction.size()));
    };
    Conjunction conjunction = task.start;
    GrowthBalance now = balance(conjunction);
    if (now.gained < least_[label]) return std::nullopt;
    Conjunction best = conjunction;
    double best_gain = conjunction.empty() ? 0 : net(now, conjunction);
    std::vector<Row> left;
    for (const Row& row : rows) {
      if (holds(conjunction, row.row)) left.push_back(row);
    }
    for (std::uint32_t s = 0; s < settings_.most_steps(); ++s) {
      if (conjunction.size() >= settings_.most_comparisons || now.lost <= 0) break;
      if (!best.empty() &&
          !may_gain_more(now, conjunction.data(), static_cast<std::uint32_t>(conjunction.size()),
                         settings_.costs[task.price][label], best_gain)) {
        break;
      }
      const auto step = best_step(task, chosen, s, now, left);
      if (!step || !add(conjunction, step->comparison, dataset_.attributes())) break;
      std::erase_if(left, [&](const Row& row) { return !holds(step->comparison, row.row); });
      now = step->balance;
      const double gain = net(now, conjunction);
      if (gain <= best_gain && !best.empty()) continue;
      best_gain = gain;
      best = conjunction;
    }
    if (best.empty()) return std::nullopt;
    // Prunes: leaves out the first comparison without which nothing is lost, again and again.
    double gain = net(balance(best), best);
    for (std::size_t i = 0; i < best.size() && best.size() > 1;) {
      Conjunction fewer = best;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const double without = net(balance(fewer), fewer);
      i = without < gain ? i + 1 : 0;
      if (i > 0) continue;
      gain = without;
      best = std::move(fewer);
    }
    if (gain <= 0) return std::nullopt;
    return Grown{label, grown_antecedent(std::move(best), dataset_.attributes())};
  }

  const Dataset& dataset_;
  const std::shared_ptr<const ClassSample> sample_;
  const GrowthSettings settings_;
  const std::vector<double> weights_;              // [classes] of a row of each class in a window
  const std::vector<double> least_;                // [classes] that a rule has to gain there
  std::vector<std::vector<std::uint32_t>> codes_;  // [attributes][rows]
  std::vector<std::optional<Grown>> grown_;
};

}  // namespace

std::unique_ptr<RuleGrower> make_reference_rule_grower(const Dataset& dataset,
                                                       std::shared_ptr<const ClassSample> sample,
                                                       const GrowthSettings& settings) {
  return std::make_unique<ReferenceRuleGrower>(dataset, std::move(sample), settings);
}

}  // namespace atl
