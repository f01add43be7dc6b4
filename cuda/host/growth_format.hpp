// Layout in device memory of a sample and of the rules to be grown on it, for the host and the
// device. C++17.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atl::cuda {

/// More classes, longer rules, or tasks that take more bytes than these are left to the host.
inline constexpr std::uint32_t most_growth_classes = 1024;
inline constexpr std::uint32_t most_growth_comparisons = 64;
inline constexpr std::uint32_t most_growth_bytes = std::uint32_t{1} << 28;
/// Counts of rows that a block keeps.
inline constexpr std::uint32_t growth_counts = 8192;

struct GrowthAttribute {
  std::uint32_t first_literal, literals;
  std::uint32_t distinct;
  std::uint32_t present;      ///< row set
  std::uint32_t ordered;      ///< 1 or 0
  std::uint32_t has_missing;  ///< 1 or 0
  std::uint32_t stride;       ///< of the literals that are looked at first
};

/// A comparison as growth makes it.
struct GrowthComparison {
  std::uint32_t attribute, low, high;
  std::uint32_t negated;  ///< 1 or 0
};

/// A task begins with this. GrowthTerm[terms], GrowthComparison[starts] and the words of the
/// attributes that are looked at in each step follow it, one behind the other.
struct alignas(16) GrowthHead {
  double drawn;
  double prior_rows;
  std::uint8_t criterion;  ///< value of a GrowthCriterion
  std::uint8_t counted;    ///< value of a CountedRows
  std::uint16_t price;
  std::uint32_t window;
  std::uint32_t rows;           ///< set of those that count
  std::uint32_t default_class;  ///< of those that no rule covers
  std::uint32_t label;          ///< or no_label: to be drawn
  std::uint32_t terms;
  std::uint32_t starts;
  std::uint32_t step_words;  ///< 32-bit words of attributes for each step; 0: all are looked at
};
inline constexpr std::uint32_t no_label = 0xFFFFFFFF;

/// A comparison of a rule of the list: ComparisonRows with the number of sets in the place of the
/// end of them, and what is said of the rule.
struct alignas(16) GrowthTerm {
  std::uint32_t first;
  std::uint32_t sets_and_rule;
  std::uint32_t without;
  std::uint32_t present;

  static constexpr std::uint32_t sets_mask = 0x7FFF;
  static constexpr std::uint32_t last = 0x8000;  ///< of its rule's
  static constexpr std::uint32_t label_shift = 16;
};
/// Stands in the place of a label: the rule comes before the gap.
inline constexpr std::uint32_t before_gap = 0xFFFF;
static_assert(most_growth_classes < before_gap);

/// The result of a task. GrowthComparison[comparisons] follows it.
struct alignas(16) GrowthResult {
  std::uint32_t label;
  std::uint32_t comparisons;  ///< 0: no rule
  std::uint32_t unused[2];
};

static_assert(sizeof(GrowthAttribute) == 28 && sizeof(GrowthComparison) == 16 &&
              sizeof(GrowthHead) == 48 && sizeof(GrowthTerm) == 16 && sizeof(GrowthResult) == 16);

}  // namespace atl::cuda
