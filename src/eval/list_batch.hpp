// A batch of decision lists made ready for evaluation over words of rows: what every bit-sliced
// backend runs.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/eval/bound_comparison.hpp"
#include "src/eval/class_tiles.hpp"
#include "src/eval/rule_set_scorer.hpp"
#include "src/rules/rule_set.hpp"

namespace atl {

/// A part that expressions are made of: the rows of a comparison, or of its complement. Its words
/// have bits beyond the rows, too.
struct ListOperand {
  BoundComparison comparison;
  bool complement = false;        ///< in the end, presence included
  std::uint32_t first_plane = 0;  ///< of the attribute's in a tile; that of presence comes last
  std::uint32_t planes = 0;       ///< without it
};

/// The effect of a token of an expression on the words that are known so far, the top of a stack.
/// These begin as all ones. NOT has been moved into the operands.
enum class ListStep : std::uint32_t {
  conjunction,      ///< top &= operand
  disjunction,      ///< top |= operand
  push,             ///< top goes to the stack; the operand is the new one
  pop_conjunction,  ///< top &= what is taken from the stack
  pop_disjunction,  ///< top |= what is taken from the stack
};
/// A token: the slot of its operand, above its step.
inline constexpr std::uint32_t list_step_bits = 3;
/// Most words on the stack at once, besides the top: subexpressions with more of it come first, so
/// that this is enough for 2^15 comparisons.
inline constexpr std::uint32_t most_list_levels = 16;

/// An antecedent in the stream is a word: its kind, and above it a number. Its tokens follow.
enum class ListCode : std::uint32_t {
  slot,         ///< number: the slot that has its rows; no tokens
  conjunction,  ///< number: of tokens, which are slots alone
  expression,   ///< number: of tokens
};
inline constexpr std::uint32_t list_code_bits = 2;

/// Consecutive lists that are evaluated together. Slots are words of rows of a tile that are kept:
/// of the group's operands, then of its shared antecedents, those that several rules of it have.
/// Ranges are half open.
struct ListGroup {
  std::uint32_t first_list = 0, end_list = 0;
  std::uint32_t first_operand = 0, end_operand = 0;
  std::uint32_t first_shared = 0, end_shared = 0;  ///< numbers over all groups
  std::uint32_t first_entry = 0, end_entry = 0;    ///< rules of its lists
  std::size_t stream = 0;  ///< where the antecedents that are shared begin, one after the other

  std::uint32_t operands() const noexcept { return end_operand - first_operand; }
  std::uint32_t shared() const noexcept { return end_shared - first_shared; }
  std::uint32_t slots() const noexcept { return operands() + shared(); }
};

/// Reusable: compile() keeps what was allocated.
class ListBatch {
 public:
  /// Limits of a group. A list that needs more slots by itself is a group of its own.
  struct Limits {
    std::uint32_t slots = ~std::uint32_t{0};
    std::uint32_t lists = ~std::uint32_t{0};
  };

  /// @pre expect_fit() for the tiles' class
  void compile(std::span<const RuleSet> lists, const ClassTiles& tiles, const Limits& limits);

  std::span<const ListGroup> groups() const noexcept { return groups_; }
  std::span<const ListOperand> operands() const noexcept { return operands_; }
  /// The stream has for each group its shared antecedents, and then the antecedents of each list,
  /// rule by rule.
  std::span<const std::uint32_t> stream() const noexcept { return stream_; }
  /// [lists] where the antecedents of each begin in the stream.
  std::span<const std::uint32_t> list_stream() const noexcept { return list_stream_; }
  /// [lists + 1] first entry, of all rules of all lists, of each list.
  std::span<const std::uint32_t> first_entry() const noexcept { return first_entry_; }
  std::uint32_t entries() const noexcept { return first_entry_.back(); }
  std::uint32_t shared() const noexcept { return shared_; }
  /// Counters of what antecedents cover: of each entry, and then of each shared antecedent.
  std::uint32_t counters() const noexcept { return entries() + shared_; }
  /// [entries] the counter of each entry's antecedent: its own, unless it is shared.
  std::span<const std::uint32_t> covered_by() const noexcept { return covered_by_; }
  /// Comparisons of all lists; those that stand in several count once for each.
  std::uint64_t comparisons() const noexcept { return comparisons_; }

 private:
  /// Tokens of one of a group.
  struct Antecedent {
    const Expression* expression;
    std::size_t hash;
    std::uint32_t first_token, end_token;
    std::uint32_t uses;
    std::uint32_t shared;  // its number among those of the group
  };
  /// A comparison, and whether all other rows are meant.
  struct OperandKey {
    std::uint64_t interval, rest;
    friend bool operator==(const OperandKey&, const OperandKey&) = default;
  };
  /// Consecutive tokens that give one value.
  struct Value {
    std::size_t first_token;
    std::uint32_t levels;
  };

