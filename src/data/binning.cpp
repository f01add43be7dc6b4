#include "src/data/binning.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace atl {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t divide_up(Wide dividend, Wide divisor) noexcept {
  return static_cast<std::uint64_t>((dividend + divisor - 1) / divisor);
}

// Cumulative counts that bins close at, ascending; the last is n. With t bins in each tail and m in
// between: k n / 100 t, then n / 100 + 98 k n / 100 m, then 99 n / 100 + k n / 100 t, rounded up.
std::vector<std::uint64_t> targets(Wide n, std::uint32_t max_bins) {
  const std::uint32_t tail = std::min<std::uint32_t>(8, max_bins / 8);
  if (tail == 0) {
    std::vector<std::uint64_t> even;
    for (std::uint32_t k = 1; k <= max_bins; ++k) even.push_back(divide_up(n * k, max_bins));
    return even;
  }
  std::vector<std::uint64_t> out;
  out.reserve(max_bins);
  const std::uint32_t middle = max_bins - 2 * tail;
  for (std::uint32_t k = 1; k <= tail; ++k) out.push_back(divide_up(n * k, 100 * tail));
  for (std::uint32_t k = 1; k <= middle; ++k) {
    out.push_back(divide_up(n * middle + n * 98 * k, Wide{100} * middle));
  }
  for (std::uint32_t k = 1; k <= tail; ++k) {
    out.push_back(divide_up(n * 99 * tail + n * k, 100 * tail));
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> bin_ends(std::span<const std::uint64_t> counts, std::uint32_t max_bins) {
  std::vector<std::uint32_t> ends;
  if (max_bins == 0 || counts.size() <= max_bins) {
    ends.resize(counts.size());
    std::iota(ends.begin(), ends.end(), 0U);
    return ends;
  }
  const std::uint64_t n = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const std::vector<std::uint64_t> closing = targets(n, max_bins);
  auto target = closing.begin();
  std::uint64_t cumulative = 0;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    cumulative += counts[code];
    if (target == closing.end() || cumulative < *target) continue;
    ends.push_back(static_cast<std::uint32_t>(code));
    target = std::upper_bound(target, closing.end(), cumulative);
  }
  ends.back() = static_cast<std::uint32_t>(counts.size() - 1);
  return ends;
}

Attribute apply_bins(const Attribute& exact, std::span<const std::uint32_t> ends) {
  assert(has_numbers(exact.kind) && !ends.empty());
  assert(ends.back() + std::size_t{1} == exact.low.size());
  Attribute binned = exact;
  binned.low.clear();
  binned.high.clear();
  binned.counts.clear();
  std::size_t first = 0;
  for (const std::uint32_t end : ends) {
    binned.low.push_back(exact.low[first]);
    binned.high.push_back(exact.high[end]);
    const auto from = exact.counts.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = exact.counts.begin() + static_cast<std::ptrdiff_t>(end) + 1;
    binned.counts.push_back(std::accumulate(from, to, std::uint64_t{0}));
    first = std::size_t{end} + 1;
  }
  return binned;
}

}  // namespace atl
