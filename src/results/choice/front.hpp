// The rules of one consequent that are the most certain among those of their size.
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

/// The rows of a sample on which rules are to be certain.
struct FrontTask {
  std::vector<std::uint32_t> rows;  ///< of the sample that count, ascending
  /// [rows of the sample] Of a label 1 where the consequent holds, else 0; of a mean, how far the
  /// value lies on the side asked for, in any unit, below 2^17 in absolute value.
  std::vector<std::int32_t> gains;
  bool of_mean = false;
  std::set<std::uint32_t> without;  ///< attributes that antecedents may not name
  /// Least rows of the sample that a rule of each size covers, ascending.
  std::vector<std::uint32_t> sizes;
  /// Is a rule with so many rows, and so many of them gaining, one to write?
  std::function<bool(std::size_t rows, std::size_t gaining)> meets;
};

struct FrontLimits {
  std::size_t comparisons = 0;  ///< of an antecedent
  std::size_t width = 0;        ///< antecedents of a length and size that are made longer
  std::size_t each = 0;         ///< rules of a size
  /// Levels looked at, of one row and attribute each, about: the beam is narrower where it would
  /// take more.
  std::uint64_t looks = 0;
};

/// The sum of gains of some rows.
struct FrontSum {
  std::uint32_t rows = 0;
  double gain = 0;
  double square = 0;  ///< sum of squared gains
};

/// Sizes that rules are looked for of, as shares of the rows, ascending: 0.1%, 0.12%, 0.15%, 0.2%
/// and so on up to 50%, those of 50 rows and more.
std::vector<double> front_sizes(std::uint64_t rows);

/// How sure a rule with these rows is: the lower end of the 95% interval of its confidence (Wilson
/// 1927), or its mean less 1.96 standard errors. @pre rows > 0
double certainty(const FrontSum& sum, bool of_mean) noexcept;

/// Looks, for each size, for the rules of the greatest certainty() that cover so many rows, by one
/// beam search over conjunctions that serves all sizes. Bounds lie on a grid of equally many rows
/// of the antecedent that they narrow. A comparison is added only if it raises the share, or mean,
/// by more than chance does. Blocking; depends neither on threads nor on time.
/// @param grammar  joins_antecedents(); of the sample's attributes
/// @return antecedents, canonical, each once: of each size the best, no two of a size alike
std::vector<Expression> certain_rules(const RowSample& sample, const BoundGrammar& grammar,
                                      const FrontTask& task, const FrontLimits& limits,
                                      ThreadPool& pool);

}  // namespace atl
