#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::io {

/// Takes the transactions that a reader reads.
class TransactionSink {
 public:
  virtual ~TransactionSink() = default;
  /// One after the other, in their order.
  /// @param items  ascending, none twice; numbered from 0 in the order in which the text has them
  virtual void take(std::span<const std::uint32_t> items) = 0;
};

/// The items of a text that has been read, in the order that a set of transactions has.
struct ItemNames {
  std::vector<std::string> names;     ///< [items]
  std::vector<std::uint32_t> places;  ///< [items] of each number, its place among them
};

}  // namespace atl::io
