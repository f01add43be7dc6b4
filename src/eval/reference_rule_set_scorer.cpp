// The scorer that every other must agree with: plain loops over rows, one list and rule at a time.
#include <cassert>
#include <utility>

#include "src/data/class_folds.hpp"
#include "src/eval/reference_truth.hpp"
#include "src/eval/rule_set_scorer.hpp"

namespace atl {
namespace {

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

std::unique_ptr<RuleSetScorer> make_reference_rule_set_scorer(const Dataset& dataset,
                                                              const ClassifiedRows& rows) {
  return std::make_unique<ReferenceScorer>(dataset, rows);
}

}  // namespace atl
