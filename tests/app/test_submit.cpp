#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include "src/app/commands.hpp"
#include "src/app/experiment_file.hpp"
#include "src/batch/job_script.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

Submission read_experiment(const std::string& path, const Report& report = {}) {
  CLI::App program;
  const std::vector<Command> commands = add_commands(program);
  return read_experiment_file(path, submittable_among(commands), report);
}

class Submit : public testing::Test {
 protected:
  Submit() {
    char name[] = "/tmp/atoll-test-XXXXXX";
    folder_ = ::mkdtemp(name);
    write("table.csv", "a,b\n1,x\n2,y\n");
  }
  ~Submit() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  /// Of a file with data and run in its first two lines.
  Submission read(const std::string& rest) {
    write("e.toml", "data = \"table.csv\"\nrun = \"runs/r\"\n" + rest);
    return read_experiment(folder_ + "/e.toml");
  }
  JobRequest job(const std::string& keys) { return read("[job]\n" + keys).job; }
  /// What is said of it, from the name of the file on.
  std::string message(const std::string& rest, ExitStatus status = ExitStatus::bad_data) {
    try {
      read(rest);
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), status) << error.what();
      const std::string text = error.what();
      return text.substr(text.find("e.toml"));
    }
    return "accepted";
  }
  std::string script(const std::string& rest, const std::vector<std::size_t>& tasks = {0}) {
    return job_script(read(rest), tasks, "/opt/atoll");
  }

  std::string folder_;
};

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(SlurmTime, HasTheFormsOfSbatch) {
  EXPECT_EQ(slurm_seconds("30"), 30U * 60);
  EXPECT_EQ(slurm_seconds("30:05"), 30U * 60 + 5);
  EXPECT_EQ(slurm_seconds("24:00:00"), 86400U);
  EXPECT_EQ(slurm_seconds("2-12"), 2U * 86400 + 12 * 3600);
  EXPECT_EQ(slurm_seconds("1-00:30"), 86400U + 30 * 60);
  EXPECT_EQ(slurm_seconds("1-01:00:07"), 86400U + 3600 + 7);
  EXPECT_EQ(slurm_seconds("UNLIMITED"), std::nullopt);
  EXPECT_EQ(slurm_seconds("infinite"), std::nullopt);
  for (const char* wrong : {"", "1h", "1:2:3:4", "-5", "1-", "1:", "1:-2", "1.5", "9999999999"}) {
    EXPECT_THROW(slurm_seconds(wrong), UsageError) << wrong;
  }
}

TEST_F(Submit, PathsAreRelativeToTheFile) {
  const Submission submission = read("");
  EXPECT_EQ(submission.data, folder_ + "/table.csv");
  EXPECT_EQ(submission.run, folder_ + "/runs/r");
  ASSERT_EQ(submission.runs.size(), 1U);
  EXPECT_EQ(submission.runs[0].folder, submission.run);
  EXPECT_EQ(submission.runs[0].configuration.machine.data, submission.data);
  EXPECT_EQ(submission.job.name, "r");
  EXPECT_EQ(JobFolder(submission).path, folder_ + "/runs/r.job");
}

TEST_F(Submit, OptionsOfMineAreResolved) {
  write("g.bnf", "<rule> ::= <equal(a)> => <equal(b)>\n");
  const Submission submission = read(
      "[mine]\nislands = 6\nmin-support = \"1%\"\nmaximize = [\"lift\", \"support\"]\n"
      "grammar = \"g.bnf\"\nthreads = 3\ncheckpoint-every = \"5m\"\n");
  const RunConfiguration& configuration = submission.runs[0].configuration;
  EXPECT_EQ(configuration.experiment.islands, 6U);
  EXPECT_EQ(configuration.experiment.min_support.share, 0.01);
  EXPECT_EQ(configuration.experiment.maximize, (std::vector<std::string>{"lift", "support"}));
  EXPECT_NE(configuration.experiment.grammar.find("<equal(a)>"), std::string::npos);
  EXPECT_EQ(configuration.machine.threads, 3U);
  EXPECT_EQ(submission.runs[0].machine_options, "--threads=3 --checkpoint-every=5m");
}

