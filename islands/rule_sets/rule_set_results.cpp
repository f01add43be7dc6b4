#include "islands/rule_sets/rule_set_results.hpp"

#include <algorithm>
#include <limits>

namespace atl {

RuleSetResults::RuleSetResults(const ListSearch& search)
    : search_(search),
      fronts_(search.parts.size(),
              std::vector<std::optional<SampledList>>(search.most_rules + 1)) {}

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
      const SampledList list = decode_list(in, *search_.sample, search_.judge, search_.parts[p],
                                           search_.most_rules);
      require_bytes(!before || *before < list.rules.size(), "a front is out of order");
      before = list.rules.size();
      keep(p, list);
    }
  }
}

double weighted_accuracy(const SampledList& list, const ListJudge& judge, const Part& part) {
  const Correct correct = correct_of(list, judge, part);
  return correct.right / correct.all;
}

}  // namespace atl
