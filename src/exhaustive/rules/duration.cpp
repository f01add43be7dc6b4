#include "src/exhaustive/rules/duration.hpp"

#include <algorithm>
#include <cstdint>

#include "src/core/stopwatch.hpp"
#include "src/data/bit_planes.hpp"
#include "src/exhaustive/rules/enumerate.hpp"
#include "src/exhaustive/rules/space.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_words = 1'000'000'000;  // a core ANDs them in about 0.1 s
constexpr std::uint64_t words_of_rule = 256;  // that a rule costs as much as, beside those ANDed
constexpr std::uint32_t tried_length = 3;     // pairs, and what they grow to

/// That the trial may count.
std::uint64_t most_rules(std::uint64_t rows) {
  return most_words / (words_for(rows) + words_of_rule);
}

/// How many times as many rules there are of a length as of one comparison less.
double growth_of_space(const Items& items, std::uint32_t length) {
  const auto up_to = [&](std::uint32_t most) {
    return static_cast<double>(space_size(items.by_attribute(), most));
  };
  return (up_to(length) - up_to(length - 1)) / (up_to(length - 1) - up_to(length - 2));
}

}  // namespace

bool may_be_tried(std::uint64_t items, std::uint64_t rows) noexcept {
  return items > 0 && items <= most_items && items * items <= most_rules(rows) / 16;
}

std::optional<double> enumeration_seconds(const Items& items, const RuleLimits& limits,
                                          std::size_t top, ThreadPool& pool) {
  if (!may_be_tried(items.size(), items.rows())) return std::nullopt;
  RuleLimits tried = limits;
  tried.max_length = std::min(limits.max_length, tried_length);
  double seconds = 0;
  const MinedRules mined = timed(seconds, [&] {
    return enumerate_rules(items, tried, top, pool, most_rules(items.rows()) / items.size());
  });
  if (!mined.complete) return std::nullopt;
  const auto& counted = mined.by_length;
  auto rules_counted = static_cast<double>(mined.evaluated);
  auto last = static_cast<double>(counted.back());
  const double growth = last / static_cast<double>(counted.front());
  for (std::uint32_t length = tried.max_length + 1; length <= limits.max_length; ++length) {
    last *= std::min(growth, growth_of_space(items, length));
    rules_counted += last;
  }
  return seconds * rules_counted / static_cast<double>(mined.evaluated);
}

}  // namespace atl