TEST_F(Submit, RanksFollowGpus) {
  EXPECT_EQ(job("").ranks(), 1U);
  EXPECT_EQ(job("nodes = 2\n").ranks(), 2U);
  EXPECT_EQ(job("nodes = 2\ngpus-per-node = 2\n").ranks(), 4U);
  EXPECT_EQ(job("gpus-per-node = \"a100:3\"\n").ranks(), 3U);
  EXPECT_EQ(job("gpus-per-node = 4\nranks-per-node = 2\n").ranks(), 2U);
  EXPECT_EQ(job("gpus-per-node = 0\n").gpus_per_node, "");
}

TEST_F(Submit, RanksAreToldToStopInTime) {
  EXPECT_EQ(job("").stop_before, 180U);
  EXPECT_EQ(job("time = \"24:00:00\"\n").stop_before, 180U);
  EXPECT_EQ(job("time = 4\n").stop_before, 60U);
  EXPECT_EQ(job("time = \"UNLIMITED\"\n").stop_before, 180U);
  EXPECT_EQ(job("time = 60\nstop-before = \"10m\"\n").stop_before, 600U);
  EXPECT_EQ(job("stop-before = 20\n").stop_before, 20U);
}

TEST_F(Submit, SaysWhereTheFileIsWrong) {
  EXPECT_EQ(message("dta = 1\n"),
            "e.toml:3:1: unknown key 'dta' in an experiment file, did you mean 'data'?");
  EXPECT_EQ(message("[job]\nmemroy = \"1G\"\n"),
            "e.toml:4:1: unknown key 'memroy' in [job], did you mean 'memory'?");
  EXPECT_EQ(message("[job]\nnodes = 0\n"),
            "e.toml:4:9: nodes: expected a whole number from 1 to 1000000");
  EXPECT_EQ(message("[job]\nnodes = \"2\"\n"),
            "e.toml:4:9: nodes: expected a whole number from 1 to 1000000");
  EXPECT_EQ(message("[job]\nrequeue = 1\n"), "e.toml:4:11: requeue: expected true or false");
  EXPECT_EQ(message("[job]\ntime = \"1h\"\n"),
            "e.toml:4:8: time: '1h', expected a time as Slurm takes it: minutes, \"24:00:00\", "
            "\"2-12\" or \"UNLIMITED\"");
  EXPECT_EQ(message("[job]\ntime = 2\nstop-before = \"2m\"\n"),
            "e.toml:5:15: stop-before: expected less than the time of a job");
  EXPECT_EQ(message("[job]\nmemory = \"lots\"\n"),
            "e.toml:4:10: memory: expected a size for each node as Slurm takes it, such as "
            "\"64G\"");
  EXPECT_EQ(message("[job]\npartition = \"a b\"\n"),
            "e.toml:4:13: partition: expected a word without blanks, quotes, \\ and #");
  EXPECT_EQ(message("[job]\nsbatch = [\"-N2\"]\n"), "e.toml:4:10: sbatch: '-N2': use nodes");
  EXPECT_EQ(message("[job]\nsbatch = [\"--output=x\"]\n"),
            "e.toml:4:10: sbatch: '--output=x': use run");
  EXPECT_EQ(message("[job]\nlauncher = \"mpiexec\"\n"),
            "e.toml:4:12: launcher: 'mpiexec', expected srun or mpirun");
  EXPECT_EQ(message("[job]\nsetup = [\"a\\nb\"]\n"),
            "e.toml:4:10: setup: expected texts of one line");
  EXPECT_EQ(message("job = 3\n"), "e.toml:3:7: job: expected a table [job]");
  EXPECT_EQ(message("[job]\ncontainer = \"no.sif\"\n", ExitStatus::no_input),
            "e.toml:4:13: container: " + folder_ + "/no.sif: no such file");
}

TEST_F(Submit, SaysWhichOptionOfMineIsWrong) {
  EXPECT_EQ(message("[mine]\nsede = 1\n"),
            "e.toml:4:8: unknown option --sede; did you mean --seed?");
  EXPECT_EQ(message("[mine]\nseed = \"x\"\n"), "e.toml:4:8: --seed: 'x' is no whole number");
  EXPECT_EQ(message("[mine]\nseed = true\n"), "e.toml:4:8: --seed needs a value");
  EXPECT_EQ(message("[mine]\nislands = 3\n[job]\nnodes = 4\n"),
            "e.toml:4:11: --islands is 3, fewer than the 4 ranks of [job]");
  EXPECT_EQ(message("[mine]\nstop-after = \"1h\"\n"),
            "e.toml:4:14: --stop-after is not for a batch job; [job] has time");
  EXPECT_EQ(message("[mine]\noutput = \"x\"\n"), "e.toml:4:10: unknown option --output");
  EXPECT_EQ(message("[mine]\nbackend = \"gpu\"\n").substr(0, 21), "e.toml:4:11: --backen");
}

