// A batch of rules made ready for evaluation over words of rows: what every bit-sliced backend
// runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/eval/bound_comparison.hpp"
#include "src/eval/evaluator.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// A comparison of the batch, or its complement, which includes bits beyond the rows.
struct Operand {
  std::uint32_t comparison = 0;
  bool complement = false;
};

/// Step of a program for one accumulator and a stack.
enum class StepKind : std::uint8_t {
  load,             ///< pushes the accumulator, unless it is the first; accumulator = operand
  conjunction,      ///< accumulator &= operand
  disjunction,      ///< accumulator |= operand
  pop_conjunction,  ///< accumulator &= the top of the stack, popped
  pop_disjunction,
  complement,  ///< of the accumulator
};
struct Step {
  StepKind kind = StepKind::load;
  bool complement = false;    ///< of the operand
  bool slotted = false;       ///< operand is a slot, else a comparison to be evaluated in place
  std::uint32_t operand = 0;  ///< index of slot or comparison
};

/// Steps [antecedent, consequent) and [consequent, end).
struct CompiledRule {
  std::uint32_t antecedent = 0;
  std::uint32_t consequent = 0;
  std::uint32_t end = 0;
  std::uint32_t comparisons = 0;  ///< of both sides
  std::uint32_t present_set = 0;
};

/// Reusable: compile() keeps what was allocated.
class Batch {
 public:
  /// Most comparisons whose words are kept while a slice of rows is evaluated, so that they stay in
  /// cache: the most used ones, of those used more than once.
  static constexpr std::size_t max_slots = 4096;

  /// @throws UnknownAttribute, leaving the batch unspecified
  void compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
               const EvaluateOptions& options);

  const EvaluateOptions& options() const noexcept { return options_; }
  /// Distinct ones if comparisons are shared, else one for each in the rules.
  std::span<const BoundComparison> comparisons() const noexcept { return comparisons_; }
  /// Comparisons to evaluate before the rules: those kept in slots 0, 1, ..., then, if supports are
  /// requested, all others.
  std::span<const std::uint32_t> prepared() const noexcept { return prepared_; }
  std::size_t slots() const noexcept { return slots_; }
  std::span<const CompiledRule> rules() const noexcept { return rules_; }
  std::span<const Step> steps() const noexcept { return steps_; }
  /// Attributes that the rules name, ascending.
  std::span<const std::uint32_t> attributes() const noexcept { return attributes_; }
  /// Most accumulators that are on the stack at once.
  std::uint32_t stack() const noexcept { return stack_; }
  /// Sets of attributes with missing values that the consequents of rules use; the first is empty.
  std::size_t present_sets() const noexcept { return set_begins_.size() - 1; }
  std::span<const std::uint32_t> present_set(std::size_t set) const noexcept {
    return std::span(set_attributes_)
        .subspan(set_begins_[set], set_begins_[set + 1] - set_begins_[set]);
  }
  /// All comparisons of all rules, antecedents' first, in program order.
  std::span<const Operand> operands() const noexcept { return operands_; }

 private:
  void compile(const Expression& expression, std::span<const Attribute> attributes);
  std::uint32_t intern(const BoundComparison& comparison);
  std::uint32_t intern_set(const Expression& consequent, std::span<const Attribute> attributes);
  void assign_slots();

  EvaluateOptions options_;
  std::vector<BoundComparison> comparisons_;
  std::vector<std::uint32_t> uses_;     // [comparisons]
  std::vector<std::uint32_t> buckets_;  // open addressing: index of a comparison + 1, or 0
  std::vector<std::uint32_t> prepared_;
  std::size_t slots_ = 0;
  std::vector<std::uint32_t> slot_of_;  // [comparisons], or no_slot
  std::vector<CompiledRule> rules_;
  std::vector<std::uint32_t> attributes_;
  std::vector<Step> steps_;
  std::vector<Operand> operands_;
  std::uint32_t stack_ = 0;
  std::vector<std::uint32_t> set_begins_;
  std::vector<std::uint32_t> set_attributes_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> sets_;
  std::vector<std::uint32_t> set_key_;
};

}  // namespace atl
