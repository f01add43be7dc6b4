#include "src/run/lists/cross_validation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "islands/list_results.hpp"
#include "src/config/experiment_settings.hpp"
#include "src/core/agreement.hpp"
#include "src/core/row_hash.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/class_folds.hpp"
#include "src/data/row_codes.hpp"
#include "src/eval/device.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/results/written/list_figures.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/lists/cross_validation_report.hpp"
#include "src/run/lists/list_learning.hpp"

namespace atl {
namespace {

/// A list, and what its rules and the default tell of the classes.
struct LearntList {
  RuleSet list;
  std::vector<std::vector<double>> probabilities;
};

void put(ByteWriter& out, const FoldResult& result) {
  out.put(result.repeat);
  out.put(result.fold);
  out.put(std::uint64_t{result.rules});
  out.put(std::uint64_t{result.comparisons});
  out.put(result.seconds);
  out.put(result.generations);
  out.put(std::uint8_t{result.gaining});
  for (std::size_t actual = 0; actual < result.matrix.classes(); ++actual) {
    for (std::size_t predicted = 0; predicted < result.matrix.classes(); ++predicted) {
      out.put(result.matrix.at(actual, predicted));
    }
  }
  out.put(result.told.rows);
  out.put(result.told.log_loss);
  out.put(result.told.brier);
  out.put(result.told.auc);
  for (const CalibrationBin& bin : result.told.calibration) {
    out.put(bin.rows);
    out.put(bin.right);
    out.put(bin.predicted);
  }
  put(out, result.baselines);
}

ProbabilityFigures get_told(ByteReader& in) {
  ProbabilityFigures told;
  told.rows = in.get<std::uint64_t>();
  told.log_loss = in.get<double>();
  told.brier = in.get<double>();
  told.auc = in.get<double>();
  told.calibration = calibration_bins();
  for (CalibrationBin& bin : told.calibration) {
    bin.rows = in.get<std::uint64_t>();
    bin.right = in.get<std::uint64_t>();
    bin.predicted = in.get<double>();
  }
  return told;
}

std::uint32_t fold_number(const Piece& piece) {
  ByteReader in(piece);
  const auto number = in.get<std::uint32_t>();
  in.expect_end();
  return number;
}

/// Says for how many folds more of the search might bring more.
void report_gaining(const CrossValidation& validation, std::uint32_t generations,
                    const Report& report) {
  const auto gaining = std::count_if(validation.folds.begin(), validation.folds.end(),
                                     [](const FoldResult& fold) { return fold.gaining; });
  if (gaining == 0) return;
  report(Severity::info,
         fmt::format("still gaining at the limit in {} of {}: try --generations {}", gaining,
                     counted(validation.folds.size(), "fold"), more_generations(generations)));
}

/// Warns of rows whose class no training row of their fold has.
void report_unknown(const CrossValidation& validation, const Report& report) {
  std::uint64_t rows = 0;
  for (const FoldResult& fold : validation.folds) rows += fold.unknown();
  if (rows == 0) return;
  report(Severity::warning, counted(rows, "row") +
                                " of classes that the list of their fold has never seen count as "
                                "wrong (log-loss and AUC leave them out)");
}

}  // namespace

/// Learns a list for a fold, and tests it.
class CrossValidationTask::Learner {
 public:
  Learner(const ClassifiedData& data, bool compare, std::unique_ptr<Backend> backend)
      : exact_(data.exact),
        experiment_(data.experiment),
        compare_(compare),
        backend_(std::move(backend)),
        class_(atl::class_attribute(experiment_.aim, exact_.attributes())),
        classes_(all_codes(exact_, class_)) {
    const Attribute& attribute = exact_.attributes()[class_];
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
    throw UsageError(fmt::format("--folds {}: some would have no rows that have a class", folds));
  }

  /// @param folds  [rows]
  /// @return nothing if it was stopped
  std::optional<FoldResult> validate(std::uint32_t repeat, std::uint32_t fold,
                                     std::span<const std::uint8_t> folds, ThreadPool& pool,
                                     const std::stop_token& stop) const {
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
    const auto learnt = learn(training, result, pool, stop);
    if (!learnt) return std::nullopt;
    result.rules = learnt->list.rules.size();
    result.comparisons = learnt->list.comparisons();
    test(*learnt, training, folds, result);
    if (compare_) {
      result.baselines =
          learn_baselines(experiment_, training, {exact_, class_, classes_, folds}, fold);
    }
    return result;
  }

