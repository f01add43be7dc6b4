// A batch in the order in which the CPU evaluates it: comparisons with the same code one after
// another, so that the planes of an attribute are loaded once for many of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/eval/batch.hpp"

namespace atl {

/// Words in which comparisons are evaluated at a time: 1024 rows.
inline constexpr std::size_t tile_words = 16;

/// Planes that make a digit of a code; there may be fewer in the highest.
inline constexpr std::uint32_t digit_planes = 3;

/// The form in which a program has the bound of a comparison.
enum class BoundForm : std::uint8_t {
  masks,   ///< for each plane, all ones where the bound's bit is zero, else zero
  digits,  ///< for each digit_planes planes, from the low ones up, the bound's digit * tile_words
};

/// The code that evaluates a comparison. `code > bound` is the same as a comparison of the planes
/// from that of the bound's lowest zero bit on, which can be told apart up to bit 2.
enum class RunKind : std::uint8_t {
  greater_from_0,  ///< the bound's lowest zero is bit 0
  greater_from_1,
  greater_from_2,
  greater_from_3,  ///< is bit 3 or higher
  equal,
  interval,
  never,
};
inline constexpr std::size_t run_kinds = 7;

/// A run of comparisons on one attribute: how many of each kind, which follow each other in this
/// order.
struct Run {
  std::uint32_t attribute = 0;
  std::array<std::uint32_t, run_kinds> comparisons{};
};

inline constexpr std::uint32_t last_use = 1;

/// A batch as a stream of words. For each comparison it has
///   the bound, in the form that the kernel takes, of planes that are compared (interval: the lower
///     bound, then the upper);
///   if the attribute has missing values, all ones if the comparison is complemented, else zero;
///   for each use, of which there is at least one, the first of its term's words, with last_use at
///     the last, and all ones if it is complemented, else zero.
/// A count of uses in front would make the address of the next comparison wait for it.
class PlaneProgram {
 public:
  /// Keeps what was allocated.
  void build(const Batch& batch, std::span<const Attribute> attributes, BoundForm form);

  /// Runs of one of the batch's groups, and where its stream begins.
  std::span<const Run> runs(std::size_t group) const noexcept {
    return std::span(runs_).subspan(first_run_[group], first_run_[group + 1] - first_run_[group]);
  }
  const std::uint32_t* stream(std::size_t group) const noexcept {
    return stream_.data() + first_word_[group];
  }
  /// Position of a comparison of the batch among all of the program, group by group.
  std::uint32_t position(std::uint32_t comparison) const noexcept { return position_[comparison]; }

 private:
  void build_group(const Batch& batch, const RuleGroup& group,
                   std::span<const Attribute> attributes);
  void sort_comparisons(const Batch& batch, const RuleGroup& group);
  void sort_uses(const Batch& batch, const RuleGroup& group);
  void append(const BoundComparison& comparison, RunKind kind, const Attribute& attribute);
  /// Appends a bound in the program's form: its masks, beginning with that of plane `first_mask`,
  /// or its digits, beginning with `first_digit`.
  void append_bound(std::uint32_t code, std::uint32_t first_mask, std::uint32_t first_digit,
                    std::uint32_t planes);

  BoundForm form_ = BoundForm::masks;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> stream_;
  std::vector<std::size_t> first_run_;   ///< [groups + 1]
  std::vector<std::size_t> first_word_;  ///< [groups]
  std::vector<std::uint32_t> position_;  ///< [comparisons]

  std::vector<std::uint32_t> rank_;        ///< [attributes] of those that the batch names
  std::vector<std::uint32_t> begins_;      ///< of counting sorts
  std::vector<std::uint32_t> order_;       ///< [comparisons of the group]
  std::vector<std::uint32_t> use_begins_;  ///< [comparisons of the group + 1]
  std::vector<Use> uses_;                  ///< of the group, by comparison
};

}  // namespace atl
