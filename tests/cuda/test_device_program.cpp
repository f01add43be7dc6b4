// The words that a warp reads, read here row by row.
#include <gtest/gtest.h>

#include "cuda/host/device_program.hpp"
#include "cuda/host/rule_order.hpp"
#include "tests/eval/backend.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

using namespace atl::cuda;

/// Follows a program on one row, as group_terms.cuh does on many.
class RowReader {
 public:
  RowReader(const DeviceProgram& program, const Dataset& data, std::uint64_t row)
      : program_(program) {
    for (std::uint32_t a = 0; a < data.attributes().size(); ++a) {
      const std::uint32_t code = data.code(row, a);
      for (std::uint32_t p = 0; p < data.attributes()[a].planes(); ++p) {
        planes_.push_back(code != missing_code && (code >> p & 1) != 0);
      }
      if (data.attributes()[a].has_missing) planes_.push_back(code != missing_code);
    }
  }

  /// Adds the row to the counts of all rules, and of the comparisons where they are read.
  void count(std::vector<ContingencyTable>& tables, std::vector<std::uint64_t>& supports) {
    for (std::uint32_t g = 0; g < program_.groups(); ++g) {
      next_ = program_.words()[g];
      count_group(tables, supports);
    }
  }
  /// Behind the last word that was read.
  std::size_t end() const { return next_; }

 private:
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

  std::uint32_t take() { return program_.words()[next_++]; }

  static bool digit(std::uint32_t code, std::uint32_t value, bool lower) {
    const std::uint32_t bound = code & 15U;
    if ((code & digit_equal) != 0) return value == bound && lower;
    return value > bound || (value == bound && lower);
  }
  std::uint32_t value(std::uint32_t first, std::uint32_t end) const {
    std::uint32_t value = 0;
    for (std::uint32_t p = 0; p < digit_planes && first + p < end; ++p) {
      value |= static_cast<std::uint32_t>(planes_[first + p]) << p;
    }
    return value;
  }
  bool compare(std::uint32_t step, std::uint32_t first, std::uint32_t end, bool lower) const {
    const bool with_low = digit(step & step_lower_mask, value(first, end), lower);
    return digit(step >> step_upper_shift & step_upper_mask, value(first + digit_planes, end),
                 with_low);
  }

  void count_group(std::vector<ContingencyTable>& tables, std::vector<std::uint64_t>& supports) {
    terms_.assign(program_.terms(), false);
    for (std::uint32_t terms = take(); terms != 0; --terms) terms_[terms - 1] = true;
    comparison_ = take();
    for (std::uint32_t passes = take(); passes != 0; --passes) {
      for (std::uint32_t folds = read_pass(supports); folds != 0; --folds) read_fold();
    }
    std::uint32_t rule = take();
    for (std::uint32_t rules = take(); rules != 0; --rules, ++rule) {
      const std::uint32_t sides = take();
      const std::uint32_t set = take();
      bool known = true;
      for (std::uint32_t i = 0; i < program_.words()[set]; ++i) {
        known = known && planes_[program_.words()[set + 1 + i]];
      }
      const auto holds = [&](std::uint32_t side) {
        return known && terms_[side & term_mask] != ((side >> 15 & 1) != 0);
      };
      const bool antecedent = holds(sides & 0xFFFF);
      const bool consequent = holds(sides >> 16);
      tables[rule].n += known;
      tables[rule].n_antecedent += antecedent;
      tables[rule].n_consequent += consequent;
      tables[rule].n_both += antecedent && consequent;
    }
  }

  void read_fold() {
    const std::uint32_t fold = take();
    const std::uint32_t target = fold & term_mask;
    const std::uint32_t source = fold >> fold_source_shift & term_mask;
    const bool value = terms_[source] != ((fold & fold_complement) != 0);
    if ((fold & fold_begins) != 0) {
      EXPECT_EQ(target, source);
      terms_[target] = value;
    } else {
      terms_[target] = terms_[target] && value;
      terms_[source] = true;
    }
  }

