#include "src/run/lists/cross_validation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "islands/list_results.hpp"
#include "src/core/agreement.hpp"
#include "src/core/row_hash.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/class_folds.hpp"
#include "src/data/row_subset.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/lists/kept_folds.hpp"
#include "src/run/lists/list_learning.hpp"
#include "src/work/rank_place.hpp"
#include "src/work/stop_signals.hpp"

namespace atl {

namespace {

/// One rank's part of the work.
class Validator {
 public:
  Validator(const Dataset& exact, const Experiment& experiment, const CrossValidationPlan& plan,
            const Context& context)
      : exact_(exact),
        experiment_(experiment),
        backend_(plan.choose_backend(plan.machine, {exact.rows(), true}, context.communicator)),
        pool_(threads_of(plan.machine.threads, context.communicator)),
        class_(atl::class_attribute(experiment.aim, exact.attributes())),
        classes_(all_codes(exact, class_)) {
    if (!plan.folder.empty()) signals_.emplace();
    const Attribute& attribute = exact.attributes()[class_];
    for (std::uint32_t c = 0; c < attribute.distinct(); ++c) {
      labels_.push_back(class_label(c, attribute));
    }
  }

  std::uint32_t class_attribute() const noexcept { return class_; }
  std::size_t classes() const { return labels_.size(); }
  const std::vector<std::string>& labels() const noexcept { return labels_; }
  bool stopped() const noexcept { return signals_ && signals_->count() != 0; }

  /// @throws UsageError if a fold has no rows to test on
  void expect_rows(std::uint32_t folds, std::span<const std::uint8_t> fold_of) const {
    std::vector<bool> has_rows(folds, false);
    for (std::size_t row = 0; row < fold_of.size(); ++row) {
      if (classes_[row] != missing_code) has_rows[fold_of[row]] = true;
    }
    if (std::find(has_rows.begin(), has_rows.end(), false) == has_rows.end()) return;
    throw UsageError(fmt::format("--folds {}: some would have no rows that have a class", folds));
  }

  /// @param folds  [rows]
  /// @return nothing if a signal has stopped it
  std::optional<FoldResult> validate(std::uint32_t repeat, std::uint32_t fold,
                                     std::span<const std::uint8_t> folds) {
    FoldResult result;
    result.repeat = repeat;
    result.fold = fold;
    result.matrix = ConfusionMatrix(classes());
    std::vector<std::uint8_t> others(folds.size());
    for (std::size_t row = 0; row < folds.size(); ++row) {
      others[row] = folds[row] != fold && classes_[row] != missing_code ? 1 : 0;
    }
    const Dataset training = row_subset(
        exact_, others, [this](const Attribute& a) { return most_bins(experiment_, a); });
    const auto list = learn(training, result.seconds);
    if (!list) return std::nullopt;
    result.rules = list->rules.size();
    result.comparisons = list->comparisons();
    test(*list, training, folds, result);
    return result;
  }

 private:
  /// If the others are all of one class, there is nothing to learn but that.
  std::optional<RuleSet> learn(const Dataset& training, double& seconds) {
    const Stopwatch watch(seconds);
    const auto& rows = training.attributes()[class_].counts;
    const auto most = std::max_element(rows.begin(), rows.end());
    if (*most == training.rows()) {
      return RuleSet{{}, static_cast<std::uint32_t>(most - rows.begin())};
    }
    const auto resident = backend_->load(training, pool_);
    const auto front = learn_list(experiment_, *resident, pool_, [this] { return stopped(); });
    if (!front) return std::nullopt;
    return front->rows[front->chosen].list;
  }

  /// By the list's text, as any other table would be classified.
  void test(const RuleSet& list, const Dataset& training, std::span<const std::uint8_t> folds,
            FoldResult& result) const {
    const Attribute& learnt = training.attributes()[class_];
    const std::string text = to_text(list, training.attributes(), learnt);
    const RuleSet of_all =
        parse_rule_set_for(text, exact_.attributes(), training.attributes(), learnt, "the list");
    const JointClasses joint = join_classes(exact_.attributes()[class_], learnt);
    const std::vector<std::uint32_t> deciders = deciding_rules(of_all, exact_);
    for (std::size_t row = 0; row < folds.size(); ++row) {
      if (folds[row] != result.fold || classes_[row] == missing_code) continue;
      const std::uint32_t label = deciders[row] < of_all.rules.size()
                                      ? of_all.rules[deciders[row]].label
                                      : of_all.default_class;
      result.matrix.add(classes_[row], joint.codes[label]);
    }
  }

