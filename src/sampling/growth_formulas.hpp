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

/// Greater is better. @pre may_go_on(in, now, least), with a least of more than 0
/// @param prior_rows  of precision
ATOLL_HOST_DEVICE inline double growth_score(const GrowthBalance& in, const GrowthBalance& now,
                                             GrowthCriterion criterion,
                                             double prior_rows) noexcept {
  const double all = in.gained + in.lost;
  const double prior = now.gained / (now.gained + now.lost);
  switch (criterion) {
    case GrowthCriterion::gain:
      return in.gained - in.lost;
    case GrowthCriterion::information:  // Quinlan 1990, FOIL
      return in.gained * (portable_log(in.gained / all) - portable_log(prior));
    case GrowthCriterion::chi_squared: {
      const GrowthBalance out = now - in;
      const double product = in.gained * out.lost - in.lost * out.gained;
      const double outside = out.gained + out.lost;
      return product > 0 && outside > 0 ? product * product / (all * outside) : -1;
    }
    case GrowthCriterion::precision:  // m-estimate, Cestnik 1990
      return (in.gained + prior_rows * prior) / (all + prior_rows);
  }
  return 0;
}

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

/// Draws a class by weight. @param drawn  in [0, 1)
/// @return `classes` if all weigh nothing
ATOLL_HOST_DEVICE inline std::uint32_t drawn_class(const double* weights, std::uint32_t classes,
                                                   double drawn) noexcept {
  double sum = 0;
  for (std::uint32_t c = 0; c < classes; ++c) sum += weights[c];
  double at = drawn * sum;
  std::uint32_t last = classes;
  for (std::uint32_t c = 0; c < classes; ++c) {
    if (weights[c] <= 0) continue;
    last = c;
    at -= weights[c];
    if (at < 0) break;
  }
  return last;
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
