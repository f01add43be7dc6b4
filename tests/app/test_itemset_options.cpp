#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include "src/app/itemset_options.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

ItemsetJob parsed(const std::string& arguments) {
  CLI::App command;
  ItemsetsOptions options;
  add_itemsets_options(command, options);
  command.parse("a.dat --min-count 2 -o sets.csv " + arguments);
  return job_from(options);
}

std::string refused(const std::string& arguments) {
  try {
    (void)parsed(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ItemsetOptions, OfProbabilisticSets) {
  const ItemsetJob job = parsed(
      "--algorithm probabilistic --min-probability 0.9 --probabilities p.txt "
      "--max-length 3 --backend reference");
  EXPECT_TRUE(job.how.probabilistic);
  EXPECT_FALSE(job.how.depth_first());
  EXPECT_EQ(job.how.min_probability, 0.9);
  EXPECT_EQ(job.probabilities, "p.txt");
  EXPECT_EQ(job.form.probability_column, "");
  EXPECT_TRUE(job.is_task);
  const ItemsetJob of_column = parsed(
      "--algorithm probabilistic --min-probability 100% --probability-column p --count-only");
  EXPECT_EQ(of_column.how.min_probability, 1);
  EXPECT_EQ(of_column.form.probability_column, "p");
  EXPECT_TRUE(of_column.count_only);
  EXPECT_FALSE(parsed("--algorithm probabilistic --min-probability 1 --min-length 2 --max-length 2")
                   .how.pairs);
}

TEST(ItemsetOptions, ThatProbabilisticSetsRefuse) {
  const std::string search = "--algorithm probabilistic --min-probability 0.5 ";
  EXPECT_EQ(refused(search), "accepted");
  EXPECT_EQ(refused("--algorithm probabilistic"),
            "--algorithm probabilistic needs --min-probability, such as 0.9 or 90%");
  for (const std::string given : {"0", "-0.1", "1.1", "x", "nan", "0,5", "101%", "2rows"}) {
    EXPECT_EQ(refused("--algorithm probabilistic --min-probability=" + given).substr(0, 18),
              "--min-probability:")
        << given;
  }
  EXPECT_EQ(refused(search + "--rules"),
            "--algorithm probabilistic finds sets and makes no --rules");
  for (const std::string family : {"--closed", "--maximal"}) {
    EXPECT_EQ(refused(search + family),
              "--algorithm probabilistic knows no --closed and no --maximal");
  }
  EXPECT_EQ(refused(search + "--representation lists"),
            "--representation is of --algorithm pairs, which is missing");
  EXPECT_EQ(refused(search + "--probabilities p --probability-column p"),
            "give either --probabilities or --probability-column");
}

TEST(ItemsetOptions, ThatAreOfProbabilisticSetsAlone) {
  for (const std::string other : {"", "--algorithm apriori ", "--algorithm pairs "}) {
    for (const std::string option :
         {"--min-probability", "--probabilities", "--probability-column"}) {
      EXPECT_EQ(refused(other + option + " 0.5"),
                option + " is of --algorithm probabilistic, which is missing");
    }
  }
}

}  // namespace
}  // namespace atl