  const Dataset& exact_;
  const Experiment& experiment_;
  std::unique_ptr<Backend> backend_;
  ThreadPool pool_;
  std::uint32_t class_;
  std::vector<std::uint32_t> classes_;  // [rows]
  std::vector<std::string> labels_;
  std::optional<StopSignals> signals_;
};

/// Folds by their number, from repeat 0, fold 0 on.
using Folds = std::map<std::uint32_t, FoldResult>;

/// What the folder has of them, on every rank. Collective.
Folds kept_folds(const CrossValidationPlan& plan, const Experiment& experiment,
                 const Dataset& exact, std::size_t classes, Communicator& ranks) {
  Folds kept;
  if (plan.folder.empty()) return kept;
  on_root(ranks, [&] {
    prepare_folds(plan.folder, {to_hex(experiment.hash()), to_hex(exact.fingerprint()), plan.folds,
                                list_search_version});
  });
  on_all(ranks, [&] {
    for (std::uint32_t i = 0; i < plan.repeats * plan.folds; ++i) {
      auto fold = read_fold(plan.folder, i / plan.folds, i % plan.folds, classes);
      if (fold) kept.emplace(i, std::move(*fold));
    }
  });
  return kept;
}

/// Collective. @return on rank 0, those of all ranks
Folds gather_folds(const Folds& own, std::uint32_t folds, std::size_t classes,
                   Communicator& ranks) {
  ByteWriter out;
  for (const auto& [number, fold] : own) out.put_text(to_json(fold));
  Folds all;
  for (const Bytes& of_rank : ranks.gather(std::move(out).take(), 0)) {
    ByteReader in(of_rank);
    while (in.left() > 0) {
      FoldResult fold = parse_fold(in.get_text(), "a fold", classes);
      all.emplace(fold.repeat * folds + fold.fold, std::move(fold));
    }
  }
  return all;
}

}  // namespace

CrossValidation cross_validate(const Dataset& exact, const Experiment& experiment,
                               const CrossValidationPlan& plan, const Context& context) {
  Communicator& ranks = context.communicator;
  Validator validator(exact, experiment, plan, context);
  const std::size_t classes = validator.classes();
  warn_of_quantity(exact.attributes()[validator.class_attribute()], context.report);
  const std::uint32_t all = plan.repeats * plan.folds;
  const auto folds_of = [&](std::uint32_t repeat) {
    return class_folds(exact, validator.class_attribute(), plan.folds,
                       row_hash(experiment.seed) + repeat);
  };
  on_all(ranks, [&] {
    for (std::uint32_t repeat = 0; repeat < plan.repeats; ++repeat) {
      validator.expect_rows(plan.folds, folds_of(repeat));
    }
  });
  // Before any rank writes more: all have to see the same.
  Folds folds = kept_folds(plan, experiment, exact, classes, ranks);
  const std::size_t kept = folds.size();
  if (kept > 0) {
    context.report(Severity::info, fmt::format("{} of {} folds are in {} already", kept, all,
                                               printable(plan.folder, 200)));
  }
  Folds own;
  on_all(ranks, [&] {
    std::uint32_t turn = 0;
    for (std::uint32_t i = 0; i < all && !validator.stopped(); ++i) {
      if (folds.contains(i)) continue;
      const bool is_own = turn++ % static_cast<std::uint32_t>(ranks.size()) ==
                          static_cast<std::uint32_t>(ranks.rank());
      if (!is_own) continue;
      const std::uint32_t repeat = i / plan.folds;
      auto result = validator.validate(repeat, i % plan.folds, folds_of(repeat));
      if (!result) break;
      if (!plan.folder.empty()) write_fold(plan.folder, *result);
      context.report(Severity::info, fmt::format("fold {} of {}: {}, {:.2f}% right, {:.1f} s",
                                                 i + 1, all, counted(result->rules, "rule"),
                                                 100 * accuracy(result->matrix), result->seconds));
      own.emplace(i, std::move(*result));
    }
  });
  std::array<std::uint64_t, 1> learnt = {own.size()};
  ranks.all_reduce_sum(learnt);
  CrossValidation validation;
  validation.stopped = kept + learnt[0] < all;
  folds.merge(gather_folds(own, plan.folds, classes, ranks));
  validation.matrix = ConfusionMatrix(classes);
  for (auto& [number, fold] : folds) {
    validation.matrix.add(fold.matrix);
    validation.folds.push_back(std::move(fold));
  }
  validation.classes = validator.labels();
  return validation;
}

}  // namespace atl
