#include "src/data/attribute.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace atl {

const char* to_string(AttributeKind kind) noexcept {
  switch (kind) {
    case AttributeKind::numeric:
      return "numeric";
    case AttributeKind::nominal:
      return "nominal";
    case AttributeKind::ordinal:
      return "ordinal";
    case AttributeKind::date:
      return "date";
    case AttributeKind::date_time:
      return "date-time";
    case AttributeKind::date_time_utc:
      return "date-time-utc";
  }
  return "unknown";
}

const char* to_string(AttributeRole role) noexcept {
  return role == AttributeRole::target ? "target" : "input";
}

bool can_be_labels(const Attribute& attribute) noexcept {
  return attribute.kind == AttributeKind::numeric && !attribute.binned() &&
         attribute.exact_distinct <= most_number_labels &&
         std::all_of(attribute.low.begin(), attribute.low.end(),
                     [](double value) { return value == std::floor(value); });
}

std::uint32_t quantile_code(const Attribute& attribute, double share) noexcept {
  const auto total = static_cast<double>(
      std::accumulate(attribute.counts.begin(), attribute.counts.end(), std::uint64_t{0}));
  std::uint64_t up_to = attribute.counts[0];
  std::uint32_t code = 0;
  while (code + 1 < attribute.distinct() && static_cast<double>(up_to) / total < share)
    up_to += attribute.counts[++code];
  return code;
}

std::uint32_t planes_for(std::uint64_t distinct) noexcept {
  if (distinct <= 2) return 1;
  return static_cast<std::uint32_t>(std::bit_width(distinct - 1));
}

std::uint32_t Attribute::planes() const noexcept {
  return planes_for(distinct());
}

}  // namespace atl
