// Rules that have the rows of one consequent between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/grammar/grammar.hpp"
#include "src/rules/expression.hpp"
#include "src/sampling/row_sample.hpp"

namespace atl {

/// What rules are to cover: rows of a sample.
struct CoveringTask {
  /// [rows] what a rule gains by covering a row, below 2^17 in absolute value; of labels n - wanted
  /// where the consequent holds and -wanted elsewhere, so that a rule's sum is n^2 times its
  /// leverage.
  std::vector<std::int32_t> gains;
  std::set<std::uint32_t> without;  ///< attributes that antecedents may not name
  /// Is a rule with so many rows, and so many of them gaining, one to write?
  std::function<bool(std::size_t rows, std::size_t gaining)> meets;
};

struct CoveringLimits {
  std::size_t rules = 0;        ///< at most
  std::size_t comparisons = 0;  ///< of an antecedent
  std::size_t first_width =
      0;                  ///< antecedents of a length that are made longer, for the first rule
  std::size_t width = 0;  ///< likewise for the others
  std::int64_t kept = 5;  ///< tenths of its weight that a row keeps when a rule covers it
  /// Levels looked at, of one row and attribute each, after which no other rule is begun.
  std::uint64_t looks = 0;
};

/// Greedy weighted covering (Lavrac et al. 2004, "Subgroup discovery with CN2-SD"): every row
/// weighs 1; the rule whose rows' weights gain most together is taken, its rows keep a share of
/// their weight, and so on. Each is looked for by a beam search over conjunctions, whose intervals
/// gain most (BestParts). Blocking; depends neither on threads nor on time.
/// @param grammar  joins_antecedents(); of the sample's attributes
/// @return antecedents, canonical, in the order taken, each once
std::vector<Expression> cover(const RowSample& sample, const BoundGrammar& grammar,
                              const CoveringTask& task, const CoveringLimits& limits,
                              ThreadPool& pool);

}  // namespace atl
