#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace atl::io {

/// Numbers names in the order of their first appearance, from 0.
class NameNumbers {
 public:
  std::uint32_t of(std::string_view name);
  std::size_t size() const noexcept { return numbers_.size(); }
  /// [size()] by their numbers
  std::vector<std::string> names() const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string key_;
};

/// The numbers of names, in the order of the names' bytes.
std::vector<std::uint32_t> order_of_bytes(const std::vector<std::string>& names);

}  // namespace atl::io
