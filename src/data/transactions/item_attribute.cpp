#include "src/data/transactions/item_attribute.hpp"

#include <utility>

namespace atl {

Attribute item_attribute(std::string name, std::uint64_t support, std::uint64_t transactions) {
  Attribute attribute;
  attribute.name = std::move(name);
  attribute.kind = AttributeKind::nominal;
  attribute.labels = {"absent", "present"};
  attribute.counts = {transactions - support, support};
  attribute.exact_distinct = 2;
  attribute.item = true;
  return attribute;
}

}  // namespace atl