TEST_F(Submit, AnArrayHasEveryCombinationInTheOrderOfTheFile) {
  const Submission submission =
      read("[mine]\nislands = 2\n[array]\nseed = \"9-11\"\nmin-support = [\"1%\", 0.5]\n");
  ASSERT_TRUE(submission.array);
  ASSERT_EQ(submission.runs.size(), 6U);
  EXPECT_EQ(submission.runs[0].name, "seed-9_min-support-1%");
  EXPECT_EQ(submission.runs[1].name, "seed-9_min-support-0.5");
  EXPECT_EQ(submission.runs[5].name, "seed-11_min-support-0.5");
  EXPECT_EQ(submission.runs[5].folder, folder_ + "/runs/r/seed-11_min-support-0.5");
  EXPECT_EQ(submission.runs[5].configuration.experiment.seed, 11U);
  EXPECT_EQ(submission.runs[4].configuration.experiment.min_support.share, 0.01);
  EXPECT_EQ(submission.runs[5].configuration.experiment.islands, 2U);
}

TEST_F(Submit, ARangeEndsAtTheGreatestNumber) {
  EXPECT_EQ(message("[array]\nseed = \"18446744073709551614-18446744073709551615\"\n"),
            "e.toml:4:8: --seed is 18446744073709551614, expected 0 to 9223372036854775807");
}

TEST_F(Submit, AListIsAValueOfAnArray) {
  const Submission submission =
      read("[array]\nmaximize = [[\"lift\", \"support\"], [\"leverage\"]]\n");
  ASSERT_EQ(submission.runs.size(), 2U);
  EXPECT_EQ(submission.runs[0].name, "maximize-lift,support");
  EXPECT_EQ(submission.runs[0].configuration.experiment.maximize,
            (std::vector<std::string>{"lift", "support"}));
}

TEST_F(Submit, SaysWhereAnArrayIsWrong) {
  EXPECT_EQ(message("[array]\nseed = [1, \"x\"]\n"), "e.toml:4:12: --seed: 'x' is no whole number");
  EXPECT_EQ(message("[array]\nseed = 3\n"),
            "e.toml:4:8: seed: expected a list of values, or a range such as \"1-4\"");
  EXPECT_EQ(message("[array]\nseed = \"4-1\"\n"),
            "e.toml:4:8: seed: expected a list of values, or a range such as \"1-4\"");
  EXPECT_EQ(message("[array]\nseed = []\n"),
            "e.toml:4:8: seed: expected a list of values, or a range such as \"1-4\"");
  EXPECT_EQ(message("[array]\n"), "e.toml:3:1: [array] has no option that varies");
  EXPECT_EQ(message("[array]\nseed = [1, 1]\n"), "e.toml:3:1: the run seed-1 is there twice");
  EXPECT_EQ(message("[array]\nseed = \"1-10001\"\n"), "e.toml:4:8: seed: more than 10000 values");
  EXPECT_EQ(message("[mine]\nseed = 1\n[array]\nseed = [1, 2]\n"),
            "e.toml:6:9: seed stands in [mine], too");
}

