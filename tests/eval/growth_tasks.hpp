// Random gaps in random lists, for which rules are to be grown; the same for a seed on every
// machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/sampling/rule_grower.hpp"
#include "tests/eval/random_lists.hpp"

namespace atl::test {

/// What a table and lists for growth are to be like.
struct GrowthCase {
  std::uint64_t seed = 1;
  std::uint64_t rows = 500;
  std::uint32_t attributes = 8;
  std::uint32_t classes = 3;
  bool missing = true;
  std::size_t window_cost = std::size_t{1} << 18;  ///< of the sample
  double balance = 0;                              ///< 1: all classes weigh the same
  std::uint32_t most_rules = 10;
  std::uint32_t most_comparisons = 8;
  std::size_t tasks = 40;
  bool conjunctions = true;   ///< no other rules
  std::uint32_t numbers = 0;  ///< different numbers of one more attribute
};

/// An attribute of many numbers.
inline void add_numbers(RandomTable& table, const GrowthCase& of) {
  RandomStream stream({of.seed, 7, 0, 0, Purpose::test});
  Attribute size;
  size.name = "size";
  for (std::uint32_t i = 0; i < of.numbers; ++i) size.low.push_back(i);
  size.high = size.low;
  size.exact_distinct = of.numbers;
  size.counts.assign(of.numbers, 0);
  size.has_missing = of.missing;
  std::vector<std::uint32_t> column(of.rows);
  for (std::uint32_t& code : column) {
    code = static_cast<std::uint32_t>(stream.below(of.numbers));
    if (of.missing && stream.chance(0.1)) code = missing_code;
    ++(code == missing_code ? size.missing : size.counts[code]);
  }
  table.attributes.insert(table.attributes.begin(), size);
  table.columns.insert(table.columns.begin(), std::move(column));
}

/// Some attributes, of which the last but one has more labels than literals, and a class that
/// follows from the others more often than not.
inline RandomTable table_to_learn(const GrowthCase& of) {
  RandomTable table = random_table(of.seed, of.rows, of.attributes, of.missing);
  if (of.numbers > 0) add_numbers(table, of);
  RandomStream stream({of.seed, 5, 0, 0, Purpose::test});
  constexpr std::uint32_t many = 1100;
  Attribute names;
  names.name = "name";
  names.kind = AttributeKind::nominal;
  names.exact_distinct = many;
  names.counts.assign(many, 0);
  for (std::uint32_t i = 0; i < many; ++i) names.labels.push_back(std::to_string(10000 + i));
  Attribute label;
  label.name = "class";
  label.kind = AttributeKind::nominal;
  label.exact_distinct = of.classes;
  label.counts.assign(of.classes, 0);
  for (std::uint32_t c = 0; c < of.classes; ++c) label.labels.push_back(std::to_string(100 + c));
  std::vector<std::uint32_t> name(of.rows), column(of.rows);
  for (std::uint64_t row = 0; row < of.rows; ++row) {
    name[row] = static_cast<std::uint32_t>(std::min(stream.below(many), stream.below(many)));
    ++names.counts[name[row]];
    std::uint64_t sum = 0;
    for (std::uint32_t a = 0; a < std::min(of.attributes, 3U); ++a) {
      const std::uint32_t code = table.columns[a][row];
      if (code != missing_code) sum += 5 * code / table.attributes[a].distinct();
    }
    column[row] = static_cast<std::uint32_t>(
        stream.chance(0.8) ? sum * sum % of.classes
                           : std::min(stream.below(of.classes), stream.below(of.classes)));
    ++label.counts[column[row]];
  }
  table.attributes.push_back(names);
  table.columns.push_back(std::move(name));
  table.attributes.push_back(label);
  table.columns.push_back(std::move(column));
  return table;
}

/// A table, its sample and tasks on it. The tasks refer to it, so it stays where it is.
class GrowthBatch {
 public:
  explicit GrowthBatch(const GrowthCase& of)
      : table_(table_to_learn(of)), data_(make_dataset(table_.attributes, table_.columns, 4096)) {
    for (std::uint64_t row = 0; row < of.rows; ++row) {
      folds_.push_back(static_cast<std::uint8_t>(row % 3));
    }
    const auto label = static_cast<std::uint32_t>(table_.attributes.size()) - 1;
    ClassSample::Options options;
    options.folds = folds_;
    options.fold_count = 3;
    options.window_cost = of.window_cost;
    sample_ = std::make_shared<const ClassSample>(data_, label, options);
    for (const std::uint64_t rows : sample_->class_rows()) {
      settings_.weights.push_back(of.balance == 0 || rows == 0 ? 1 : 1 / static_cast<double>(rows));
    }
    settings_.costs.resize(2);
    for (const double weight : settings_.weights) {
      settings_.costs[0].push_back(of.balance == 0 ? 0.5 : weight * 0.5);
      settings_.costs[1].push_back(weight * 0.125);
    }
    settings_.most_comparisons = of.most_comparisons;
    const auto lists =
        random_lists(of.seed, of.tasks, data_.attributes(), of.most_rules, of.most_comparisons);
    rules_.resize(of.tasks);
    for (std::uint32_t t = 0; t < of.tasks; ++t) add_task(of, t, lists[t]);
  }
  GrowthBatch(const GrowthBatch&) = delete;
  GrowthBatch& operator=(const GrowthBatch&) = delete;

