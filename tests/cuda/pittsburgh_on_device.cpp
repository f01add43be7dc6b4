// The published pipeline of decision lists on a device, against the reference device.
#include <gtest/gtest.h>

#include "cuda/published/pittsburgh_pipeline.hpp"
#include "src/eval/device.hpp"
#include "tests/cuda/device.hpp"
#include "tests/eval/random_lists.hpp"

namespace atl::test {
namespace {

/// Fitness of a rule (Listing 2, Cano et al. 2014). 0 where there are no positive rows, or no
/// negative ones.
double sensitivity_times_specificity(const RuleConfusion& confusion) noexcept {
  const auto share = [](std::uint64_t part, std::uint64_t rest) {
    if (part == 0) return 0.0;
    return static_cast<double>(part) / static_cast<double>(part + rest);
  };
  return share(confusion.true_positives, confusion.false_negatives) *
         share(confusion.true_negatives, confusion.false_positives);
}

constexpr std::uint32_t label = 8;  // index of the class

/// Lists without `is missing`, which the published pipeline has not.
std::vector<RuleSet> published_lists(std::uint64_t seed, std::size_t count,
                                     std::span<const Attribute> attributes, std::uint32_t most) {
  std::vector<RuleSet> lists = random_lists(seed, count, attributes, most);
  for (RuleSet& list : lists) {
    for (ClassRule& rule : list.rules) {
      if (rule.antecedent.empty()) continue;
      const auto program = rule.antecedent.program();
      const auto asked = rule.antecedent.comparisons();
      std::vector<Comparison> comparisons(asked.begin(), asked.end());
      for (Comparison& c : comparisons) {
        if (asks_missing(c)) c = {c.attribute, 0, 0, false};
      }
      rule.antecedent = Expression(std::vector<Op>(program.begin(), program.end()), comparisons);
    }
  }
  return lists;
}

std::unique_ptr<cuda::PittsburghPipeline> pipeline_for(const Dataset& data) {
  return on_device([&] { return cuda::make_pittsburgh_pipeline(data, label); });
}

void expect_as_the_reference(cuda::PittsburghPipeline& pipeline, const Dataset& data,
                             const std::vector<RuleSet>& lists,
                             const cuda::PittsburghOptions& options) {
  const auto scorer = make_reference_rule_set_scorer(data, {label});
  scorer->prepare(lists, {});
  scorer->start();
  scorer->finish();
  std::vector<RuleSetCounts> counts(lists.size());
  scorer->read(counts);
  cuda::PittsburghResults results;
  pipeline.evaluate(lists, options, results);
  ASSERT_EQ(results.accuracy.size(), lists.size());
  std::size_t rule = 0;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    for (std::size_t r = 0; r < lists[l].rules.size(); ++r, ++rule) {
      const RuleConfusion expected = confusion_of(counts[l], r, lists[l].rules[r].label);
      EXPECT_EQ(results.confusions[rule], expected) << "rule " << r << " of list " << l;
      EXPECT_EQ(results.rule_fitness[rule], sensitivity_times_specificity(expected));
    }
    EXPECT_EQ(results.accuracy[l], accuracy(confusion_matrix(lists[l], counts[l])));
  }
  EXPECT_EQ(results.confusions.size(), rule);
}

class PittsburghOnDevice : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PittsburghOnDevice, CountsAsTheReference) {
  const std::uint64_t rows = GetParam();
  for (const std::uint32_t classes : {1U, 3U, 10U}) {
    const RandomTable table = classified_table(rows + classes, rows, classes, classes != 3);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    const auto pipeline = pipeline_for(data);
    if (pipeline == nullptr) return;
    const auto lists = published_lists(rows, rows < 1000 ? 20 : 5, data.attributes(), 12);
    for (const std::uint32_t threads : cuda::pittsburgh_block_sizes) {
      expect_as_the_reference(*pipeline, data, lists, {threads, threads == 192});
    }
    expect_as_the_reference(*pipeline, data, {{{}, 0}}, {});
    expect_as_the_reference(*pipeline, data, {}, {});
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, PittsburghOnDevice,
                         testing::Values(1, 31, 32, 33, 127, 128, 129, 191, 192, 193, 4097));

TEST(PittsburghOnDevice, TimesItsPartsAndTellsItsOccupancy) {
  const RandomTable table = classified_table(12, 5000, 3, false);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  const auto pipeline = pipeline_for(data);
  if (pipeline == nullptr) return;
  cuda::PittsburghResults results;
  pipeline->evaluate(published_lists(12, 50, data.attributes(), 8), {192, true}, results);
  const cuda::PittsburghSeconds& s = results.seconds;
  for (const double part :
       {s.upload, s.coverage, s.rule_fitness, s.classification, s.set_fitness, s.download}) {
    EXPECT_GT(part, 0);
  }
  const cuda::PittsburghOccupancy occupancy = pipeline->occupancy(192);
  EXPECT_EQ(occupancy.active_threads, occupancy.active_blocks * 192);
  EXPECT_GT(occupancy.active_blocks, 0U);
  EXPECT_LE(occupancy.active_threads, occupancy.most_threads);
}

}  // namespace
}  // namespace atl::test
