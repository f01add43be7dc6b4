// The formulas that the growth of a rule computes from counts of rows, on the host and on a device:
// the same bits if neither fuses multiplications with additions. C++17.
#pragma once

#include <cstdint>

#include "src/core/host_device.hpp"
#include "src/core/portable_log.hpp"

namespace atl {

/// The criterion by which literals that a conjunction could go on with are compared.
enum class GrowthCriterion : std::uint8_t { gain, information, chi_squared, precision };
inline constexpr std::uint32_t growth_criteria = 4;

/// Which of the rows that come to a gap count for a rule.
enum class CountedRows : std::uint8_t {
  gains,  ///< of its class what the rest gets wrong, and of others what the rest gets right
  pure,   ///< of its class what the rest gets wrong, and all of others
  /// All, whatever the rest makes of them, for lists that are to rank. Others weigh times the odds
  /// of the class, so that a rule that covers all rows is worth nothing: weighted relative accuracy
  /// (Lavrac 1999).
  all
};

/// While more rows than these are left, growth looks at some literals of an attribute with very
/// many first, and then at those near the best.
inline constexpr std::uint32_t most_fine_rows = 256;

/// Comparisons that growth adds, at most, for each that a rule may have: an interval takes two.
inline constexpr std::uint32_t growth_steps_of_comparison = 2;

/// Weights of the rows that a rule gains and loses.
struct GrowthBalance {
  double gained = 0, lost = 0;

  /// @param weight  of a row; negative: what is lost
  ATOLL_HOST_DEVICE void add(double weight, std::uint32_t rows) noexcept {
    const double all = weight * rows;
    if (all > 0) {
      gained += all;
    } else {
      lost -= all;
    }
  }
  ATOLL_HOST_DEVICE double net(double comparison_cost, std::uint32_t comparisons) const noexcept {
    return gained - lost - comparison_cost * comparisons;
  }
};

ATOLL_HOST_DEVICE inline GrowthBalance operator-(const GrowthBalance& a,
                                                 const GrowthBalance& b) noexcept {
  return {a.gained - b.gained, a.lost - b.lost};
}

/// May growth go on to these rows?
/// @param now  of the rows so far, some gained and some lost
/// @param least  weight to be gained
ATOLL_HOST_DEVICE inline bool may_go_on(const GrowthBalance& in, const GrowthBalance& now,
                                        double least) noexcept {
  return in.gained >= least && in.gained + in.lost < now.gained + now.lost;
}

/// Scores rows that a conjunction could go on to, in one step of growth.
class GrowthScorer {
 public:
  /// @param now  of the rows so far, some gained and some lost
  /// @param prior_rows  of precision
  ATOLL_HOST_DEVICE GrowthScorer(const GrowthBalance& now, GrowthCriterion criterion,
                                 double prior_rows) noexcept
      : now_(now),
        criterion_(criterion),
        prior_rows_(prior_rows),
        prior_(now.gained / (now.gained + now.lost)),
        log_prior_(criterion == GrowthCriterion::information ? portable_log(prior_) : 0) {}

  /// Greater is better. @pre may_go_on(in, now, least), with a least of more than 0
  ATOLL_HOST_DEVICE double score(const GrowthBalance& in) const noexcept {
    const double all = in.gained + in.lost;
    switch (criterion_) {
      case GrowthCriterion::gain:
        return in.gained - in.lost;
      case GrowthCriterion::information:  // Quinlan 1990, FOIL
        return in.gained * (portable_log(in.gained / all) - log_prior_);
      case GrowthCriterion::chi_squared: {
        const GrowthBalance out = now_ - in;
        const double product = in.gained * out.lost - in.lost * out.gained;
        const double outside = out.gained + out.lost;
        return product > 0 && outside > 0 ? product * product / (all * outside) : -1;
      }
      case GrowthCriterion::precision:  // m-estimate, Cestnik 1990
        return (in.gained + prior_rows_ * prior_) / (all + prior_rows_);
    }
    return 0;
  }

  /// False only where the score is certainly not above this one: saves logarithms. As ln x is at
  /// most x - 1, that of a share is at most the share less 1, and that of the share over the prior
  /// at most the quotient less 1.
  ATOLL_HOST_DEVICE bool may_score_above(const GrowthBalance& in, double score) const noexcept {
    if (criterion_ != GrowthCriterion::information) return true;
    constexpr double rounding = 1e-9;  // far more than the errors of all operations
    const double share = in.gained / (in.gained + in.lost);
    const double of_share = share - 1 - log_prior_, of_quotient = share / prior_ - 1;
    const double bound = of_share < of_quotient ? of_share : of_quotient;
    return in.gained * (bound + rounding) > score;
  }

