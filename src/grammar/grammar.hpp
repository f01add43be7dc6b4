// Context-free grammars that individuals are derivations of.
//
//   <rule>       ::= <side> => <side>                    first symbol: the start
//   <side>       ::= <comparison> | <side> AND <side>
//   <comparison> ::= <equal> | <less_equal> | <greater> | <interval>
//
// Terminals: AND OR NOT ( ) => and a comparison in double quotes, as rule_text.hpp writes it.
// Bound to the data unless defined: <equal> <not_equal> (any attribute), <less_equal> <greater>
// <interval> (numeric and ordinal), <missing> <known> (with missing values), each also as <equal(a,
// b)>, limited to the attributes named, or <equal(!a, b)>, all but those. Within a production, NOT
// binds before AND before OR; each non-terminal is an operand of its own. Only the start's
// productions have =>, once each. '#' starts a comment; a production may go on on the next line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/core/random.hpp"
#include "src/core/small_vector.hpp"
#include "src/data/attribute.hpp"
#include "src/rules/bound_relation.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// A grammar as text, checked for syntax and undefined symbols but not yet bound to data.
class Grammar {
 public:
  /// @param source  what messages call the text. @throws BadCell
  static Grammar parse(std::string_view text, const std::string& source);
  /// Text of a built-in grammar: "association" or "association-full". @throws UsageError
  static std::string_view builtin(std::string_view name);

  struct Definition;
  const Definition& definition() const noexcept { return *definition_; }

 private:
  std::shared_ptr<const Definition> definition_;
};

struct BoundAim;
struct GrammarTables;

/// A node of a derivation: a non-terminal and the production applied to it.
struct DerivationNode {
  std::uint32_t symbol = 0;      ///< of the bound grammar
  std::uint32_t production = 0;  ///< of the symbol; 0 for a comparison
  std::uint32_t size = 1;        ///< nodes of the subtree, itself included
  Comparison comparison;         ///< of a comparison symbol, else unused
  friend bool operator==(const DerivationNode&, const DerivationNode&) = default;
};

/// A derivation tree in preorder; the subtree at node i is nodes [i, i + size).
using Derivation = SmallVector<DerivationNode, 24>;
/// Positions of nodes of a derivation.
using Positions = SmallVector<std::size_t, 12>;

/// A node of a derivation, which it refers to, and what has to be known of the rest of the rule to
/// draw other subtrees there, again and again.
struct SubtreeSite {
  const Derivation& derivation;
  std::size_t node;
  bool grows;           ///< what is drawn has the subtree at the node in it
  std::uint32_t limit;  ///< comparisons that may be new
  SmallVector<std::uint32_t, 16> attributes = {};  ///< of the other side, then of this one
  std::size_t others = 0;                          ///< of the attributes
};

/// A grammar on the attributes of a dataset. Every derivation that it makes or changes stays
/// inside the grammar, its two sides share no attribute, and it has at most max_comparisons.
/// Operations that find no such result within a fixed number of attempts, or none that differs from
/// what was there, change nothing and return false. Draws come from the stream alone. Attributes
/// with a single value are never drawn; of the others each is as likely as the next, as far as the
/// productions allow, and one that the rule has not used goes first. Sizes (comparisons) are drawn
/// with halving probability from the smallest on.
class BoundGrammar {
 public:
  /// @param attributes  must outlive it
  /// @throws BadData if no rule can be derived, saying why (no attribute fits, sides must share
  ///         attributes, more comparisons than allowed); BadCell for unknown attributes or values
  BoundGrammar(const Grammar& grammar, std::span<const Attribute> attributes,
               std::uint32_t max_comparisons);
  /// The grammar's rules within the aim, see grammar_aim.hpp.
  /// @throws UsageError, too, if there are none
  BoundGrammar(const Grammar& grammar, std::span<const Attribute> attributes,
               std::uint32_t max_comparisons, const BoundAim& aim);
  ~BoundGrammar();
  BoundGrammar(BoundGrammar&&) noexcept;

  std::span<const Attribute> attributes() const noexcept;
  std::uint32_t max_comparisons() const noexcept;

