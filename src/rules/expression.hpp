#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/small_vector.hpp"
#include "src/data/attribute.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

/// Element of a postfix program. `comparison` pushes the next comparison's truth value; the
/// connectives take the two topmost values (negation: one) and push the result.
enum class Op : std::uint8_t { comparison, conjunction, disjunction, negation };

using Ops = SmallVector<Op, 16>;
using Comparisons = SmallVector<Comparison, 6>;

/// Logical expression over comparisons as a postfix program.
class Expression {
 public:
  Expression() = default;
  /// @param program  complete: leaves one value, uses every comparison once and in order
  /// @throws std::invalid_argument if it is not
  Expression(const Ops& program, const Comparisons& comparisons);
  static Expression of(const Comparison& comparison);
  /// c1 AND c2 AND ..., left to right. @pre at least one
  static Expression conjunction(std::span<const Comparison> comparisons);
  /// Makes it a conjunction, in place.
  void assign_conjunction(std::span<const Comparison> comparisons);

  std::span<const Op> program() const noexcept { return program_; }
  std::span<const Comparison> comparisons() const noexcept { return comparisons_; }
  bool empty() const noexcept { return program_.empty(); }
  /// Most truth values that are on the stack at once.
  std::uint32_t depth() const noexcept { return depth_; }
  /// Does it consist of comparisons and AND alone?
  bool is_conjunction() const noexcept;

  friend bool operator==(const Expression& a, const Expression& b) noexcept {
    return a.program_ == b.program_ && a.comparisons_ == b.comparisons_;
  }
  /// Total order: number of comparisons, then comparisons, then program.
  friend std::strong_ordering operator<=>(const Expression& a, const Expression& b) noexcept;

 private:
  Ops program_;
  Comparisons comparisons_;
  std::uint32_t depth_ = 0;
};

/// a AND b. @pre neither is empty
Expression both(const Expression& a, const Expression& b);
/// a OR b. @pre neither is empty
Expression either(const Expression& a, const Expression& b);

/// The conjunctions that an expression joins by OR, in their order: one for a conjunction, one
/// without comparisons for the empty expression, none for an expression of another shape.
/// @param expression  must outlive them
std::vector<std::span<const Comparison>> alternatives(const Expression& expression);
std::vector<std::span<const Comparison>> alternatives(Expression&& expression) = delete;

/// The one form of expressions that differ only in ways that cannot matter:
/// double negations cancel and NOT moves inward (De Morgan), into a comparison only if its
/// attribute has no missing values, or if it asks for those alone (NOT (A is known) is A is
/// missing); nested AND and OR are flattened, their operands sorted,
/// duplicates removed; within an AND, intervals on one attribute are intersected unless nothing
/// would be left. Idempotent, and true on the same rows as before.
Expression canonical(const Expression& expression, std::span<const Attribute> attributes);
/// Does it say only that a value is missing, or that one is known?
inline bool asks_presence(const Comparison& comparison, const Attribute& attribute) noexcept {
  return asks_missing(comparison) ||
         (attribute.has_missing && asks_known(comparison, attribute.distinct()));
}
inline Comparison canonical(const Comparison& comparison,
                            std::span<const Attribute> attributes) noexcept {
  if (!comparison.negated) return comparison;  // without a look at the attribute
  return canonical(comparison, attributes[comparison.attribute].distinct());
}

}  // namespace atl