 private:
  /// If the others are all of one class, there is nothing to learn but that.
  std::optional<LearntList> learn(const Dataset& training, FoldResult& result, ThreadPool& pool,
                                  const std::stop_token& stop) const {
    const Stopwatch watch(result.seconds);
    const auto& rows = training.attributes()[class_].counts;
    const auto most = std::max_element(rows.begin(), rows.end());
    if (*most == training.rows()) {
      return LearntList{{{}, static_cast<std::uint32_t>(most - rows.begin())},
                        class_probabilities(rows, {.shares = class_shares(rows, rows.size())})};
    }
    const auto resident = backend_->load(training, pool);
    const auto learnt =
        learn_list(experiment_, *resident, pool, [&] { return stop.stop_requested(); });
    if (!learnt) return std::nullopt;
    result.generations = learnt->generations;
    result.gaining = learnt->gaining;
    const ListFront& front = learnt->front;
    return LearntList{front.rows[front.chosen].list,
                      class_probabilities(front.decided, front.smoothing)};
  }

  /// Tests by the list's text, as any other table would be classified.
  void test(const LearntList& learnt, const Dataset& training, std::span<const std::uint8_t> folds,
            FoldResult& result) const {
    const Attribute& its = training.attributes()[class_];
    const std::string text = to_text(learnt.list, training.attributes(), its);
    const RuleSet of_all =
        parse_rule_set_for(text, exact_.attributes(), training.attributes(), its, "the list");
    const JointClasses joint = join_classes(exact_.attributes()[class_], its);
    std::vector<std::uint32_t> label_of(classes(), its.distinct());  // unless the list knows it
    for (std::uint32_t label = 0; label < its.distinct(); ++label)
      label_of[joint.codes[label]] = label;
    const std::size_t columns = its.distinct() + 1;
    std::vector<std::uint64_t> decided((of_all.rules.size() + 1) * columns, 0);
    const std::vector<std::uint32_t> deciders = deciding_rules(of_all, exact_);
    for (std::size_t row = 0; row < folds.size(); ++row) {
      if (folds[row] != result.fold || classes_[row] == missing_code) continue;
      const std::uint32_t label = deciders[row] < of_all.rules.size()
                                      ? of_all.rules[deciders[row]].label
                                      : of_all.default_class;
      result.matrix.add(classes_[row], joint.codes[label]);
      ++decided[deciders[row] * columns + label_of[classes_[row]]];
    }
    result.told = probability_figures(of_all, decided, learnt.probabilities);
  }

