#include "src/data/transactions/transaction_set.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <utility>

namespace atl {

TransactionSet::TransactionSet(std::vector<std::string> names, std::vector<std::uint64_t> starts,
                               std::vector<std::uint32_t> items)
    : names_(std::move(names)),
      starts_(std::move(starts)),
      items_(std::move(items)),
      supports_(names_.size()) {
  assert(!starts_.empty() && starts_.front() == 0 && starts_.back() == items_.size());
  assert(starts_.size() <= std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t t = 0; t < size(); ++t) {
    const auto set = transaction(t);
    assert(std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) == set.end());
    for (const std::uint32_t item : set) {
      assert(item < supports_.size());
      ++supports_[item];
    }
  }
}

TransactionSet TransactionSet::with_probabilities(std::vector<double> probabilities) && {
  assert(probabilities.size() == size());
  assert(std::all_of(probabilities.begin(), probabilities.end(),
                     [](double p) { return p > 0 && p <= 1; }));
  probabilities_ = std::move(probabilities);
  return std::move(*this);
}

TransactionSet TransactionSet::without_probabilities() && {
  probabilities_ = {};
  return std::move(*this);
}

}  // namespace atl