  /// @return folds that follow
  std::uint32_t read_pass(std::vector<std::uint64_t>& supports) {
    const std::uint32_t first = take();
    const std::uint32_t flags = take();
    const std::uint32_t present = take();
    const std::uint32_t end = first + (flags & pass_planes_mask);
    const bool begins = (flags & pass_begins) != 0;
    const bool continues = (flags & pass_continues) != 0;
    bool words = false;
    std::uint32_t steps = take();
    std::uint32_t plain_slot =
        (flags & pass_special) == 0 && (!begins || continues) ? take() : no_slot;
    for (; steps != 0; --steps) {
      const std::uint32_t step = take();
      const bool again = (step & step_lower_mask) == digit_again;
      if ((flags & pass_special) == 0) {
        if (!again) {
          words =
              compare(step, first, end, begins ? (step & digit_equal) != 0 : terms_[plain_slot]);
          if (continues) terms_[plain_slot] = words;
          ++plain_slot;
        }
        if (continues) continue;
      } else {
        const std::uint32_t slot = take();
        if (!again) {
          words = compare(step, first, end, begins ? (step & digit_equal) != 0 : terms_[slot]);
          if (continues || (step & step_hold) != 0) {
            terms_[slot] = words;
            continue;
          }
          if ((step & step_without) != 0) words = terms_[slot - 1] && !words;
          if ((step & step_outside) != 0) words = !words;
          if ((step & step_present) != 0) words = words && planes_[present];
        }
      }
      if (!again && !supports.empty()) supports[comparison_++] += words;
      const std::uint32_t term = step >> step_term_shift & term_mask;
      terms_[term] = terms_[term] && words != (step >> step_complement_shift != 0);
    }
    return flags >> pass_folds_shift;
  }

  const DeviceProgram& program_;
  std::vector<bool> planes_;
  std::vector<bool> terms_;
  std::size_t next_ = 0;
  std::uint32_t comparison_ = 0;
};

void expect_as_the_reference(const Dataset& data, std::span<const Rule> rules,
                             const CountingOptions& options, std::uint32_t group_terms) {
  RuleOrder order;
  Batch batch;
  DeviceProgram program;
  for (int twice = 0; twice < 2; ++twice) {  // what is reused is cleared
    order.by_comparisons(rules);
    batch.compile(rules, data.attributes(), options, group_terms, order.indices());
    program.build(batch, plane_places(data.attributes()));
  }
  std::vector<ContingencyTable> tables(rules.size());
  std::vector<std::uint64_t> supports(options.comparison_supports ? batch.comparisons().size() : 0);
  for (std::uint64_t row = 0; row < data.rows(); ++row) {
    RowReader reader(program, data, row);
    reader.count(tables, supports);
    EXPECT_EQ(reader.end(), program.words().size());
  }
  const auto expected = counts_of(*make_reference_device()->load(data), rules, options);
  const Operand* operand = batch.operands().data();
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const RuleCounts& counts = expected[batch.rules()[r].index];
    EXPECT_EQ(tables[r], statistics_of(counts, options, nullptr).table) << r;
    for (const std::uint64_t support : counts.comparison_supports) {
      const std::uint64_t counted = supports[program.position(operand->comparison)];
      EXPECT_EQ(operand->complement ? data.rows() - counted : counted, support);
      ++operand;
    }
  }
}

TEST(RuleOrder, PutsTogetherWhatBeginsAlike) {
  const auto rule = [](std::uint32_t a, std::uint32_t code, std::uint32_t target) {
    return Rule{Expression::conjunction(
                    std::vector<Comparison>{{a, code, code, false}, {5, 0, code + a, false}}),
                Expression::of({9, target, target, false})};
  };
  std::vector<Rule> rules;
  for (std::uint32_t i = 0; i < 24; ++i) rules.push_back(rule(i % 3, i % 2, i / 6 % 2));
  rules.push_back({{}, {}});
  RuleOrder order;
  for (int twice = 0; twice < 2; ++twice) order.by_comparisons(rules);
  ASSERT_EQ(order.indices().size(), rules.size());
  std::vector<std::uint32_t> sorted(order.indices().begin(), order.indices().end());
  std::size_t changes = 0;  // of what a rule begins with
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const Rule &before = rules[sorted[i - 1]], &rule_here = rules[sorted[i]];
    if (before == rule_here) {
      EXPECT_LT(sorted[i - 1], sorted[i]);
    }
    changes += before != rule_here;
  }
  EXPECT_EQ(changes, 12U);  // of 3 x 2 x 2 rules, each twice, and the empty one
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i);
}

