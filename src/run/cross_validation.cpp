#include "src/run/cross_validation.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "src/core/agreement.hpp"
#include "src/core/near_names.hpp"
#include "src/core/row_hash.hpp"
#include "src/core/stopwatch.hpp"
#include "src/data/class_folds.hpp"
#include "src/data/row_subset.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/run/list_learning.hpp"
#include "src/run/rank_place.hpp"

namespace atl {

namespace {

Bytes encode(const FoldResult& result) {
  ByteWriter out;
  out.put(result.repeat);
  out.put(result.fold);
  out.put(std::uint64_t{result.rules});
  out.put(std::uint64_t{result.comparisons});
  out.put(result.seconds);
  for (std::size_t actual = 0; actual < result.matrix.classes(); ++actual) {
    for (std::size_t predicted = 0; predicted < result.matrix.classes(); ++predicted) {
      out.put(result.matrix.at(actual, predicted));
    }
  }
  return std::move(out).take();
}

FoldResult decode(ByteReader& in, std::size_t classes) {
  FoldResult result;
  result.repeat = in.get<std::uint32_t>();
  result.fold = in.get<std::uint32_t>();
  result.rules = in.get<std::uint64_t>();
  result.comparisons = in.get<std::uint64_t>();
  result.seconds = in.get<double>();
  result.matrix = ConfusionMatrix(classes);
  for (std::size_t actual = 0; actual < classes; ++actual) {
    for (std::size_t predicted = 0; predicted < classes; ++predicted) {
      result.matrix.add(actual, predicted, in.get<std::uint64_t>());
    }
  }
  return result;
}

/// One rank's part of the work.
class Validator {
 public:
  Validator(const Dataset& exact, const Experiment& experiment, const CrossValidationPlan& plan,
            const Context& context)
      : exact_(exact),
        experiment_(experiment),
        backend_(plan.choose_backend(plan.machine, exact.rows(), context.communicator)),
        pool_(threads_of(plan.machine, context.communicator)),
        class_(atl::class_attribute(experiment.aim, exact.attributes())),
        classes_(all_codes(exact, class_)) {
    const Attribute& attribute = exact.attributes()[class_];
    for (std::uint32_t c = 0; c < attribute.distinct(); ++c) {
      labels_.push_back(class_label(c, attribute));
    }
  }

  std::uint32_t class_attribute() const noexcept { return class_; }
  std::size_t classes() const { return labels_.size(); }
  const std::vector<std::string>& labels() const noexcept { return labels_; }

  /// @throws UsageError if a fold has no rows to test on
  void expect_rows(std::uint32_t folds, std::span<const std::uint8_t> fold_of) const {
    std::vector<bool> has_rows(folds, false);
    for (std::size_t row = 0; row < fold_of.size(); ++row) {
      if (classes_[row] != missing_code) has_rows[fold_of[row]] = true;
    }
    if (std::find(has_rows.begin(), has_rows.end(), false) == has_rows.end()) return;
    throw UsageError(
        fmt::format("--folds {}: some would have no rows that have a class; equal rows "
                    "share a fold",
                    folds));
  }

  /// @param folds  [rows]
  FoldResult validate(std::uint32_t repeat, std::uint32_t fold,
                      std::span<const std::uint8_t> folds) {
    FoldResult result;
    result.repeat = repeat;
    result.fold = fold;
    result.matrix = ConfusionMatrix(classes());
    std::vector<std::uint8_t> others(folds.size());
    for (std::size_t row = 0; row < folds.size(); ++row) {
      others[row] = folds[row] != fold && classes_[row] != missing_code ? 1 : 0;
    }
    const Dataset training = row_subset(exact_, others, [this](const Attribute& attribute) {
      const auto own = experiment_.attribute_bins.find(attribute.name);
      return own == experiment_.attribute_bins.end() ? experiment_.max_bins : own->second;
    });
    const RuleSet list = learn(training, result.seconds);
    result.rules = list.rules.size();
    result.comparisons = list.comparisons();
    test(list, training, folds, result);
    return result;
  }

 private:
  /// If the others are all of one class, there is nothing to learn but that.
  RuleSet learn(const Dataset& training, double& seconds) {
    const Stopwatch watch(seconds);
    const auto& rows = training.attributes()[class_].counts;
    const auto most = std::max_element(rows.begin(), rows.end());
    if (*most == training.rows()) {
      return {{}, static_cast<std::uint32_t>(most - rows.begin())};
    }
    const auto resident = backend_->load(training, pool_);
    const ListFront front = learn_list(experiment_, *resident, pool_);
    return front.rows[front.chosen].list;
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
};

}  // namespace

CrossValidation cross_validate(const Dataset& exact, const Experiment& experiment,
                               const CrossValidationPlan& plan, const Context& context) {
  Communicator& ranks = context.communicator;
  Validator validator(exact, experiment, plan, context);
  const std::size_t classes = validator.classes();
  ByteWriter own;
  on_all(ranks, [&] {
    const std::uint32_t all = plan.repeats * plan.folds;
    const std::uint32_t class_index = validator.class_attribute();
    const auto folds_of = [&](std::uint32_t repeat) {
      return class_folds(exact, class_index, plan.folds, row_hash(experiment.seed) + repeat);
    };
    for (std::uint32_t repeat = 0; repeat < plan.repeats; ++repeat) {
      validator.expect_rows(plan.folds, folds_of(repeat));
    }
    for (std::uint32_t i = 0; i < all; ++i) {
      if (i % static_cast<std::uint32_t>(ranks.size()) !=
          static_cast<std::uint32_t>(ranks.rank())) {
        continue;
      }
      const std::uint32_t repeat = i / plan.folds;
      const FoldResult result = validator.validate(repeat, i % plan.folds, folds_of(repeat));
      context.report(Severity::info, fmt::format("fold {} of {}: {}, {:.4f} right, {:.1f} s", i + 1,
                                                 all, counted(result.rules, "rule"),
                                                 accuracy(result.matrix), result.seconds));
      own.put_all(std::span<const std::byte>(encode(result)));
    }
  });
  CrossValidation validation;
  validation.matrix = ConfusionMatrix(classes);
  for (const Bytes& of_rank : ranks.gather(std::move(own).take(), 0)) {
    ByteReader in(of_rank);
    while (in.left() > 0) {
      const Bytes bytes = in.get_all<std::byte>();
      ByteReader one(bytes);
      validation.folds.push_back(decode(one, classes));
      validation.matrix.add(validation.folds.back().matrix);
    }
  }
  std::sort(validation.folds.begin(), validation.folds.end(),
            [](const FoldResult& a, const FoldResult& b) {
              return std::tie(a.repeat, a.fold) < std::tie(b.repeat, b.fold);
            });
  validation.classes = validator.labels();
  return validation;
}

}  // namespace atl
