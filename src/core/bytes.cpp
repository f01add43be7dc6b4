#include "src/core/bytes.hpp"

namespace atl {

void ByteWriter::append(std::span<const std::byte> raw) {
  bytes_.insert(bytes_.end(), raw.begin(), raw.end());
}

}  // namespace atl
