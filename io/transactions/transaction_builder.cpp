#include "io/transactions/transaction_builder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {

std::uint32_t NameNumbers::of(std::string_view name) {
  key_ = name;
  return numbers_.try_emplace(key_, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

std::vector<std::string> NameNumbers::names() const {
  std::vector<std::string> names(numbers_.size());
  for (const auto& [name, number] : numbers_) names[number] = name;
  return names;
}

std::vector<std::uint32_t> order_of_bytes(const std::vector<std::string>& names) {
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return names[a] < names[b]; });
  return order;
}

void TransactionBuilder::end_transaction(std::uint64_t line) {
  if (!ascending_) join_equal(line);
  ascending_ = true;
  if (items_.empty()) ++empty_;
  entries_ += items_.size();
  if (entries_ > most_entries || ++transactions_ > most_entries) {
    throw BadData(name_, "has more than 4294967294 transactions or items in them");
  }
  sink_.take(items_);
  items_.clear();
}

void TransactionBuilder::join_equal(std::uint64_t line) {
  std::sort(items_.begin(), items_.end());
  const auto end = std::unique(items_.begin(), items_.end());
  if (end == items_.end()) return;
  if (repeated_ == 0) first_repeated_ = line;
  repeated_ += static_cast<std::uint64_t>(items_.end() - end);
  items_.erase(end, items_.end());
}

ItemNames TransactionBuilder::finish(std::vector<std::string> names,
                                     const std::vector<std::uint32_t>& order,
                                     const Report& report) const {
  if (transactions_ == 0) throw BadData(name_, "has no transactions");
  ItemNames items{std::vector<std::string>(order.size()), std::vector<std::uint32_t>(order.size())};
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    items.places[order[i]] = i;
    items.names[i] = std::move(names[order[i]]);
  }
  if (repeated_ > 0) {
    report(Severity::warning, name_ + ": " + counted(repeated_, "item") +
                                  " repeated in the same line (first in line " +
                                  std::to_string(first_repeated_) + "); each counts once");
  }
  if (empty_ > 0) {
    report(Severity::info, name_ + ": " + counted(empty_, "transaction") + " without items");
  }
  return items;
}

}  // namespace atl::io
