// Grows rules for places in decision lists, on the rows that come there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "src/core/random.hpp"
#include "src/core/small_vector.hpp"
#include "src/core/thread_pool.hpp"
#include "src/rules/rule_set.hpp"
#include "src/sampling/class_sample.hpp"
#include "src/sampling/growth_formulas.hpp"

namespace atl {

/// A rule of decision lists. Lists that have it share it.
class SampledRule {
 public:
  /// @param sample  must outlive it; null if nobody asks for rows
  SampledRule(ClassRule rule, const ClassSample* sample);

  const ClassRule& rule() const noexcept { return rule_; }
  const ClassSample* sample() const noexcept { return sample_; }
  /// Conjunctions that the antecedent joins by OR; 0 if it has another shape.
  std::size_t alternatives() const noexcept { return ends_.size(); }
  /// The rows of the comparisons of one of them.
  std::span<const ComparisonRows> alternative(std::size_t number) const noexcept {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span(comparisons_.data(), comparisons_.size())
        .subspan(begin, ends_[number] - begin);
  }
  /// [words of the sample] rows that it covers. Found when first asked for, by any thread.
  const std::uint64_t* cover() const;

 private:
  ClassRule rule_;
  const ClassSample* sample_;
  SmallVector<ComparisonRows, 6> comparisons_;  // of all alternatives
  SmallVector<std::size_t, 2> ends_;            // of each
  mutable std::once_flag once_;
  mutable std::vector<std::uint64_t> cover_;
};
using SharedRule = std::shared_ptr<const SampledRule>;

SharedRule sampled(ClassRule rule, const ClassSample& sample);
/// The same antecedent with another class.
SharedRule relabelled(const SampledRule& rule, std::uint32_t label);

/// The way in which rules of a search are grown.
struct GrowthSettings {
  std::vector<double> weights;  ///< [classes] of a row of each class in the table
  /// [prices][classes] weight that each comparison of a rule that says it has to gain.
  std::vector<std::vector<double>> costs;
  std::uint32_t most_comparisons = 8;  ///< of a rule; at least 1
  /// Rows of its class that it has to gain, of the sample, or half of them if the class has few,
  /// but at least one. More than 0.
  double least_rows = 1;

  std::uint32_t most_steps() const noexcept {
    return growth_steps_of_comparison * most_comparisons;
  }
};

/// A rule that is to be grown for a gap in a list, and all that is drawn for it.
///
/// A rule in the gap gains the weight of the rows of its class that it covers and the rules behind
/// it get wrong, and loses the weight of those of other classes that they get right. Comparisons
/// are added to a conjunction one at a time, each the best by a criterion among the literals of
/// some attributes, for as long as rows are covered that cost and more could be gained. Of
/// attributes with many literals some are looked at while there are many rows, then those near the
/// best. Of the conjunctions on the way the one that gains most stays, with those comparisons alone
/// without which it would gain less.
struct GrowthTask {
  std::span<const SharedRule> before;  ///< rules that come before the gap
  std::span<const SharedRule> behind;  ///< and behind it
  std::uint32_t default_class = 0;
  std::optional<std::uint32_t> without = {};  ///< a fold whose rows do not count
  std::uint32_t price = 0;                    ///< of its comparisons
  std::uint32_t window = 0;                   ///< of the sample
  CountedRows counted = CountedRows::gains;
  /// Label of the rule. If absent, it is drawn (growth_label()).
  std::optional<std::uint32_t> label = {};
  double drawn = 0;                    ///< in [0, 1), for the label
  std::vector<Comparison> start = {};  ///< what to begin with, as_grown()
  GrowthCriterion criterion = GrowthCriterion::gain;
  double prior_rows = 1;  ///< of precision
  /// Bits of the attributes that are looked at in each step. [most_steps][attribute_words(n)] or
  /// none: all.
  std::vector<std::uint64_t> attributes = {};
};

inline std::size_t attribute_words(std::size_t attributes) noexcept {
  return (attributes + 63) / 64;
}

/// Draws the window, the label's number, the criterion, the prior and the attributes.
void draw(GrowthTask& task, const ClassSample& sample, const GrowthSettings& settings,
          RandomStream& stream);

struct Grown {
  std::uint32_t label = 0;
  Expression antecedent;  ///< canonical; gains something
  friend bool operator==(const Grown&, const Grown&) = default;
};

/// Grows batches of rules on a sample: start, read, and again. For one thread at a time; others
/// have growers of their own. Results are equal on every backend.
class RuleGrower {
 public:
  virtual ~RuleGrower() = default;

  /// Does not wait for a device. A grower of the CPU grows here.
  /// @param tasks  [n] must stay until read(), with what they refer to
  virtual void start(std::span<const GrowthTask> tasks) = 0;
  /// False while read() would certainly block. Cheap.
  virtual bool ready() const { return true; }
  /// Blocks until the rules are grown. Once for each batch.
  /// @param out  [n] overwritten; nothing where no rule gains anything
  virtual void read(std::span<std::optional<Grown>> out) = 0;
};

/// [classes] of a row of each class in a window of the sample.
std::vector<double> weights_in_window(const ClassSample& sample, const GrowthSettings& settings);
/// [classes] weight in a window that a rule of each class has to gain.
std::vector<double> least_in_window(const ClassSample& sample, const GrowthSettings& settings);

/// The conjunction with one more comparison: ranges of an attribute are intersected.
/// @return false if nothing would be left
bool add(std::vector<Comparison>& conjunction, const Comparison& comparison,
         std::span<const Attribute> attributes);

/// A conjunction as it was grown, in canonical form.
Expression grown_antecedent(std::vector<Comparison> conjunction,
                            std::span<const Attribute> attributes);

/// What the CPU's growers of a sample work with: the threads, and memory for each of them.
struct GrowthThreads;

/// @param pool  whose threads share each batch, outlives it; null: the one that starts a batch
std::shared_ptr<GrowthThreads> make_growth_threads(std::shared_ptr<const ClassSample> sample,
                                                   const GrowthSettings& settings,
                                                   ThreadPool* pool = nullptr);
/// @param threads  shared by several growers only if they have a pool
std::unique_ptr<RuleGrower> make_cpu_rule_grower(std::shared_ptr<GrowthThreads> threads);
/// The executable specification: plain loops over rows and codes. The dataset must outlive it.
/// @param sample  of the dataset
std::unique_ptr<RuleGrower> make_reference_rule_grower(const Dataset& dataset,
                                                       std::shared_ptr<const ClassSample> sample,
                                                       const GrowthSettings& settings);

}  // namespace atl
