#include "islands/rule_sets/list_covering.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "islands/rule_sets/list_breeder.hpp"

namespace atl {

ListCovering::ListCovering(const ClassSample& sample, const GrowthSettings& settings,
                           std::size_t most_rules, const Part& part, bool pure,
                           std::optional<double> drawn)
    : sample_(sample),
      settings_(settings),
      weights_(sample_weights(sample, settings.weights)),
      most_rules_(most_rules),
      part_(part),
      pure_(pure),
      lists_(1),
      right_(weights_.size(), 0),
      done_(most_rules == 0) {
  const std::uint64_t* const rows = rows_of_part(sample, part);
  left_.assign(rows, rows + sample.words());
  std::vector<double> rows_of, weights;  // [classes]
  for (std::uint32_t c = 0; c < weights_.size(); ++c) {
    const auto its = static_cast<double>(count(c, [&](std::size_t w) { return left_[w]; }));
    rows_of.push_back(sample.scale(c) * its);
    weights.push_back(weights_[c] * its);
  }
  const auto classes = static_cast<std::uint32_t>(weights.size());
  const auto largest = std::max_element(rows_of.begin(), rows_of.end()) - rows_of.begin();
  lists_.front().default_class =
      drawn ? drawn_class(weights.data(), classes, *drawn) : static_cast<std::uint32_t>(largest);
}

template <typename Word>
std::uint64_t ListCovering::count(std::uint32_t label, const Word& word) const {
  std::uint64_t rows = 0;
  for (const SampleWindow& window : sample_.windows()) {
    for (std::size_t w = window.classes[label]; w < window.classes[label + 1]; ++w) {
      rows += static_cast<std::uint64_t>(std::popcount(word(w)));
    }
  }
  return rows;
}

double ListCovering::correct(const SampledRule* more) const {
  std::vector<std::uint64_t> right = right_;
  const std::uint32_t others = lists_.back().default_class;
  if (more == nullptr) {
    right[others] += count(others, [&](std::size_t w) { return left_[w]; });
  } else {
    const std::uint64_t* const cover = more->cover();
    const std::uint32_t label = more->rule().label;
    right[label] += count(label, [&](std::size_t w) { return left_[w] & cover[w]; });
    right[others] += count(others, [&](std::size_t w) { return left_[w] & ~cover[w]; });
  }
  double sum = 0;
  for (std::size_t c = 0; c < right.size(); ++c) {
    sum += weights_[c] * static_cast<double>(right[c]);
  }
  return sum;
}

void ListCovering::ask(std::vector<GrowthTask>& tasks, DrawKey key) const {
  const SampledList& list = lists_.back();
  key.slot += (static_cast<std::uint32_t>(list.rules.size()) + failures_) * attempts;
  for (std::uint32_t i = 0; i < attempts; ++i, ++key.slot) {
    RandomStream stream(key);
    GrowthTask task;
    task.before = list.rules;
    task.default_class = list.default_class;
    task.without = part_.without;
    task.price = part_.price;
    draw(task, sample_, settings_, stream);
    task.counted = pure_ ? CountedRows::pure : CountedRows::gains;
    tasks.push_back(std::move(task));
  }
}

void ListCovering::take(std::span<std::optional<Grown>> grown) {
  SharedRule best;
  double most = correct(nullptr);
  for (std::optional<Grown>& its : grown) {
    if (!its) continue;
    SharedRule rule = sampled({std::move(its->antecedent), its->label}, sample_);
    const double with = correct(rule.get());
    if (with <= most) continue;
    most = with;
    best = std::move(rule);
  }
  if (best == nullptr) {
    done_ = ++failures_ == most_failures;
    return;
  }
  const std::uint64_t* const cover = best->cover();
  const std::uint32_t label = best->rule().label;
  right_[label] += count(label, [&](std::size_t w) { return left_[w] & cover[w]; });
  for (std::size_t w = 0; w < left_.size(); ++w) left_[w] &= ~cover[w];
  lists_.push_back(lists_.back());
  lists_.back().rules.push_back(std::move(best));
  done_ = lists_.back().rules.size() >= most_rules_;
}

}  // namespace atl
