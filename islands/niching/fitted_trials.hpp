// Changes of rules whose new comparisons get the codes that gain most on a sample of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "src/core/random.hpp"
#include "src/grammar/grammar.hpp"
#include "src/sampling/coverage_sample.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

/// Comparisons of a derivation that are still to be fitted, one after the other.
struct Unfitted {
  Positions nodes = {};
  std::size_t next = 0;                 ///< of nodes
  std::optional<std::size_t> row = {};  ///< of the sample, that they are to hold on
  bool refine_threshold = false;

  bool any() const noexcept { return next < nodes.size(); }
};

/// Questions about many derivations that a fitter answers together: all are asked first, then the
/// answers are taken. Keeps its memory.
class FittedTrials {
 public:
  /// @param rows_to_compare  of IntervalGroup
  /// @param goal  what an antecedent's comparisons are fitted to; empty: its rule's consequent
  FittedTrials(const BoundGrammar& grammar, const CoverageSample& sample,
               std::size_t rows_to_compare, Expression goal)
      : grammar_(grammar),
        sample_(sample),
        rows_to_compare_(rows_to_compare),
        goal_(std::move(goal)),
        conjunctions_(grammar.only_conjunctions()) {}

  void clear() noexcept;
  /// Makes room for what is mostly asked about so many derivations.
  void reserve(std::size_t derivations);

  /// Asks which of several changes, drawn at a site, has the first new comparison that parts rows
  /// best. Half of the fits are held to a row, because what gains most is not all there is.
  /// @param side, consequent  [words of the sample] rows; those of both may be held to
  /// @return the number of the question; nothing if no change can be drawn
  std::optional<std::size_t> ask(const SubtreeSite& site, std::span<const std::uint64_t> side,
                                 std::span<const std::uint64_t> consequent, RandomStream& stream);
  /// Asks for the codes of the next unfitted comparison. Those behind it are left out, the rest is
  /// as it is. @return the number of the question. @pre unfitted.any()
  std::size_t ask(const Derivation& derivation, const Unfitted& unfitted);

  /// All questions. Valid until the next clear() or ask().
  std::span<const IntervalGroup> groups();

  /// Makes the winner of a question of the first kind out of its origin.
  /// @return what else of it is to be fitted
  Unfitted take(std::size_t question, const FittedGroup& fitted, Derivation& child) const;
  /// Gives the next unfitted comparison the codes of the answer to a question of the second kind.
  void take(const FittedGroup& fitted, Unfitted& unfitted, Derivation& child) const;

 private:
  struct Range {
    std::size_t begin = 0, count = 0;
  };
  /// The comparisons that one is fitted among.
  struct Among {
    std::span<const Comparison> rest, positives;
  };
  struct Trial {
    Range drawn = {};  // of nodes_; what replaces a subtree
    std::optional<std::size_t> row = {};
    bool refine_threshold = false;
  };
  struct Question {
    std::size_t node;  // of the site
    Range trials;
    bool compares;
  };
  using Conjunction = SmallVector<Comparison, 16>;
  struct Sides {
    Conjunction own, other;
  };
  /// Comparisons that stay where they are until all are cleared.
  class Kept {
   public:
    void clear() noexcept;
    std::span<const Comparison> put(std::span<const Comparison> comparisons);

   private:
    std::vector<std::vector<Comparison>> blocks_;
    std::size_t block_ = 0;  // that has room
  };

  Sides sides_around(const Derivation& derivation, std::size_t node, std::size_t without) const;
  std::optional<Sides> canonical_sides(const Derivation& derivation, std::size_t node) const;
  std::optional<Among> among(const Derivation& derivation, std::span<const std::size_t> unfitted);
  std::optional<Among> among(const SubtreeSite& site, const Among& left,
                             std::span<const std::size_t> fresh);
  bool is_shared(const SubtreeSite& site, const Among& left,
                 std::span<const std::size_t> fresh) const;
  void add(const Trial& trial, const DerivationNode& node, const std::optional<Among>& among);

  const BoundGrammar& grammar_;
  const CoverageSample& sample_;
  const std::size_t rows_to_compare_;
  const Expression goal_;
  const bool conjunctions_;  // in every rule, and nothing else
  std::vector<Question> questions_;
  std::vector<Trial> trials_;                        // of all questions, as what follows
  std::vector<std::optional<IntervalTrial>> asked_;  // [trials_]
  std::vector<DerivationNode> nodes_;
  Kept comparisons_;
  std::vector<IntervalGroup> groups_;  // [questions_]
  Derivation drawn_, child_;           // of one trial
};

}  // namespace atl
