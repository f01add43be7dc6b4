#include "src/generate/random_baskets.hpp"

#include <cmath>
#include <vector>

#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {

RandomBasketsSource::RandomBasketsSource(const RandomBasketsOptions& options)
    : options_(options),
      log_without_(options.probability < 1 ? portable_log(1 - options.probability) : 0) {}

void RandomBasketsSource::make(RowRange slice, const Take& take) const {
  std::vector<std::uint32_t> items;
  for (std::uint64_t number = slice.first; number < slice.last; ++number) {
    RandomStream stream({.seed = options_.seed,
                         .island = static_cast<std::uint32_t>(GenerateStream::random_baskets),
                         .generation = static_cast<std::uint32_t>(number >> 32),
                         .slot = static_cast<std::uint32_t>(number),
                         .purpose = Purpose::generate});
    items.clear();
    // Steps from one item that is there to the next. The number passed over has the geometric
    // distribution, and may lie beyond any number of items.
    for (double next = 0;; ++next) {
      if (log_without_ != 0) {
        next += std::floor(portable_log(1 - stream.next_double()) / log_without_);
      }
      if (!(next < options_.items)) break;
      items.push_back(static_cast<std::uint32_t>(next));
    }
    take(items);
  }
}

}  // namespace atl