  /// @throws BadData if none is found in many attempts
  Derivation derive(RandomStream& stream) const;
  /// Replaces the subtree at a node by a new one of the same symbol.
  bool rederive(Derivation& derivation, std::size_t node, RandomStream& stream) const;
  /// Replaces the subtree at `node` by the donor's at `donor_node`; symbols must be equal.
  bool graft(Derivation& derivation, std::size_t node, const Derivation& donor,
             std::size_t donor_node) const;
  /// Replaces the subtree at a node by one of its own descendants of the same symbol (drawn), so
  /// that the rule loses something. False if it has none.
  bool shrink(Derivation& derivation, std::size_t node, RandomStream& stream) const;
  /// Puts the subtree at a node below a newly derived one of the same symbol, so that the rule
  /// gains something. False if the grammar has no such recursion.
  bool grow(Derivation& derivation, std::size_t node, RandomStream& stream) const;
  /// A node at which changes are to be drawn. @param grows  those of grow(), else of rederive()
  SubtreeSite site(const Derivation& derivation, std::size_t node, bool grows) const;
  /// Draws what the change would put in the place of the subtree.
  /// @param drawn  overwritten
  bool draw(const SubtreeSite& site, RandomStream& stream, Derivation& drawn) const;
  /// Puts what was drawn for the derivation, as it is, in the place of the subtree at the node.
  static void put(Derivation& derivation, std::size_t node, std::span<const DerivationNode> drawn);
  /// Changes the codes of a comparison node: moves one bound of an order relation, or one or both
  /// of an interval, by a few codes (1, 2, 4, ... drawn), likewise the value of `=` and `!=`; takes
  /// another label of a nominal attribute. False for a literal or if there is no other value.
  bool perturb(Derivation& derivation, std::size_t node, RandomStream& stream) const;

  /// Redraws the codes of every comparison that does not hold on a row so that it does, where the
  /// symbol and the row's value allow it. One that something is there, where nothing else may be
  /// said of its attribute, is said of another that is; likewise `is missing` and `is known`.
  /// @param codes  [attributes] of the row, missing_code where there is no value
  void repair(Derivation& derivation, std::span<const std::uint32_t> codes,
              RandomStream& stream) const;

  /// Relation of a comparison node; none of one that the grammar fixes, nor of `is missing` and `is
  /// known`, which have no codes.
  std::optional<BoundRelation> relation(const DerivationNode& node) const noexcept;
  /// The code of a comparison node whose symbol has no other for its attribute.
  std::optional<std::uint32_t> only_code(const DerivationNode& node) const noexcept;
  /// The presence_code() of the attribute, where rules may not say that something is absent. It is
  /// the code of all its comparisons but those in consequents that a target names.
  std::optional<std::uint32_t> presence(std::uint32_t attribute) const noexcept;
  /// Gives a comparison node other codes. False, and nothing changed, if its symbol does not take
  /// them or they are what it has.
  bool set_codes(Derivation& derivation, std::size_t node, std::uint32_t low,
                 std::uint32_t high) const;

  bool is_comparison(const DerivationNode& node) const noexcept;
  /// Positions of the comparison nodes, in preorder; antecedent's before the consequent's.
  Positions comparison_nodes(const Derivation& derivation) const;
  /// Position of the consequent's first node; those of the antecedent lie before it.
  std::size_t consequent_begin(const Derivation& derivation) const noexcept;
  /// Does every side join its comparisons by AND alone?
  bool only_conjunctions() const noexcept;
  /// Does the grammar fix a comparison on the attribute somewhere?
  bool has_literal_on(std::uint32_t attribute) const noexcept;

  /// The canonical rule it stands for.
  Rule rule(const Derivation& derivation) const;
  /// Writes the canonical rule in the memory of another one.
  void write_rule(const Derivation& derivation, Rule& rule) const;
  /// Is it a derivation of this grammar that meets the constraints above?
  bool accepts(const Derivation& derivation) const noexcept;

  /// Can the side, antecedent or else consequent, have such a comparison of the attribute?
  bool has(BoundRelation relation, std::uint32_t attribute, bool antecedent) const noexcept;
  /// Does it derive the reversal of one of its rules, consequent => antecedent? What joins more
  /// than ten comparisons on a side, and rules with OR or NOT, are not looked for unless both sides
  /// of all rules are of the same symbols.
  /// @param attributes  those with the rule's codes, which may be exact
  bool derives_reversal(const Rule& rule, std::span<const Attribute> attributes) const;
  /// Is every conjunction of what can be an antecedent one, too?
  bool joins_antecedents() const;

 private:
  std::unique_ptr<const GrammarTables> tables_;
};

}  // namespace atl