 private:
  GrowthBalance now_;
  GrowthCriterion criterion_;
  double prior_rows_;
  double prior_;
  double log_prior_;  // of information
};

ATOLL_HOST_DEVICE inline bool is_more_precise(const GrowthBalance& in,
                                              const GrowthBalance& now) noexcept {
  return in.lost * (now.gained + now.lost) < now.lost * (in.gained + in.lost);
}

/// Could a conjunction that goes on to fewer rows be worth more than the best one? It gains no more
/// than this one, and has a comparison of each attribute that this one has.
/// @tparam Comparison  has attribute
/// @param best_gain  what the best one is worth
template <typename Comparison>
ATOLL_HOST_DEVICE bool may_gain_more(const GrowthBalance& now, const Comparison* conjunction,
                                     std::uint32_t count, double comparison_cost,
                                     double best_gain) noexcept {
  std::uint32_t attributes = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    bool is_new = true;
    for (std::uint32_t j = 0; j < i; ++j) {
      is_new = is_new && conjunction[j].attribute != conjunction[i].attribute;
    }
    if (is_new) ++attributes;
  }
  return GrowthBalance{now.gained, 0}.net(comparison_cost, attributes) > best_gain;
}

/// Draws a class by weight. @param weight_of  of a class
/// @param drawn  in [0, 1)
/// @return `classes` if all weigh nothing
template <typename WeightOf>
ATOLL_HOST_DEVICE std::uint32_t drawn_class_by(const WeightOf& weight_of, std::uint32_t classes,
                                               double drawn) noexcept {
  double sum = 0;
  for (std::uint32_t c = 0; c < classes; ++c) sum += weight_of(c);
  double at = drawn * sum;
  std::uint32_t last = classes;
  for (std::uint32_t c = 0; c < classes; ++c) {
    const double weight = weight_of(c);
    if (weight <= 0) continue;
    last = c;
    at -= weight;
    if (at < 0) break;
  }
  return last;
}
/// The same. @param weights  [classes]
ATOLL_HOST_DEVICE inline std::uint32_t drawn_class(const double* weights, std::uint32_t classes,
                                                   double drawn) noexcept {
  return drawn_class_by([weights](std::uint32_t c) { return weights[c]; }, classes, drawn);
}

/// The class that a rule is grown for, and how many times their weight rows of others count.
struct GrowthLabel {
  std::uint32_t label;  ///< the number of classes: there is nothing to grow
  double odds;
};

/// Takes a label or draws it, by what is wrong, or among all rows by how well it could be told from
/// others: its weight times theirs.
/// @param weights  [classes] of the rows at the gap, of all or of those that are wrong; of none if
///                 the label is given and not all rows count
/// @param label  at least `classes`: to be drawn
/// @param drawn  in [0, 1)
ATOLL_HOST_DEVICE inline GrowthLabel growth_label(const double* weights, std::uint32_t classes,
                                                  CountedRows counted, std::uint32_t label,
                                                  double drawn) noexcept {
  if (counted != CountedRows::all) {
    return {label < classes ? label : drawn_class(weights, classes, drawn), 1};
  }
  double sum = 0;
  for (std::uint32_t c = 0; c < classes; ++c) sum += weights[c];
  if (label >= classes) {
    label = drawn_class_by([&](std::uint32_t c) { return weights[c] * (sum - weights[c]); },
                           classes, drawn);
    if (label == classes) return {classes, 0};
  }
  const double others = sum - weights[label];
  if (weights[label] <= 0 || others <= 0) return {classes, 0};
  return {label, weights[label] / others};
}

/// Of a row, negative if it is lost. @param weight  of a row of its class
ATOLL_HOST_DEVICE inline double counted_weight(double weight, bool of_label, double odds) noexcept {
  return of_label ? weight : -(weight * odds);
}

/// Adds a comparison to a conjunction: ranges of an attribute are intersected, and a label says
/// more than that it is not another one.
/// @tparam Comparison  has attribute, low, high and negated
/// @param conjunction  with room for one more
/// @param ordered  is its attribute?
/// @return false, with the conjunction as it was, if nothing would be left
template <typename Comparison>
ATOLL_HOST_DEVICE bool add_comparison(Comparison* conjunction, std::uint32_t& count,
                                      const Comparison& added, bool ordered) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    Comparison& its = conjunction[i];
    if (its.attribute != added.attribute) continue;
    if (ordered && !its.negated && !added.negated) {
      const std::uint32_t low = its.low > added.low ? its.low : added.low;
      const std::uint32_t high = its.high < added.high ? its.high : added.high;
      if (low > high) return false;
      its.low = low;
      its.high = high;
      return true;
    }
    if (its.negated && !added.negated) {
      std::uint32_t kept = 0;
      for (std::uint32_t j = 0; j < count; ++j) {
        if (conjunction[j].attribute != added.attribute) conjunction[kept++] = conjunction[j];
      }
      conjunction[kept++] = added;
      count = kept;
      return true;
    }
    if (!its.negated) return true;
  }
  conjunction[count++] = added;
  return true;
}

}  // namespace atl
