#include "io/transactions/name_numbers.hpp"

#include <algorithm>
#include <numeric>

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

}  // namespace atl::io
