// The device that every other must agree with: plain loops over rows, one code at a time.
#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "src/core/row_hash.hpp"
#include "src/eval/batch.hpp"
#include "src/eval/device.hpp"
#include "src/eval/reference_truth.hpp"
#include "src/eval/target_values.hpp"

namespace atl {
namespace {

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
      some_missing = some_missing || code == missing_code;
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

}  // namespace

std::shared_ptr<Device> make_reference_device() {
  return std::make_shared<ReferenceDevice>();
}

}  // namespace atl