TEST(DeviceProgram, WritesTheExampleOfItsFormat) {
  Attribute age;
  age.name = "age";
  for (int code = 0; code < 100; ++code) age.low.push_back(code);
  age.high = age.low;
  Attribute colour;
  colour.name = "colour";
  colour.kind = AttributeKind::nominal;
  colour.labels = {"blue", "green", "red"};
  Attribute sold;
  sold.name = "sold";
  sold.kind = AttributeKind::nominal;
  sold.labels = {"no", "yes"};
  const std::vector<Attribute> attributes = {age, colour, sold};
  const Comparison up_to_40{0, 0, 40, false}, not_red{1, 2, 2, true}, yes{2, 1, 1, false};
  const Rule rule{Expression::conjunction(std::vector{up_to_40, not_red}), Expression::of(yes)};
  Batch batch;
  batch.compile({&rule, 1}, attributes, {});
  DeviceProgram program;
  program.build(batch, plane_places(attributes));
  const std::vector<std::uint32_t> words(program.words().begin(), program.words().end());
  EXPECT_EQ(words, (std::vector<std::uint32_t>{3, 2,     0,  // places; the empty present set
                                               2, 0,     3,  // terms, first comparison, passes
                                               0, 0x207, 7,       1, 0x80000088,  // age
                                               7, 0x202, 9,       1, 0x80000412,  // colour
                                               9, 0x201, 10,      1, 0x10411,     // sold
                                               0, 1,     0x10000, 2}));           // the rule
}

TEST(DeviceProgram, SaysWhatTheRulesSay) {
  for (const bool missing : {false, true}) {
    const RandomTable table = random_table(31 + missing, 150, 8, missing);
    const Dataset data = make_dataset(table.attributes, table.columns);
    const auto rules = with_bare_sides(random_rules(32, 60, data.attributes(), 12));
    for (const CountingOptions& options : all_options()) {
      for (const std::uint32_t group_terms : {1U, 14U, 200U}) {
        expect_as_the_reference(data, rules, options, group_terms);
      }
    }
  }
}

TEST(DeviceProgram, TakesWideAttributesInPasses) {
  for (const std::uint32_t codes : {257U, 5000U, 70'000U, 1U << 20}) {
    RandomTable table = random_table(codes, 200, 3, true);
    Attribute& wide = table.attributes[0];
    wide = {};
    wide.name = "wide";
    wide.has_missing = true;
    for (std::uint32_t c = 0; c < codes; ++c) wide.low.push_back(c);
    wide.high = wide.low;
    RandomStream stream({codes, 0, 0, 0, Purpose::test});
    for (std::uint32_t& code : table.columns[0]) {
      code = stream.below(9) == 0 ? missing_code : static_cast<std::uint32_t>(stream.below(codes));
    }
    const Dataset data = make_dataset(table.attributes, table.columns);
    const auto rules = random_rules(codes, 60, data.attributes(), 9);
    for (const CountingOptions& options : all_options()) {
      expect_as_the_reference(data, rules, options, 9);
    }
  }
}

// Both ends of an interval are subtracted where that is the same.
TEST(DeviceProgram, IntervalsNeedNoSlotUnlessTheyAreCountedOrComplemented) {
  const RandomTable table = random_table(33, 50, 2, false);
  Attribute wide;
  wide.name = "wide";
  for (std::uint32_t c = 0; c < 100; ++c) wide.low.push_back(c);
  wide.high = wide.low;
  const std::vector<Attribute> attributes = {wide, table.attributes[1]};
  const auto terms_of = [&](bool negated, bool supports) {
    const Rule rule{Expression::of({0, 10, 20, negated}), Expression::of({1, 0, 0, false})};
    Batch batch;
    CountingOptions options;
    options.comparison_supports = supports;
    batch.compile({&rule, 1}, attributes, options, 14);
    DeviceProgram program;
    program.build(batch, plane_places(attributes));
    return program.terms();
  };
  EXPECT_EQ(terms_of(false, false), 2U);
  EXPECT_EQ(terms_of(true, false), 3U);
  EXPECT_EQ(terms_of(false, true), 3U);
}

// a0 OR (a1 AND (a2 OR ... from the inside out: one term is open at a time, and the one it goes to.
TEST(DeviceProgram, ATermLeavesItsPlaceWhenItIsFolded) {
  constexpr std::uint32_t depth = 40;
  const RandomTable table = random_table(34, 200, depth + 1, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  Ops ops;
  Comparisons comparisons;
  for (std::uint32_t i = 0; i < depth; ++i) {
    const std::uint32_t a = depth - 1 - i;
    comparisons.push_back({a, 0, 0, false});
    ops.push_back(Op::comparison);
  }
  for (std::uint32_t i = 1; i < depth; ++i) {
    ops.push_back(i % 2 == 0 ? Op::conjunction : Op::disjunction);
  }
  const Rule rule{Expression(ops, comparisons), Expression::of({depth, 0, 0, false})};
  Batch batch;
  batch.compile({&rule, 1}, data.attributes(), {}, 14);
  EXPECT_GT(batch.groups()[0].terms, 35U);
  DeviceProgram program;
  program.build(batch, plane_places(data.attributes()));
  EXPECT_LE(program.terms(), 4U);
  expect_as_the_reference(data, {&rule, 1}, {}, 14);
}

}  // namespace
}  // namespace atl::test
