#include "src/data/fingerprint.hpp"

#include <cassert>

namespace atl {

FingerprintBuilder::FingerprintBuilder(std::size_t attributes) : columns_(attributes) {}

void FingerprintBuilder::add(std::size_t attribute, std::span<const std::uint32_t> codes) {
  columns_[attribute].update(std::as_bytes(codes));
}

Fingerprint FingerprintBuilder::finish(std::uint64_t rows,
                                       std::span<const Attribute> attributes) const {
  assert(attributes.size() == columns_.size());
  Hasher hasher;
  hasher.update_u64(rows);
  hasher.update_u64(attributes.size());
  for (const Attribute& attribute : attributes) {
    hasher.update_u64(static_cast<std::uint64_t>(attribute.kind));
    hasher.update_text(attribute.name);
    hasher.update_u64(attribute.distinct());
    if (has_numbers(attribute.kind)) {
      hasher.update(std::as_bytes(std::span(attribute.low)));
    } else {
      for (const std::string& label : attribute.labels) hasher.update_text(label);
    }
  }
  for (const Hasher& column : columns_) {
    const Hash128 codes = column.digest();
    hasher.update_u64(codes.low);
    hasher.update_u64(codes.high);
  }
  return hasher.digest();
}

}  // namespace atl
