// A batch as the device evaluates it: groups of rules, each with a stream of words that one warp
// reads from the front to the end. Host code; see count_kernel.cu for how it is run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/eval/batch.hpp"

namespace atl::cuda {

/// Planes of a digit: a comparison goes from digit to digit, and jumps to the code that its bound's
/// digit needs.
inline constexpr std::uint32_t digit_planes = 4;
/// Digits that lie in registers while the comparisons on an attribute pass.
inline constexpr std::uint32_t held_digits = 2;

/// Of a step's digits: `greater` and `equal` of each value of a digit.
inline constexpr std::uint32_t digit_bits = 5;
inline constexpr std::uint32_t digit_equal = 16;

/// Bits of a step's first word, above those of the held digits. Then comes, for an attribute of
/// more than held_digits, a word of the others' codes.
enum StepBit : std::uint32_t {
  step_complement = 1U << 10,    ///< the term takes the comparison's complement
  step_first = 1U << 11,         ///< the term has no words yet
  step_hold = 1U << 12,          ///< keep the words; there is no term
  step_without = 1U << 13,       ///< the words held without these
  step_outside = 1U << 14,       ///< complemented
  step_present = 1U << 15,       ///< limited to the rows with a value
  step_more = 1U << 31,          ///< a word with a further use follows: complement, first and term
};
inline constexpr std::uint32_t step_term_shift = 16;
inline constexpr std::uint32_t term_mask = 0x7FFF;

/// The stream of a group, after blanks and runs: folds, then rules. All counts come first.
///   blanks, then the terms that no comparison is subtracted from
///   runs, each: the attribute's first plane; planes | has_present << 8; steps; the steps' words
///   folds: target | source << 15 | complement << 30
///   index of the first rule; of the first comparison; rules, each:
///     antecedent | complement << 15 | consequent << 16 | complement << 31; a present set's place
/// A present set is a count and the planes in which its attributes' presence stands.
class DeviceProgram {
 public:
  /// @param first_planes  [attributes] place of the lowest plane; `present` is behind the others
  void build(const Batch& batch, std::span<const Attribute> attributes,
             std::span<const std::uint32_t> first_planes);

  /// First the place of each group's stream, then of each present set, then all of these.
  std::span<const std::uint32_t> words() const noexcept { return words_; }
  std::uint32_t groups() const noexcept { return groups_; }
  /// Most terms of a group.
  std::uint32_t terms() const noexcept { return terms_; }
  /// Of a comparison of the batch: where its support is counted.
  std::uint32_t position(std::uint32_t comparison) const noexcept { return position_[comparison]; }

 private:
  void build_group(const Batch& batch, const RuleGroup& group,
                   std::span<const Attribute> attributes,
                   std::span<const std::uint32_t> first_planes);
  void append(const BoundComparison& comparison, const Attribute& attribute);
  void append_digits(std::uint32_t bound, bool equal, std::uint32_t planes, std::uint32_t flags);

  std::vector<std::uint32_t> words_;
  std::uint32_t groups_ = 0;
  std::uint32_t terms_ = 0;
  std::vector<std::uint32_t> position_;  ///< [comparisons]

  std::vector<std::uint32_t> order_;  ///< comparisons of a group, by attribute
  std::vector<Use> uses_;             ///< of a group, by comparison
  std::vector<std::uint32_t> use_begins_;
  std::vector<bool> begun_;  ///< [terms of a group]
  std::size_t step_ = 0;     ///< first word of the step appended last
};

}  // namespace atl::cuda
