#include "io/transactions/transaction_builder.hpp"

#include <algorithm>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/near_names.hpp"

namespace atl::io {

void TransactionBuilder::end_transaction(std::uint64_t line) {
  if (!sorted_) join_equal(line);
  sorted_ = true;
  if (items_.size() == starts_.back()) ++empty_;
  if (items_.size() > most_entries || starts_.size() > most_entries) {
    throw BadData(name_, "has more than 4294967294 transactions or items in them");
  }
  starts_.push_back(items_.size());
}

void TransactionBuilder::join_equal(std::uint64_t line) {
  const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(starts_.back());
  std::sort(begin, items_.end());
  const auto end = std::unique(begin, items_.end());
  if (end == items_.end()) return;
  if (repeated_ == 0) first_repeated_ = line;
  repeated_ += static_cast<std::uint64_t>(items_.end() - end);
  items_.erase(end, items_.end());
}

TransactionSet TransactionBuilder::finish(std::vector<std::string> names,
                                          const std::vector<std::uint32_t>& order,
                                          const Report& report) {
  std::vector<std::uint32_t> place(order.size());
  std::vector<std::string> ordered(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    ordered[i] = std::move(names[order[i]]);
  }
  for (std::uint32_t& item : items_) item = place[item];
  for (std::size_t t = 0; t + 1 < starts_.size(); ++t) {
    std::sort(items_.begin() + static_cast<std::ptrdiff_t>(starts_[t]),
              items_.begin() + static_cast<std::ptrdiff_t>(starts_[t + 1]));
  }
  if (repeated_ > 0) {
    report(Severity::warning, name_ + ": " + counted(repeated_, "item") +
                                  " repeated in the same line (first in line " +
                                  std::to_string(first_repeated_) + "); each counts once");
  }
  if (empty_ > 0) {
    report(Severity::info, name_ + ": " + counted(empty_, "transaction") + " without items");
  }
  return {std::move(ordered), std::move(starts_), std::move(items_)};
}

}  // namespace atl::io
