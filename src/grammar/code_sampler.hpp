// Draws the codes of comparisons.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/attribute.hpp"
#include "src/grammar/grammar_definition.hpp"

namespace atl {

/// Can a comparison of the relation, which is not `missing` or `known`, have these codes of so
/// many?
bool takes_codes(BoundRelation relation, const Comparison& comparison,
                 std::uint32_t codes) noexcept;

/// Codes are drawn by their rows three times in four, so that bounds are quantiles and labels
/// common, and uniformly else, so that rare ones are reached. The attributes must outlive it.
class CodeSampler {
 public:
  explicit CodeSampler(std::span<const Attribute> attributes);

  /// @pre the attribute has at least two codes, and an order if the relation needs one, which is
  /// not
  ///      `missing` or `known`; likewise of the others
  Comparison draw(BoundRelation relation, std::uint32_t attribute, RandomStream& stream) const;
  /// Moves one bound, or an interval as a whole, by 1, 2, 4, ... codes; takes another label of a
  /// nominal attribute. False if there is nothing to move to.
  bool perturb(BoundRelation relation, Comparison& comparison, RandomStream& stream) const;
  /// Draws codes of a comparison on the attribute it names such that it holds on `code`; leaves it
  /// as it is where the relation cannot.
  void draw_holding(BoundRelation relation, std::uint32_t code, Comparison& comparison,
                    RandomStream& stream) const;
  /// Could draw have given it?
  bool admits(BoundRelation relation, const Comparison& comparison) const noexcept;

 private:
  std::uint32_t distinct(std::uint32_t attribute) const noexcept {
    return attributes_[attribute].distinct();
  }
  std::uint32_t draw_code(std::uint32_t attribute, RandomStream& stream) const;
  std::uint32_t other_code(std::uint32_t attribute, std::uint32_t code, RandomStream& stream) const;
  bool perturb_interval(Comparison& comparison, RandomStream& stream) const;

  std::span<const Attribute> attributes_;
  std::vector<std::vector<std::uint64_t>> rows_up_to_;  // [attribute][code]; empty without rows
};

}  // namespace atl
