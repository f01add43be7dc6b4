#include "islands/rule_sets/rule_set_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "islands/rule_sets/list_smoothing.hpp"

namespace atl {
namespace {

/// Standard errors on unseen rows by which a list may be worse than the best and yet be chosen.
constexpr double hardly = 0.5;

}  // namespace

void encode(ByteWriter& out, const SampledList& list) {
  encode(out, list.list());
  out.put_all(std::span<const std::uint64_t>(list.counts.covered));
  out.put_all(std::span<const std::uint64_t>(list.counts.decided));
}

SampledList decode_list(ByteReader& in, const ClassSample& sample, const ListJudge& judge,
                        const Part& part, std::size_t most_rules) {
  RuleSet read = decode_rule_set(in, sample.attributes(), sample.class_attribute());
  require_bytes(read.rules.size() <= most_rules, "a list has more rules than it may");
  SampledList list;
  list.default_class = read.default_class;
  const RuleSet as_read = read;
  for (ClassRule& rule : read.rules) list.rules.push_back(sampled(std::move(rule), sample));
  list.counts.covered = in.get_all<std::uint64_t>();
  list.counts.decided = in.get_all<std::uint64_t>();
  const std::size_t cells = std::size_t{judge.folds} * judge.classes();
  require_bytes(list.counts.covered.size() == as_read.rules.size() * cells &&
                    list.counts.decided.size() == (as_read.rules.size() + 1) * cells,
                "a list has other counts than its rules and classes need");
  settle(list, judge, part);
  require_bytes(list.list() == as_read, "a list is not as its counts would have it");
  return list;
}

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
  const auto& front = fronts_[search_.main_part()];
  return static_cast<std::size_t>(
      std::count_if(front.begin(), front.end(), [](const auto& list) { return list.has_value(); }));
}

std::vector<double> RuleSetResults::best() const {
  const std::scoped_lock lock(mutex_);
  double most = std::numeric_limits<double>::quiet_NaN();
  for (const auto& list : fronts_[search_.main_part()]) {
    if (!list) continue;
    const double its = weighted_accuracy(*list, search_.judge, {});
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

/// Sums of the counts over all folds.
std::vector<std::uint64_t> by_class(std::span<const std::uint64_t> counts, const ListJudge& judge) {
  const std::size_t classes = judge.classes(), width = classes * judge.folds;
  std::vector<std::uint64_t> sums(counts.size() / judge.folds, 0);
  for (std::size_t i = 0; i < counts.size(); ++i)
    sums[i / width * classes + i % classes] += counts[i];
  return sums;
}

/// Accuracy on the folds that their parts have not seen.
/// @param parts  of a price
std::optional<double> unseen_accuracy(std::vector<Fittest>& fittest, std::size_t rules,
                                      std::span<const Part> parts, const ListJudge& judge) {
  Correct unseen;
  for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
    const SampledList* const list = fittest[p].up_to(rules);
    if (list == nullptr) continue;
    const Correct all = correct_of(*list, judge, {});
    const Correct seen = correct_of(*list, judge, parts[p]);
    unseen.right += all.right - seen.right;
    unseen.all += all.all - seen.all;
  }
  if (unseen.all > 0) return unseen.right / unseen.all;
  return std::nullopt;
}

/// Rows of equal weight by which a share would be known as well as by these (Kish 1965).
/// @param rows  [rules][classes]
double effective_rows(std::span<const std::uint64_t> rows, std::span<const double> weights) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double weight = weights[i % weights.size()];
    sum += weight * static_cast<double>(rows[i]);
    squares += weight * weight * static_cast<double>(rows[i]);
  }
  return sum * sum / squares;
}

double value(const ListFrontRow& row) {
  return row.unseen.value_or(row.training);
}

/// The list of a front that does best on unseen rows, the shortest of equals.
struct BestOfFront {
  std::size_t index = 0;
  double value = 0;
  double error = 0;  ///< standard error; 0 without folds
};

/// @param rows  not empty
/// @param unseen_rows  effective ones
BestOfFront best_of(const std::vector<ListFrontRow>& rows, double unseen_rows) {
  BestOfFront best{0, value(rows[0]), 0};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (value(rows[i]) > best.value) best = {i, value(rows[i]), 0};
  }
  if (rows[best.index].unseen)
    best.error = std::sqrt(std::max(0.0, best.value * (1 - best.value)) / unseen_rows);
  return best;
}

/// The longest of those that are hardly worse on unseen rows than the best: lists of inner folds
/// are learnt from fewer rows, which bear fewer rules, and what chance makes of such differences is
/// a standard error. Without folds the best.
std::size_t chosen(const std::vector<ListFrontRow>& rows, const BestOfFront& best) {
  if (!rows[best.index].unseen) return best.index;
  std::size_t longest = best.index;
  for (std::size_t i = best.index + 1; i < rows.size(); ++i) {
    if (value(rows[i]) >= best.value - hardly * best.error) longest = i;
  }
  return longest;
}

}  // namespace

// Prefers the first price unless another is clearly better on unseen rows.
ListFront RuleSetResults::front() const {
  ListFront best;
  double least = 0;
  for (std::size_t first = 0; first < fronts_.size();) {
    std::size_t end = first + 1;
    while (end < fronts_.size() && search_.parts[end].price == search_.parts[first].price) ++end;
    ListFront its = front_of_price(first, end);
    const BestOfFront its_best =
        best_of(its.rows, effective_rows(its.rows.front().counts.decided, search_.judge.weights));
    if (first == 0 || its_best.value > least) {
      its.chosen = chosen(its.rows, its_best);
      its.smoothing = list_smoothing(std::span(fronts_).subspan(first, end - first),
                                     std::span(search_.parts).subspan(first, end - first),
                                     its.rows[its.chosen].list.rules.size(), search_.judge);
      best = std::move(its);
      least = its_best.value + hardly * its_best.error;
    }
    first = end;
  }
  return best;
}

ListFront RuleSetResults::front_of_price(std::size_t first, std::size_t end) const {
  ListFront front;
  std::vector<Fittest> fittest;
  for (std::size_t p = first; p < end; ++p) fittest.emplace_back(fronts_[p]);
  const auto parts = std::span(search_.parts).subspan(first, end - first);
  const SampledList* before = nullptr;
  for (std::size_t rules = 0; rules <= search_.most_rules; ++rules) {
    const auto unseen = unseen_accuracy(fittest, rules, parts, search_.judge);
    const SampledList* const list = fittest.back().up_to(rules);
    if (list == nullptr || list == before) continue;
    before = list;
    front.rows.push_back({list->list(),
                          {by_class(list->counts.covered, search_.judge),
                           by_class(list->counts.decided, search_.judge)},
                          weighted_accuracy(*list, search_.judge, {}),
                          unseen});
  }
  return front;
}

double weighted_accuracy(const SampledList& list, const ListJudge& judge, const Part& part) {
  const Correct correct = correct_of(list, judge, part);
  return correct.right / correct.all;
}

}  // namespace atl
