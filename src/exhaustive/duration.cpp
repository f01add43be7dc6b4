#include "src/exhaustive/duration.hpp"

#include <algorithm>
#include <cstdint>

#include "src/core/stopwatch.hpp"
#include "src/exhaustive/enumerate.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_words = 8'000'000'000;  // a core ANDs them in about a second
constexpr std::uint32_t tried_length = 4;

}  // namespace

std::optional<double> enumeration_seconds(const Items& items, const RuleLimits& limits,
                                          std::size_t top, ThreadPool& pool) {
  const std::uint64_t rules = most_words / std::max<std::size_t>(1, items.words());
  const std::uint64_t pairs = std::uint64_t{items.size()} * items.size();
  if (items.size() == 0 || pairs > rules / 16) return std::nullopt;
  RuleLimits tried = limits;
  tried.max_length = std::min(limits.max_length, tried_length);
  double seconds = 0;
  const MinedRules mined = timed(
      seconds, [&] { return enumerate_rules(items, tried, top, pool, rules / items.size()); });
  if (!mined.complete) return std::nullopt;
  const auto& counted = mined.by_length;
  auto rules_counted = static_cast<double>(mined.evaluated);
  auto last = static_cast<double>(counted.back());
  const double before =
      counted.size() < 2 ? last : static_cast<double>(counted[counted.size() - 2]);
  const double growth = before == 0 ? 1 : last / before;
  for (std::uint32_t length = tried.max_length; length < limits.max_length; ++length) {
    last *= growth;
    rules_counted += last;
  }
  return seconds * rules_counted / static_cast<double>(mined.evaluated);
}

}  // namespace atl
