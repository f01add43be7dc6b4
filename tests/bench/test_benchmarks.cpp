#include <set>

#include <gtest/gtest.h>

#include "src/bench/benchmarks.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

std::string complaint_of(const std::string& name) {
  try {
    benchmark_of(name);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Benchmarks, HaveAllThatTheTableNeeds) {
  std::set<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) {
    EXPECT_TRUE(names.insert(benchmark.name).second) << benchmark.name;
    EXPECT_EQ(&benchmark_of(benchmark.name), &benchmark);
    EXPECT_NE(benchmark.measures[0], '\0') << benchmark.name;
    EXPECT_NE(benchmark.refuses[0], '\0') << benchmark.name;
    EXPECT_NE(benchmark.tables, nullptr) << benchmark.name;
    EXPECT_NE(benchmark.run, nullptr) << benchmark.name;
    for (const Axis& axis : benchmark.axes) {
      EXPECT_FALSE(axis.standard.empty()) << benchmark.name << axis.option;
    }
  }
}

TEST(Benchmarks, AreSuggestedByNearNames) {
  EXPECT_EQ(complaint_of("itemset"), "unknown benchmark 'itemset', did you mean 'itemsets'?");
  EXPECT_NE(complaint_of("speed").find("expected interpreter, evaluation, "), std::string::npos);
}

}  // namespace
}  // namespace atl
