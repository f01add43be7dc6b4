// Rules that are mined in memory have the bytes that a run writes.
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "io/results/rule_file.hpp"
#include "io/run/run_files.hpp"
#include "io/tables/import.hpp"
#include "islands/algorithms.hpp"
#include "src/backend/choice.hpp"
#include "src/core/communicator.hpp"
#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "src/run/data/default_target.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/loop/job.hpp"
#include "src/run/preset.hpp"
#include "src/run/rules/rule_mining.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {

namespace {

const Report silent = [](Severity, const std::string&) {};

class RuleMining : public testing::Test {
 protected:
  RuleMining() { import(""); }

  /// @param target  that the data designate; empty: none
  void import(const std::string& target) {
    io::ImportOptions options;
    options.inputs = {ATOLL_SOURCE "/tests/golden/table.csv"};
    options.output = data_;
    options.target = target;
    io::import_tables(options, silent);
  }

  static Experiment small(const std::string& preset) {
    Experiment experiment = Experiment::defaults(find_algorithm(algorithms(rule_kind), preset));
    experiment.grammar = Grammar::builtin("association");
    experiment.measures = default_measure_names(false);
    experiment.islands = 3;
    experiment.population = 16;
    experiment.generations = 7;
    experiment.migrate_every = 2;
    experiment.migrants = 2;
    experiment.top = 15;
    experiment.max_bins = 16;
    experiment.attribute_bins = {{"b", 8}};
    return experiment;
  }

  /// What `atoll mine` does on one process, in RUN.
  void run(const Experiment& experiment) {
    const auto lock = io::create_run(run_, true);
    RunLog log(*lock, silent);
    JobSettings settings;
    settings.folder = run_;
    settings.configuration.experiment =
        with_designated_target(experiment, data_, lock->folder(), silent);
    settings.configuration.machine.backend = "cpu";
    settings.configuration.machine.threads = 1;
    settings.dataset = settings.configuration.machine.data = data_;
    settings.log = &log;
    settings.lock = lock.get();
    settings.choose_backend = make_backend;
    const Context context{alone_, silent};
    EXPECT_EQ(Job(context, settings).run(), ExitStatus::done);
  }

  std::optional<MiningResult> mine(const Experiment& experiment, bool stopped = false) {
    const Dataset exact = io::read_dataset(data_, {.max_bins = 0, .attribute_bins = {}});
    Machine machine;
    machine.backend = "cpu";
    const auto backend = make_backend(machine, {exact.rows()}, alone_);
    return mine_rules(exact, experiment, *backend, pool_, [&] { return stopped; });
  }

  void expect_same_bytes(const Experiment& experiment) {
    run(experiment);
    const auto mined = mine(experiment);
    ASSERT_TRUE(mined);
    EXPECT_FALSE(mined->list.rules.empty());
    EXPECT_EQ(mined->list.csv(), slurp(run_ + "/rules.csv"));
    EXPECT_EQ(mined->list.json(), slurp(run_ + "/rules.json"));
    EXPECT_EQ(io::history_csv(mined->history, experiment.all_maximized()),
              slurp(run_ + "/history.csv"));
  }

  TemporaryFolder folder_;
  const std::string data_ = folder_ / "data.h5", run_ = folder_ / "run";
  LocalCommunicator alone_;
  ThreadPool pool_{2};
};

}  // namespace

TEST_F(RuleMining, FittedAmongAllValuesAndTestedOnRowsHeldOut) {
  Experiment experiment = small("niching");
  experiment.holdout.share = 0.3;
  experiment.significance = 0.2;
  expect_same_bytes(experiment);
}

TEST_F(RuleMining, WithoutAGrammarOrMeasuresTheUsualOnesAreTaken) {
  const Experiment given = small("niching");
  Experiment bare = given;
  bare.grammar.clear();
  bare.measures.clear();
  const RuleList usual = mine(given)->list, same = mine(bare)->list;
  EXPECT_EQ(same.json(), usual.json());
}

TEST_F(RuleMining, WithBoundsOfBinsOnly) {
  Experiment experiment = small("g3parm");
  experiment.min_support.share = 0.2;
  experiment.bounds = Bounds::binned;
  expect_same_bytes(experiment);
}

TEST_F(RuleMining, AimedAtWhatTheDataDesignate) {
  import("outcome");
  Experiment experiment = small("niching");
  experiment.migration = Migration::asynchronous;  // with one island, in one order
  experiment.islands = 1;
  expect_same_bytes(experiment);
  const auto mined = mine(experiment);
  for (const WrittenRule& rule : mined->list.rules)
    EXPECT_EQ(rule.consequent.front().attribute, "outcome") << rule.text;
}

TEST_F(RuleMining, UntilPatienceEnds) {
  Experiment experiment = small("niching");
  experiment.generations = 500;
  experiment.patience = Patience{7};
  expect_same_bytes(experiment);
  EXPECT_LT(mine(experiment)->history.back().generation, 500U);
}

TEST_F(RuleMining, AboutAMean) {
  Experiment experiment = small("niching");
  experiment.attribute_bins.clear();
  experiment.aim.target = {"mean(b)"};
  experiment.maximize = {"impact", "effect_size"};
  experiment.archive_by = "impact";
  experiment.measures = default_measure_names(true);
  experiment.holdout.share = 0.2;
  expect_same_bytes(experiment);
}

TEST_F(RuleMining, GivesNothingWhereItIsStopped) {
  EXPECT_FALSE(mine(small("niching"), true));
}

TEST_F(RuleMining, RefusesWhatARunRefuses) {
  Experiment lists = Experiment::defaults(algorithms(list_kind).front());
  EXPECT_THROW(mine(lists), UsageError);
  Experiment unknown = small("niching");
  unknown.attribute_bins = {{"nowhere", 8}};
  EXPECT_THROW(mine(unknown), UsageError);
  unknown = small("niching");
  unknown.measures = {"beauty"};
  EXPECT_THROW(mine(unknown), UsageError);
}

}  // namespace atl::test