TEST_F(Submit, TheScriptAsksForWhatTheFileSays) {
  const std::string text = script(
      "[mine]\nislands = 16\n[job]\nnodes = 2\ngpus-per-node = \"a100:4\"\ncpus-per-task = 8\n"
      "memory = \"64G\"\ntime = \"24:00:00\"\npartition = \"gpu\"\naccount = \"p1\"\nqos = \"q\"\n"
      "constraint = \"fast&big\"\nmodules = [\"gcc/12\", \"openmpi\"]\nsetup = [\"export A='1 "
      "2'\"]\n"
      "sbatch = [\"--mail-type=END\"]\nmax-jobs = 7\n");
  EXPECT_EQ(text.substr(0, text.find('\n')), "#!/bin/bash -l");
  for (const char* line : {"#SBATCH --job-name=r",
                           "#SBATCH --nodes=2",
                           "#SBATCH --ntasks-per-node=4",
                           "#SBATCH --gpus-per-node=a100:4",
                           "#SBATCH --cpus-per-task=8",
                           "#SBATCH --mem=64G",
                           "#SBATCH --time=24:00:00",
                           "#SBATCH --partition=gpu",
                           "#SBATCH --account=p1",
                           "#SBATCH --qos=q",
                           "#SBATCH --constraint=fast&big",
                           "#SBATCH --requeue",
                           "#SBATCH --open-mode=append",
                           "#SBATCH --signal=B:USR1@180",
                           "#SBATCH --mail-type=END",
                           "module load gcc/12 openmpi || exit",
                           "export A='1 2'",
                           "atoll=(/opt/atoll)",
                           "launcher=(srun --mpi=pmix --wait=60 --cpus-per-task=8 --cpu-bind=cores "
                           "--gpus-per-task=1)",
                           "stop_before=180",
                           "requeue=yes",
                           "max_jobs=7",
                           "machine_options=('')"}) {
    EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
  }
  EXPECT_TRUE(has_line(text, "#SBATCH --output=" + folder_ + "/runs/r.job/%j.out"));
  EXPECT_TRUE(has_line(text, "runs=(" + folder_ + "/runs/r)"));
  EXPECT_EQ(text.find("--array"), text.find("--array=$task"));
  EXPECT_EQ(text.find("@SE"), std::string::npos);
}

TEST_F(Submit, TheScriptOfAnArrayHasItsRuns) {
  const std::string text =
      script("[job]\narray-limit = 2\nrequeue = false\n[array]\nseed = \"1-5\"\n", {0, 1, 2, 4});
  EXPECT_TRUE(has_line(text, "#SBATCH --array=0-2,4%2"));
  EXPECT_TRUE(has_line(text, "#SBATCH --no-requeue"));
  EXPECT_TRUE(has_line(text, "#SBATCH --output=" + folder_ + "/runs/r.job/%A_%a.out"));
  EXPECT_TRUE(has_line(text, "  " + folder_ + "/runs/r/seed-5)"));
}

TEST_F(Submit, OtherLaunchersAndContainers) {
  EXPECT_TRUE(has_line(script("[job]\nlauncher = \"mpirun\"\nnodes = 2\nranks-per-node = 2\n"
                              "launcher-options = [\"--mca\", \"a b\"]\n"),
                       "launcher=(mpirun -n 4 --map-by ppr:2:node --bind-to none --mca 'a b')"));
  EXPECT_TRUE(has_line(script("[job]\nlauncher = \"mpirun\"\ncpus-per-task = 8\n"),
                       "launcher=(mpirun -n 1 --map-by ppr:1:node:PE=8 --bind-to core)"));
  write("a.sif", "");
  EXPECT_TRUE(has_line(script("[job]\ncontainer = \"a.sif\"\ngpus-per-node = 1\n"),
                       "atoll=(apptainer exec --nv --bind=" + folder_ + " --bind=" + folder_ +
                           "/runs --bind=" + folder_ + " " + folder_ + "/a.sif atoll)"));
  EXPECT_TRUE(has_line(script("[job]\nprogram = \"atoll\"\n"), "atoll=(atoll)"));
  EXPECT_TRUE(
      has_line(script("[job]\nprogram = \"bin/atoll\"\n"), "atoll=(" + folder_ + "/bin/atoll)"));
}

