#include "islands/rule_sets/rule_set_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace atl {

namespace {

/// Standard errors by which a list may be worse than the best to be chosen in its place.
constexpr double hardly = 0.5;

}  // namespace

RuleSetResults::RuleSetResults(const ListSearch& search)
    : search_(search),
      fronts_(search.parts.size(), std::vector<std::optional<SampledList>>(search.most_rules + 1)) {
}

void RuleSetResults::offer(std::size_t part, const SampledList& list) {
  const std::scoped_lock lock(mutex_);
  keep(part, list);
}

void RuleSetResults::keep(std::size_t part, const SampledList& list) {
  auto& place = fronts_[part][list.rules.size()];
  if (!place || better(list, *place)) place = list;
}

std::size_t RuleSetResults::size() const {
  const std::scoped_lock lock(mutex_);
  const auto& front = fronts_.back();
  return static_cast<std::size_t>(
      std::count_if(front.begin(), front.end(), [](const auto& list) { return list.has_value(); }));
}

std::vector<double> RuleSetResults::best() const {
  const std::scoped_lock lock(mutex_);
  double most = std::numeric_limits<double>::quiet_NaN();
  for (const auto& list : fronts_.back()) {
    if (!list) continue;
    const double its = weighted_accuracy(*list, search_.judge, search_.parts.back());
    if (!(most >= its)) most = its;
  }
  return {most};
}

void RuleSetResults::save(ByteWriter& out) const {
  const std::scoped_lock lock(mutex_);
  for (const auto& front : fronts_) {
    std::uint64_t lists = 0;
    for (const auto& list : front) lists += list ? 1U : 0U;
    out.put(lists);
    for (const auto& list : front) {
      if (list) encode(out, *list);
    }
  }
}

void RuleSetResults::merge(ByteReader& in) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t p = 0; p < fronts_.size(); ++p) {
    std::optional<std::size_t> before;
    for (std::size_t left = in.get_count(1); left > 0; --left) {
      const SampledList list =
          decode_list(in, *search_.sample, search_.judge, search_.parts[p], search_.most_rules);
      require_bytes(!before || *before < list.rules.size(), "a front is out of order");
      before = list.rules.size();
      keep(p, list);
    }
  }
}

namespace {

/// The fittest of a front with up to so many rules, asked for one number after the other.
class Fittest {
 public:
  explicit Fittest(std::span<const std::optional<SampledList>> front) : front_(front) {}
  /// @return null while there is none
  const SampledList* up_to(std::size_t rules) {
    const auto& next = front_[rules];
    if (next && (best_ == nullptr || better(*next, *best_))) best_ = &*next;
    return best_;
  }

 private:
  std::span<const std::optional<SampledList>> front_;
  const SampledList* best_ = nullptr;
};

/// Over all folds.
std::vector<std::uint64_t> by_class(std::span<const std::uint64_t> counts, const ListJudge& judge) {
  const std::size_t classes = judge.classes(), width = classes * judge.folds;
  std::vector<std::uint64_t> sums(counts.size() / judge.folds, 0);
  for (std::size_t i = 0; i < counts.size(); ++i)
    sums[i / width * classes + i % classes] += counts[i];
  return sums;
}

/// On the folds that their parts have not seen.
std::optional<double> unseen_accuracy(std::vector<Fittest>& fittest, std::size_t rules,
                                      const ListSearch& search) {
  Correct unseen;
  for (std::size_t p = 0; p + 1 < search.parts.size(); ++p) {
    const SampledList* const list = fittest[p].up_to(rules);
    if (list == nullptr) continue;
    const Correct all = correct_of(*list, search.judge, {});
    const Correct seen = correct_of(*list, search.judge, search.parts[p]);
    unseen.right += all.right - seen.right;
    unseen.all += all.all - seen.all;
  }
  if (unseen.all > 0) return unseen.right / unseen.all;
  return std::nullopt;
}

std::uint64_t rows_of(const RuleSetCounts& counts) {
  return std::accumulate(counts.decided.begin(), counts.decided.end(), std::uint64_t{0});
}

/// The longest of those that are hardly worse on unseen rows than the best: lists of inner folds
/// are learnt from fewer rows, which bear fewer rules, and what chance makes of such differences is
/// a standard error. Without folds the most accurate, the shortest of equals.
/// @param rows  of the front, not empty
std::size_t chosen(const std::vector<ListFrontRow>& rows, std::uint64_t unseen_rows) {
  const auto value = [&](const ListFrontRow& row) { return row.unseen.value_or(row.training); };
  std::size_t best = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (value(rows[i]) > value(rows[best])) best = i;
  }
  if (!rows[best].unseen) return best;
  const double right = *rows[best].unseen;
  const double error = std::sqrt(right * (1 - right) / static_cast<double>(unseen_rows));
  std::size_t longest = best;
  for (std::size_t i = best + 1; i < rows.size(); ++i) {
    if (value(rows[i]) >= right - hardly * error) longest = i;
  }
  return longest;
}

}  // namespace

ListFront RuleSetResults::front() const {
  ListFront front;
  std::vector<Fittest> fittest;
  for (const auto& of_part : fronts_) fittest.emplace_back(of_part);
  const SampledList* before = nullptr;
  for (std::size_t rules = 0; rules <= search_.most_rules; ++rules) {
    const auto unseen = unseen_accuracy(fittest, rules, search_);
    const SampledList* const list = fittest.back().up_to(rules);
    if (list == nullptr || list == before) continue;
    before = list;
    front.rows.push_back({list->list(),
                          {by_class(list->counts.covered, search_.judge),
                           by_class(list->counts.decided, search_.judge)},
                          weighted_accuracy(*list, search_.judge, search_.parts.back()),
                          unseen});
  }
  front.chosen = chosen(front.rows, rows_of(front.rows.front().counts));
  return front;
}

double weighted_accuracy(const SampledList& list, const ListJudge& judge, const Part& part) {
  const Correct correct = correct_of(list, judge, part);
  return correct.right / correct.all;
}

}  // namespace atl
