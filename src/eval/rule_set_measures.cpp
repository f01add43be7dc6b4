#include "src/eval/rule_set_measures.hpp"

namespace atl {

namespace {

/// The default class stands behind the rules.
std::size_t classes_of(const RuleSetCounts& counts, const RuleSet& list) noexcept {
  return counts.decided.size() / (list.rules.size() + 1);
}

std::uint32_t label_of(const RuleSet& list, std::size_t rule) noexcept {
  return rule < list.rules.size() ? list.rules[rule].label : list.default_class;
}

}  // namespace

RuleConfusion confusion_of(const RuleSetCounts& counts, std::size_t rule, std::uint32_t label) {
  const std::size_t classes = counts.decided.size() - counts.covered.size();
  std::vector<std::uint64_t> rows(classes);
  for (std::size_t i = 0; i < counts.decided.size(); ++i) rows[i % classes] += counts.decided[i];
  RuleConfusion confusion;
  for (std::size_t c = 0; c < classes; ++c) {
    const std::uint64_t covered = counts.covered[rule * classes + c];
    (c == label ? confusion.true_positives : confusion.false_positives) += covered;
    (c == label ? confusion.false_negatives : confusion.true_negatives) += rows[c] - covered;
  }
  return confusion;
}

double sensitivity_times_specificity(const RuleConfusion& confusion) noexcept {
  const auto share = [](std::uint64_t part, std::uint64_t rest) {
    if (part == 0) return 0.0;
    return static_cast<double>(part) / static_cast<double>(part + rest);
  };
  return share(confusion.true_positives, confusion.false_negatives) *
         share(confusion.true_negatives, confusion.false_positives);
}

std::vector<std::uint64_t> confusion_matrix(const RuleSetCounts& counts, const RuleSet& list) {
  const std::size_t classes = classes_of(counts, list);
  std::vector<std::uint64_t> matrix(classes * classes);
  for (std::size_t r = 0; r <= list.rules.size(); ++r) {
    for (std::size_t c = 0; c < classes; ++c) {
      matrix[c * classes + label_of(list, r)] += counts.decided[r * classes + c];
    }
  }
  return matrix;
}

double accuracy(const RuleSetCounts& counts, const RuleSet& list) noexcept {
  const std::size_t classes = classes_of(counts, list);
  std::uint64_t right = 0;
  std::uint64_t all = 0;
  for (std::size_t r = 0; r <= list.rules.size(); ++r) {
    right += counts.decided[r * classes + label_of(list, r)];
    for (std::size_t c = 0; c < classes; ++c) all += counts.decided[r * classes + c];
  }
  return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
}

}  // namespace atl