TEST_F(Submit, AnOptionOfSbatchIsOneOption) {
  const std::string text = script(
      "[job]\nsbatch = [\"--comment=two words --wrap=x\", '--comment=\"#\\', \"-M a b\", "
      "\"--exclusive\"]\n");
  EXPECT_TRUE(has_line(text, "#SBATCH --comment=\"two words --wrap=x\"")) << text;
  EXPECT_TRUE(has_line(text, R"(#SBATCH --comment="\"#\\")")) << text;
  EXPECT_TRUE(has_line(text, "#SBATCH -M \"a b\""));
  EXPECT_TRUE(has_line(text, "#SBATCH --exclusive"));
}

TEST_F(Submit, WhatCannotStandInTheScriptIsRefused) {
  EXPECT_EQ(message("[job]\nprogram = \"--help\"\n"),
            "e.toml:4:11: program: expected a path, not an option");
  EXPECT_EQ(message("[job]\ncontainer = \"-x://y\"\n"),
            "e.toml:4:13: container: expected a path, not an option");
  for (const char* name : {"line\nfeed", "back\\slash", "\"quoted\""}) {
    const std::string folder = folder_ + "/" + name;
    std::filesystem::create_directory(folder);
    std::ofstream(folder + "/e.toml") << "data = \"../table.csv\"\nrun = \"r\"\n";
    EXPECT_THROW(read_experiment(folder + "/e.toml"), BadData) << name;
  }
}

TEST_F(Submit, AFormerNameOfAPresetIsToldOnceForAllRuns) {
  write("e.toml",
        "data = \"table.csv\"\nrun = \"runs/r\"\n[mine]\npreset = \"pareto\"\n"
        "[array]\nseed = [1, 2, 3]\n");
  std::vector<std::string> told;
  const Submission submission = read_experiment(
      folder_ + "/e.toml", [&](Severity, const std::string& line) { told.push_back(line); });
  EXPECT_EQ(submission.runs.size(), 3U);
  EXPECT_EQ(told, std::vector<std::string>{"--preset pareto is called niching now; the former name "
                                           "goes with the next version"});
}

TEST_F(Submit, FoldersThatAContainerCannotBindAreRefused) {
  write("a.sif", "");
  write("e.toml",
        "data = \"table.csv\"\nrun = \"a,/etc:/mnt:rw/r\"\n[job]\ncontainer = \"a.sif\"\n");
  try {
    read_experiment(folder_ + "/e.toml");
    FAIL();
  } catch (const BadData& error) {
    EXPECT_NE(std::string(error.what())
                  .find("e.toml:4:13: container: the folder " + folder_ +
                        "/a,/etc:/mnt:rw cannot be bound"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Submit, EachCommandThatCanBeSubmittedHasASection) {
  const Submission sets = read("[itemsets]\nmin-count = 2\nclosed = true\n");
  EXPECT_EQ(sets.runs.front().file_options, "closed = true\nmin-count = \"2\"\n");
  EXPECT_EQ(configuration_text(sets, sets.runs.front()),
            "# atoll itemsets of " + folder_ + "/table.csv\nclosed = true\nmin-count = \"2\"\n");
  const std::string text = job_script(sets, {0}, "/opt/atoll");
  EXPECT_TRUE(has_line(text, "begin=(itemsets)"));
  EXPECT_TRUE(has_line(text, "makes=file"));
  EXPECT_TRUE(has_line(text, "print=''"));
  EXPECT_TRUE(has_line(script("[enumerate]\ntop = 5\n"), "begin=(enumerate)"));
  EXPECT_TRUE(has_line(script("[cv]\nfolds = 3\nclass = \"b\"\n"), "begin=(classify cv)"));
  EXPECT_EQ(message("[cv]\nfolds = 3\n"), "e.toml: --class is missing");
  EXPECT_EQ(message("[enumerate]\nmethod = \"beam\"\nevaluations = 5\n"),
            "e.toml:4:10: --method beam has no checkpoints that a next job could go on from");
  const std::string mined = script("");
  EXPECT_TRUE(has_line(mined, "begin=(mine)"));
  EXPECT_TRUE(has_line(mined, "makes=run"));
}

TEST_F(Submit, PathsAreQuoted) {
  write("it's.csv", "a,b\n1,x\n2,y\n");
  write("e.toml", "data = \"it's.csv\"\nrun = \"50% $HOME/a b\"\n");
  const std::string text = job_script(read_experiment(folder_ + "/e.toml"), {0}, "/opt/my atoll");
  EXPECT_TRUE(has_line(text, "data='" + folder_ + "/it'\\''s.csv'"));
  EXPECT_TRUE(has_line(text, "runs=('" + folder_ + "/50% $HOME/a b')"));
  EXPECT_TRUE(has_line(text, "#SBATCH --output=\"" + folder_ + "/50%% $HOME/a b.job/%j.out\""));
  EXPECT_TRUE(has_line(text, "#SBATCH --job-name=\"a b\""));
  EXPECT_TRUE(has_line(text, "atoll=('/opt/my atoll')"));
}

}  // namespace
}  // namespace atl
