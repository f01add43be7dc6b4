// The device that every other must agree with: plain loops over rows, one code at a time.
#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "src/core/row_hash.hpp"
#include "src/data/class_folds.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/batch.hpp"
#include "src/eval/device.hpp"
#include "src/eval/rule_set_scorer.hpp"
#include "src/eval/target_values.hpp"
#include "src/rules/expression.hpp"

namespace atl {

namespace {

/// Does the comparison hold on the code? On a missing value `is missing` alone does.
bool holds(const Comparison& comparison, std::uint32_t code) {
  if (code == missing_code) return asks_missing(comparison);
  const bool inside = comparison.low <= code && code <= comparison.high;
  return inside != comparison.negated;
}

/// The empty expression holds everywhere, as a conjunction of nothing.
/// @param truth  [comparisons] of the expression
bool holds(const Expression& expression, const std::vector<bool>& truth) {
  if (expression.empty()) return true;
  std::vector<bool> stack;
  std::size_t next = 0;
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      stack.push_back(truth[next++]);
    } else if (op == Op::negation) {
      stack.back() = !stack.back();
    } else {
      const bool right = stack.back();
      stack.pop_back();
      const bool left = stack.back();
      stack.back() = op == Op::conjunction ? left && right : left || right;
    }
  }
  return stack.back();
}

bool holds(const Expression& expression, const Dataset& dataset, std::uint64_t row) {
  std::vector<bool> truth;
  for (const Comparison& comparison : expression.comparisons()) {
    truth.push_back(holds(comparison, dataset.code(row, comparison.attribute)));
  }
  return holds(expression, truth);
}

class ReferenceCounter final : public RuleCounter {
 public:
  explicit ReferenceCounter(const Dataset& dataset) : dataset_(dataset) {}

  void prepare(std::span<const Rule> rules, const CountingOptions& options) override {
    expect_known_attributes(rules, dataset_.attributes().size());
    rules_.assign(rules.begin(), rules.end());
    options_ = options;
  }

  void start() override {
    counts_.clear();
    for (const Rule& rule : rules_) counts_.push_back(count(rule, options_));
  }
  void finish() override {}

  void read(std::span<RuleCounts> out) override {
    assert(out.size() == counts_.size());
    std::move(counts_.begin(), counts_.end(), out.begin());
  }

 private:
  /// Truth of the comparisons on a row; some_missing is set if one of their attributes is missing.
  std::vector<bool> truth(const Expression& side, std::uint64_t row, bool& some_missing) const {
    std::vector<bool> values;
    for (const Comparison& comparison : side.comparisons()) {
      const std::uint32_t code = dataset_.code(row, comparison.attribute);
      some_missing = some_missing || (code == missing_code && !asks_missing(comparison));
      values.push_back(holds(comparison, code));
    }
    return values;
  }

  RuleCounts count(const Rule& rule, const CountingOptions& options) const {
    RuleCounts counts;
    std::optional<TargetScale> scale;
    if (options.mean)
      scale.emplace(dataset_.attributes()[options.mean->attribute], dataset_.whole_rows());
    LevelSums levels;
    if (options.comparison_supports) counts.comparison_supports.resize(rule.comparisons());
    for (std::uint64_t row = 0; row < dataset_.rows(); ++row) {
      bool antecedent_missing = false;
      bool consequent_missing = false;
      std::vector<bool> values = truth(rule.antecedent, row, antecedent_missing);
      const bool antecedent = holds(rule.antecedent, values);
      const std::vector<bool> more = truth(rule.consequent, row, consequent_missing);
      const bool consequent = holds(rule.consequent, more);
      values.insert(values.end(), more.begin(), more.end());

      for (std::size_t c = 0; c < counts.comparison_supports.size(); ++c) {
        if (values[c]) ++counts.comparison_supports[c];
      }
      const std::uint64_t hash = row_hash(dataset_.first_row() + row);
      if (options.coverage_hashes && antecedent) counts.coverage_hash[0] += hash;
      if (options.coverage_hashes && consequent) counts.coverage_hash[1] += hash;

      if (consequent_missing) ++counts.missing_consequent;
      if (consequent_missing && options.exclude_missing_consequent) continue;
      ++counts.n;
      if (antecedent) ++counts.antecedent;
      if (consequent) ++counts.consequent;
      if (!antecedent || !consequent) continue;
      ++counts.both;
      if (!scale) continue;
      const std::uint32_t code = dataset_.code(row, options.mean->attribute);
      if (code != missing_code) levels.add(scale->levels[code]);
    }
    counts.sum = levels.sum;
    if (scale && options.mean->deviations) counts.set_squares(levels.squares);
    return counts;
  }