  const Dataset& exact_;
  const Experiment& experiment_;
  bool compare_;
  std::unique_ptr<Backend> backend_;
  std::uint32_t class_;
  std::vector<std::uint32_t> classes_;  // [rows]
  std::vector<std::string> labels_;
};

CrossValidationTask::CrossValidationTask(CrossValidationPlan plan) : plan_(std::move(plan)) {}
CrossValidationTask::~CrossValidationTask() = default;

std::vector<std::uint8_t> CrossValidationTask::folds_of(std::uint32_t repeat) const {
  return class_folds(data_->exact, learner_->class_attribute(), plan_.folds,
                     row_hash(data_->experiment.seed) + repeat);
}

void CrossValidationTask::prepare(Worker& worker) {
  report_ = &worker.report;
  data_ = std::make_unique<ClassifiedData>(plan_.read());
  learner_ = std::make_unique<Learner>(
      *data_, plan_.compare,
      plan_.choose_backend(plan_.machine, {data_->exact.rows(), true}, worker.ranks));
  warn_of_quantity(data_->exact.attributes()[learner_->class_attribute()], worker.report);
  on_all(worker.ranks, [&] {
    for (std::uint32_t repeat = 0; repeat < plan_.repeats; ++repeat) {
      learner_->expect_rows(plan_.folds, folds_of(repeat));
    }
  });
}

Identity CrossValidationTask::identity() const {
  constexpr std::uint32_t marks_version = 2000;  // another multiple where there are other marks
  const Experiment& experiment = data_->experiment;
  Identity identity{"classify cv",
                    marks_version + list_search_version,
                    {{"other data", to_hex(data_->exact.fingerprint())},
                     {"another --folds", std::to_string(plan_.folds)},
                     {"another --repeats", std::to_string(plan_.repeats)}}};
  for (const ExperimentSetting& setting : settings_of(experiment)) {
    identity.marks.push_back({"another " + option_of(experiment, setting.key), setting.value});
  }
  if (plan_.compare) identity.marks.push_back({"another --compare", "yes"});
  return identity;
}

std::vector<Piece> CrossValidationTask::pieces(int) {
  std::vector<Piece> pieces;
  for (std::uint32_t number = 0; number < all(); ++number) {
    ByteWriter out;
    out.put(number);
    pieces.push_back(std::move(out).take());
  }
  return pieces;
}

void CrossValidationTask::expect(const Piece& piece) const {
  require_bytes(fold_number(piece) < all(), "no fold");
}

FoldResult CrossValidationTask::get_fold(ByteReader& in) const {
  FoldResult result;
  result.repeat = in.get<std::uint32_t>();
  result.fold = in.get<std::uint32_t>();
  require_bytes(result.repeat < plan_.repeats && result.fold < plan_.folds, "no fold");
  result.rules = in.get<std::uint64_t>();
  result.comparisons = in.get<std::uint64_t>();
  result.seconds = in.get<double>();
  result.generations = in.get<std::uint32_t>();
  result.gaining = in.get<std::uint8_t>() != 0;
  const std::size_t classes = learner_->classes();
  result.matrix = ConfusionMatrix(classes);
  for (std::size_t actual = 0; actual < classes; ++actual) {
    for (std::size_t predicted = 0; predicted < classes; ++predicted) {
      result.matrix.add(actual, predicted, in.get<std::uint64_t>());
    }
  }
  result.told = get_told(in);
  if (plan_.compare) result.baselines = get_baselines(in, classes);
  return result;
}

void CrossValidationTask::merge(std::span<const std::byte> found) {
  for (ByteReader in(found); in.left() > 0;) {
    FoldResult result = get_fold(in);
    const std::uint32_t number = result.repeat * plan_.folds + result.fold;
    (*report_)(Severity::info, fmt::format("fold {} of {}: {}, {:.2f}% right, {:.1f} s", number + 1,
                                           all(), counted(result.rules, "rule"),
                                           100 * accuracy(result.matrix), result.seconds));
    learnt_.insert_or_assign(number, std::move(result));
  }
}

void CrossValidationTask::save(ByteWriter& out) {
  out.put(static_cast<std::uint32_t>(learnt_.size()));
  for (const auto& [number, result] : learnt_) put(out, result);
}

void CrossValidationTask::load(ByteReader& in) {
  learnt_.clear();
  const auto folds = in.get<std::uint32_t>();
  require_bytes(folds <= all(), "more folds than there are");
  for (std::uint32_t k = 0; k < folds; ++k) {
    FoldResult result = get_fold(in);
    learnt_.insert_or_assign(result.repeat * plan_.folds + result.fold, std::move(result));
  }
}

std::string CrossValidationTask::finish(const WriteText& write) {
  CrossValidation validation;
  validation.classes = learner_->labels();
  validation.matrix = ConfusionMatrix(learner_->classes());
  for (auto& [number, fold] : learnt_) {
    validation.matrix.add(fold.matrix);
    validation.folds.push_back(fold);
  }
  report_unknown(validation, *report_);
  report_gaining(validation, data_->experiment.generations, *report_);
  if (data_->experiment.settings.at("for") == 0 && tree_tells_better(validation)) {
    (*report_)(Severity::info,
               "the tree's probabilities are better than the list's: try --for probabilities");
  }
  return plan_.finish(validation, write);
}

Done CrossValidationTask::work(std::span<const Piece> pieces, const WriteText&, Worker& worker,
                               const std::stop_token& stop) {
  ByteWriter found;
  std::vector<Piece> left;
  for (const Piece& piece : pieces) {
    const std::uint32_t number = fold_number(piece);
    const std::uint32_t repeat = number / plan_.folds;
    const auto result =
        stop.stop_requested()
            ? std::nullopt
            : learner_->validate(repeat, number % plan_.folds, folds_of(repeat), worker.pool, stop);
    if (result) {
      put(found, *result);
    } else {
      left.push_back(piece);
    }
  }
  Done done{std::move(found).take(), {}};
  if (!left.empty()) done.rest.push_back({std::move(left), {}});
  return done;
}

}  // namespace atl