  const Dataset& data() const { return data_; }
  const std::shared_ptr<const ClassSample>& sample() const { return sample_; }
  const GrowthSettings& settings() const { return settings_; }
  std::span<const GrowthTask> tasks() const { return tasks_; }

 private:
  void add_task(const GrowthCase& of, std::uint32_t number, const RuleSet& list) {
    RandomStream stream({of.seed, 6, 0, number, Purpose::test});
    std::vector<SharedRule>& rules = rules_[number];
    for (const ClassRule& rule : list.rules) {
      const Expression antecedent = rule.antecedent.empty()
                                        ? rule.antecedent
                                        : canonical(rule.antecedent, data_.attributes());
      if (of.conjunctions && !antecedent.empty() && !antecedent.is_conjunction()) continue;
      rules.push_back(sampled({antecedent, rule.label}, *sample_));
    }
    GrowthTask task;
    draw(task, *sample_, settings_, stream);
    task.counted = static_cast<CountedRows>(stream.below(3));
    const std::size_t position = stream.below(rules.size() + 1);
    task.before = std::span<const SharedRule>(rules).first(position);
    task.behind = std::span<const SharedRule>(rules).subspan(position);
    task.default_class = list.default_class;
    if (stream.chance(0.5)) task.without = static_cast<std::uint32_t>(stream.below(3));
    if (stream.chance(0.5)) task.label = static_cast<std::uint32_t>(stream.below(of.classes));
    if (!rules.empty() && stream.chance(0.3)) {
      const Expression& start = rules[stream.below(rules.size())]->rule().antecedent;
      for (const Comparison& comparison : start.comparisons()) {
        if (start.is_conjunction() && stream.chance(0.5)) {
          task.start.push_back(as_grown(comparison, data_.attributes()[comparison.attribute]));
        }
      }
    }
    tasks_.push_back(std::move(task));
  }

  RandomTable table_;
  Dataset data_;
  std::vector<std::uint8_t> folds_;
  std::shared_ptr<const ClassSample> sample_;
  GrowthSettings settings_;
  std::vector<std::vector<SharedRule>> rules_;  // [tasks]
  std::vector<GrowthTask> tasks_;
};

inline std::vector<std::optional<Grown>> grown_by(RuleGrower& grower,
                                                  std::span<const GrowthTask> tasks) {
  grower.start(tasks);
  std::vector<std::optional<Grown>> grown(tasks.size());
  grower.read(grown);
  return grown;
}

}  // namespace atl::test
