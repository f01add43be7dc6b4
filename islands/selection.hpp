#pragma once

#include <algorithm>
#include <cstddef>

#include "src/core/random.hpp"

namespace atl {

/// Binary tournament among `count` individuals that are ranked best first: of two drawn with
/// replacement the one nearer to the front wins. @pre count > 0
inline std::size_t tournament(std::size_t count, RandomStream& stream) noexcept {
  const auto first = stream.below(count);
  const auto second = stream.below(count);
  return static_cast<std::size_t>(std::min(first, second));
}

}  // namespace atl