  /// Sizes of the group before a list was added.
  struct Mark {
    std::size_t operands, antecedents, tokens, entries;
  };

  OperandKey key_of(const Comparison& comparison, bool negated) const noexcept;
  void add(const RuleSet& list, const ClassTiles& tiles);
  void take_back(const Mark& mark);
  std::uint32_t lists() const noexcept { return group_.end_list - group_.first_list; }
  void close_group();
  void emit(const Antecedent& antecedent);
  std::uint32_t intern(const Expression& expression, const ClassTiles& tiles);
  std::uint32_t slot(const Comparison& comparison, bool negated, const ClassTiles& tiles);
  void append_tokens(const Expression& expression, const ClassTiles& tiles);
  void find_polarity(const Expression& expression);
  void join(ListStep step, ListStep pop);

  std::vector<ListGroup> groups_;
  std::vector<ListOperand> operands_;
  std::vector<std::uint32_t> stream_;
  std::vector<std::uint32_t> list_stream_;
  std::vector<std::uint32_t> first_entry_;
  std::vector<std::uint32_t> covered_by_;
  std::uint32_t shared_ = 0;
  std::uint64_t comparisons_ = 0;

  ListGroup group_;  // that lists are added to
  std::uint32_t group_shared_ = 0;
  std::vector<Antecedent> antecedents_;         // of the group
  std::vector<std::uint32_t> tokens_;           // of these
  std::vector<std::uint32_t> antecedent_of_;    // [entries of the group]
  std::vector<OperandKey> keys_;                // [operands]
  std::vector<std::uint32_t> last_code_;        // [attributes]; no_last if values are missing
  std::vector<std::uint64_t> operand_buckets_;  // open addressing: group << 32 | index + 1
  std::vector<std::uint64_t> antecedent_buckets_;
  std::vector<Value> values_;
  std::vector<std::uint8_t> polarity_;  // [program] 1 under an odd number of NOTs
  std::vector<std::uint8_t> open_;
};

/// @param class_rows  [classes] among the rows that were counted
/// @param covered  [classes][counters of the batch]
/// @param decided  [classes][entries of the batch]
/// @param out  [lists] overwritten
template <typename Counts>
void read_list_counts(const ListBatch& batch, const std::vector<std::uint64_t>& class_rows,
                      const Counts& covered, const Counts& decided, std::span<RuleSetCounts> out) {
  const std::size_t classes = class_rows.size();
  assert(out.size() + 1 == batch.first_entry().size());
  for (std::size_t l = 0; l < out.size(); ++l) {
    const std::uint32_t first = batch.first_entry()[l];
    const std::size_t rules = batch.first_entry()[l + 1] - first;
    out[l].covered.resize(rules * classes);
    out[l].decided.resize((rules + 1) * classes);
    for (std::size_t c = 0; c < classes; ++c) {
      std::uint64_t left = class_rows[c];
      for (std::size_t r = 0; r < rules; ++r) {
        const std::uint64_t rows = decided[c * batch.entries() + first + r];
        out[l].covered[r * classes + c] =
            covered[c * batch.counters() + batch.covered_by()[first + r]];
        out[l].decided[r * classes + c] = rows;
        left -= rows;
      }
      out[l].decided[rules * classes + c] = left;
    }
  }
}

/// The decided rows of a batch alone.
/// @param first_entry  of the batch, in DecidedCount
/// @param out  appended to
template <typename Counts>
void read_decided_counts(const ListBatch& batch, const std::vector<std::uint64_t>& class_rows,
                         const Counts& decided, std::uint32_t first_entry,
                         std::vector<DecidedCount>& out) {
  const auto lists = static_cast<std::uint32_t>(batch.first_entry().size() - 1);
  for (std::uint32_t c = 0; c < class_rows.size(); ++c) {
    const std::size_t of_class = std::size_t{c} * batch.entries();
    for (std::uint32_t l = 0; l < lists; ++l) {
      std::uint64_t left = class_rows[c];
      const std::uint32_t end = batch.first_entry()[l + 1];
      for (std::uint32_t e = batch.first_entry()[l]; e < end; ++e) {
        const std::uint64_t rows = decided[of_class + e];
        if (rows == 0) continue;
        out.push_back({first_entry + e + l, c, rows});
        left -= rows;
      }
      if (left != 0) out.push_back({first_entry + end + l, c, left});
    }
  }
}

}  // namespace atl
