#include "islands/rule_sets/rule_set_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "islands/rule_sets/list_smoothing.hpp"

namespace atl {
namespace {

/// Standard errors on unseen rows by which a list may be worse than the best and yet be chosen, or
/// be better than that of another price. Longer lists rank more rows, so probabilities may cost
/// more.
double hardly(const ListJudge& judge) noexcept {
  return judge.goal == ListGoal::classes ? 0.5 : 2;
}

}  // namespace

void encode(ByteWriter& out, const SampledList& list) {
  encode(out, list.list());
  list.decided.save(out);
}

SampledList decode_list(ByteReader& in, const ClassSample& sample, const ListJudge& judge,
                        const Part& part, std::size_t most_rules) {
  RuleSet read = decode_rule_set(in, sample.attributes(), sample.class_attribute());
  require_bytes(read.rules.size() <= most_rules, "a list has more rules than it may");
  SampledList list;
  list.default_class = read.default_class;
  const RuleSet as_read = read;
  for (ClassRule& rule : read.rules) list.rules.push_back(sampled(std::move(rule), sample));
  list.decided.load(in, judge.folds * judge.classes());
  require_bytes(list.decided.size() == as_read.rules.size() + 1,
                "a list has counts of other rules than its own");
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

/// Sums over the rows of the folds that their parts have not seen, for more and more rules.
class UnseenSums {
 public:
  /// @param fronts  [parts][most rules + 1] @param parts  of a price
  UnseenSums(std::span<const std::vector<std::optional<SampledList>>> fronts,
             std::span<const Part> parts, const ListJudge& judge)
      : fronts_(fronts), parts_(parts), judge_(judge), lists_(parts.size()), sums_(parts.size()) {}

  RowSums with(std::size_t rules) {
    RowSums unseen;
    for (std::size_t p = 0; p + 1 < parts_.size(); ++p) {
      const SampledList* const list = fittest_of(fronts_[p], rules);
      if (list != lists_[p]) sums_[p] = unseen_sums(*list, judge_, parts_[p]);
      lists_[p] = list;
      unseen += sums_[p];
    }
    return unseen;
  }

 private:
  std::span<const std::vector<std::optional<SampledList>>> fronts_;
  std::span<const Part> parts_;
  const ListJudge& judge_;
  std::vector<const SampledList*> lists_;  // [parts] of the last call
  std::vector<RowSums> sums_;              // [parts]
};

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

/// The list that does best, the shortest of equals. @param figures  [rows of the front], not empty
std::size_t best_of(const std::vector<SizeFigure>& figures) {
  const auto less = [](const SizeFigure& a, const SizeFigure& b) { return a.mean < b.mean; };
  return static_cast<std::size_t>(std::max_element(figures.begin(), figures.end(), less) -
                                  figures.begin());
}

/// The longest of those that are hardly worse on unseen rows than the best: lists of inner folds
/// are learnt from fewer rows, which bear fewer rules, and what chance makes of such differences is
/// a standard error. Without folds the best.
std::size_t chosen(const std::vector<SizeFigure>& figures, std::size_t best, double errors) {
  if (figures[best].error == 0) return best;
  std::size_t longest = best;
  for (std::size_t i = best + 1; i < figures.size(); ++i) {
    if (figures[i].mean >= figures[best].mean - errors * figures[best].error) longest = i;
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
    std::vector<SizeFigure> figures;
    ListFront its = front_of_price(first, end, figures);
    const std::size_t its_best = best_of(figures);
    if (first == 0 || figures[its_best].mean > least) {
      its.chosen = chosen(figures, its_best, hardly(search_.judge));
      const std::size_t rules = its.rows[its.chosen].list.rules.size();
      its.decided = decided_by_class(*fittest_of(fronts_[end - 1], rules), search_.judge);
      its.smoothing = list_smoothing(std::span(fronts_).subspan(first, end - first),
                                     std::span(search_.parts).subspan(first, end - first), rules,
                                     search_.judge);
      best = std::move(its);
      least = figures[its_best].mean + hardly(search_.judge) * figures[its_best].error;
    }
    first = end;
  }
  return best;
}

ListFront RuleSetResults::front_of_price(std::size_t first, std::size_t end,
                                         std::vector<SizeFigure>& figures) const {
  const ListJudge& judge = search_.judge;
  ListFront front;
  front.log_loss = judge.goal == ListGoal::probabilities;
  const double sign = front.log_loss ? -1 : 1;
  const auto fronts = std::span(fronts_).subspan(first, end - first);
  UnseenSums sums(fronts, std::span(search_.parts).subspan(first, end - first), judge);
  const SampledList* before = nullptr;
  for (std::size_t rules = 0; rules <= search_.most_rules; ++rules) {
    const RowSums unseen = sums.with(rules);
    const SampledList* const list = fittest_of(fronts.back(), rules);
    if (list == nullptr || list == before) continue;
    before = list;
    ListFrontRow& row = front.rows.emplace_back();
    row.list = list->list();
    const double training = seen_sums(*list, judge, {}).mean();
    row.training = sign * training;
    figures.push_back({training});
    if (unseen.weight == 0) continue;
    row.unseen = sign * unseen.mean();
    figures.back() = {unseen.mean(),
                      std::sqrt(unseen.variance() /
                                effective_rows(decided_by_class(*list, judge), judge.weights))};
  }
  return front;
}

double weighted_accuracy(const SampledList& list, const ListJudge& judge, const Part& part) {
  const Correct correct = correct_of(list, judge, part);
  return correct.right / correct.all;
}

}  // namespace atl
