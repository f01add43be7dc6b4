// The aim of rules as limits on a grammar.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/config/aim.hpp"
#include "src/grammar/grammar_binding.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

/// An aim on the attributes of a dataset; lists are ascending.
struct BoundAim {
  /// Attributes that a side may name; both lists are empty if nothing limits them, else neither.
  std::vector<std::uint32_t> antecedent, consequent;
  /// Each is named by exactly one comparison of every rule. @pre at most most_required
  std::vector<std::uint32_t> require;
  /// If there are any of these two, a consequent is one comparison: one of `targets`, or any `=`,
  /// and on an ordered attribute any `<=`, `>` or interval, on one of `target_attributes`.
  std::vector<Comparison> targets;
  std::vector<std::uint32_t> target_attributes;
  /// May rules say only that something is absent? Of target_attributes they may whatever this says.
  bool absences = true;
  /// Attributes of which antecedents may say that a value is missing or known, beside what the
  /// grammar itself lets them say.
  std::vector<std::uint32_t> missing = {};

  bool open() const noexcept { return antecedent.empty(); }
};

/// The rules of the grammar that are within the aim, as a grammar: symbols are taken once for each
/// side, unless both may name the same, and once for each set of required attributes that what
/// they derive names. So subtrees of one symbol can replace each other, and nothing that keeps to
/// the symbols ever leaves the aim.
/// @param symbols  of the grammar; those that derive nothing within the aim are left out
/// @throws UsageError naming the source if no rule is left
std::vector<BoundSymbol> aimed(std::vector<BoundSymbol> symbols, const BoundAim& aim,
                               std::span<const Attribute> attributes, const std::string& source);

}  // namespace atl
