#include "islands/rule_sets/fold_scorer.hpp"

#include <algorithm>

namespace atl {

namespace {

/// Puts [rules][classes] counts of a fold to their places among [rules][folds][classes].
void place(std::span<const std::uint64_t> counts, std::size_t fold, std::size_t folds,
           std::size_t classes, std::vector<std::uint64_t>& out) {
  out.resize(counts.size() * folds);
  for (std::size_t rule = 0; rule * classes < counts.size(); ++rule) {
    const auto row = counts.subspan(rule * classes, classes);
    std::copy(row.begin(), row.end(),
              out.begin() + static_cast<std::ptrdiff_t>((rule * folds + fold) * classes));
  }
}

}  // namespace

FoldScorer::FoldScorer(Resident& resident, const ClassifiedRows& rows) {
  for (std::uint32_t f = 0; f < rows.windows; ++f) {
    scorers_.push_back(resident.rule_set_scorer(rows));
  }
}

void FoldScorer::start(std::span<const RuleSet> lists) {
  for (std::uint32_t f = 0; f < scorers_.size(); ++f) {
    scorers_[f]->prepare(lists, {.window = f});
    scorers_[f]->start();
  }
}

void FoldScorer::read(std::span<RuleSetCounts> out) {
  of_fold_.resize(out.size());
  const std::size_t folds = scorers_.size();
  for (std::size_t f = 0; f < folds; ++f) {
    scorers_[f]->finish();
    scorers_[f]->read(of_fold_);
    const std::size_t classes = scorers_[f]->class_rows(0u).size();
    for (std::size_t i = 0; i < out.size(); ++i) {
      place(of_fold_[i].covered, f, folds, classes, out[i].covered);
      place(of_fold_[i].decided, f, folds, classes, out[i].decided);
    }
  }
}

}  // namespace atl