  const Dataset& dataset_;
  std::vector<Rule> rules_;
  CountingOptions options_;
  std::vector<RuleCounts> counts_;
};

class ReferenceResident final : public Resident {
 public:
  using Resident::Resident;
  std::unique_ptr<RuleCounter> rule_counter() override {
    return std::make_unique<ReferenceCounter>(dataset().shard());
  }
  std::unique_ptr<IntervalFitter> interval_fitter(const IntervalRows& rows) override {
    return make_reference_interval_fitter(dataset(), rows);
  }
  std::unique_ptr<RuleSetScorer> rule_set_scorer(const ClassifiedRows& rows) override {
    return make_reference_rule_set_scorer(dataset(), rows);
  }
  std::unique_ptr<RuleGrower> rule_grower(std::shared_ptr<const ClassSample> sample,
                                          const GrowthSettings& settings) override {
    return make_reference_rule_grower(dataset(), std::move(sample), settings);
  }
  std::unique_ptr<SimilarityTable> similarity() override {
    return make_reference_similarity_table(coverage_sample());
  }
};

class ReferenceDevice final : public Device {
 public:
  std::shared_ptr<Resident> load(const Dataset& dataset) override {
    return std::make_shared<ReferenceResident>(shared_from_this(), dataset);
  }
  std::string name() const override { return "reference"; }
};

class ReferenceScorer final : public RuleSetScorer {
 public:
  ReferenceScorer(const Dataset& dataset, const ClassifiedRows& rows)
      : dataset_(dataset),
        rows_(rows),
        windows_(class_folds(dataset, rows.class_attribute, rows.windows, rows.seed)) {}

  std::vector<std::uint64_t> class_rows(std::optional<std::uint32_t> window) const override {
    std::vector<std::uint64_t> counts(classes());
    for_each_row(window, [&](std::uint64_t, std::uint32_t label) { ++counts[label]; });
    return counts;
  }

  void prepare(std::span<const RuleSet> lists, const ScoringOptions& options) override {
    expect_fit(lists, dataset_.attributes(), rows_.class_attribute);
    lists_.assign(lists.begin(), lists.end());
    window_ = options.window;
  }

  void start() override {
    counts_.clear();
    for (const RuleSet& list : lists_) counts_.push_back(score(list));
  }
  void finish() override {}

  void read(std::span<RuleSetCounts> out) override {
    assert(out.size() == counts_.size());
    std::move(counts_.begin(), counts_.end(), out.begin());
  }

  void read_decided(std::vector<DecidedCount>& out) override {
    out.clear();
    std::uint32_t entry = 0;
    for (const RuleSetCounts& counts : counts_) {
      for (std::size_t i = 0; i < counts.decided.size(); ++i) {
        const auto label = static_cast<std::uint32_t>(i % classes());
        if (counts.decided[i] != 0) out.push_back({entry, label, counts.decided[i]});
        if (label + 1 == classes()) ++entry;
      }
    }
  }

 private:
  std::uint32_t classes() const { return dataset_.attributes()[rows_.class_attribute].distinct(); }

  /// Calls what(row, label) for those that are counted.
  template <typename What>
  void for_each_row(std::optional<std::uint32_t> window, const What& what) const {
    for (std::uint64_t row = 0; row < dataset_.rows(); ++row) {
      const std::uint32_t label = dataset_.code(row, rows_.class_attribute);
      if (label == missing_code) continue;
      if (!window || *window == windows_[row]) what(row, label);
    }
  }

  RuleSetCounts score(const RuleSet& list) const {
    const std::size_t rules = list.rules.size();
    RuleSetCounts counts;
    counts.covered.resize(rules * classes());
    counts.decided.resize((rules + 1) * classes());
    for_each_row(window_, [&](std::uint64_t row, std::uint32_t label) {
      std::size_t first = rules;
      for (std::size_t r = rules; r-- != 0;) {
        if (!holds(list.rules[r].antecedent, dataset_, row)) continue;
        ++counts.covered[r * classes() + label];
        first = r;
      }
      ++counts.decided[first * classes() + label];
    });
    return counts;
  }

  const Dataset& dataset_;
  const ClassifiedRows rows_;
  const std::vector<std::uint8_t> windows_;  // [rows]
  std::vector<RuleSet> lists_;
  std::optional<std::uint32_t> window_;
  std::vector<RuleSetCounts> counts_;
};

}  // namespace

std::shared_ptr<Device> make_reference_device() {
  return std::make_shared<ReferenceDevice>();
}

std::unique_ptr<RuleSetScorer> make_reference_rule_set_scorer(const Dataset& dataset,
                                                              const ClassifiedRows& rows) {
  return std::make_unique<ReferenceScorer>(dataset, rows);
}

}  // namespace atl
