#include "src/rules/measures.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "src/core/error.hpp"

namespace atl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_value = std::numeric_limits<double>::quiet_NaN();

/// In the order of the enumeration. A and C are the rows of antecedent and consequent.
constexpr std::array<MeasureInfo, 8> registry{{
    {Measure::support, "support", 0, 1, "p(A and C)", "n = 0: does not exist",
     "Agrawal, Imielinski, Swami 1993", true},
    {Measure::confidence, "confidence", 0, 1, "p(C | A) = p(A and C) / p(A)",
     "p(A) = 0: does not exist", "Agrawal, Imielinski, Swami 1993", true},
    {Measure::lift, "lift", 0, infinity, "confidence / p(C)",
     "p(A) = 0 or p(C) = 0: does not exist", "Brin, Motwani, Silverstein 1997 (as \"interest\")",
     true},
    {Measure::leverage, "leverage", -0.25, 0.25, "p(A and C) - p(A) p(C)", "n = 0: does not exist",
     "Piatetsky-Shapiro 1991", true},
    {Measure::conviction, "conviction", 0, infinity, "p(A) p(not C) / p(A and not C)",
     "p(A) = 0: does not exist; confidence = 1: inf, but does not exist if p(C) = 1",
     "Brin, Motwani, Ullman, Tsur 1997", true},
    {Measure::certainty_factor, "certainty_factor", -1, 1,
     "(confidence - p(C)) / p(not C) if confidence > p(C), (confidence - p(C)) / p(C) if less, "
     "else 0",
     "p(A) = 0: does not exist; p(C) = 0 or p(C) = 1: 0",
     "Shortliffe, Buchanan 1975; for rules Berzal et al. 2002", true},
    {Measure::coverage, "coverage", 0, 1, "p(A)", "n = 0: does not exist",
     "Lavrac, Flach, Zupan 1999", true},
    {Measure::contrast, "contrast", -2, 1,
     "confidence - w - 2 sqrt(w (1 - w) (1/A - 1/W)), w the confidence of the most confident "
     "widening, W its antecedent's rows, A the rule's",
     "widenings not counted: does not exist", "ours; see docs/algorithms.md", true},
}};

constexpr bool in_enumeration_order() {
  for (std::size_t i = 0; i < registry.size(); ++i)
    if (registry[i].measure != static_cast<Measure>(i)) return false;
  return true;
}
static_assert(in_enumeration_order());

/// The counts as doubles, exact below 2^53.
struct Counts {
  double n, a, c, both;
};

double confidence(const Counts& t) noexcept {
  return t.a == 0 ? not_a_value : t.both / t.a;
}

// Equal fractions are rounded to equal doubles: the lift of independent sides is exactly 1.
double lift(const Counts& t) noexcept {
  return t.a == 0 || t.c == 0 ? not_a_value : confidence(t) / (t.c / t.n);
}

// One division of a difference of products, exactly 0 for independent sides while n^2 < 2^53.
double leverage(const Counts& t) noexcept {
  return t.n == 0 ? not_a_value : (t.both * t.n - t.a * t.c) / (t.n * t.n);
}

double conviction(const Counts& t) noexcept {
  if (t.a == 0) return not_a_value;
  if (t.both == t.a) return t.c == t.n ? not_a_value : infinity;
  return t.a * (t.n - t.c) / (t.n * (t.a - t.both));
}

double certainty_factor(const Counts& t) noexcept {
  if (t.a == 0) return not_a_value;
  const double prior = t.c / t.n;
  const double gain = confidence(t) - prior;
  if (gain > 0) return gain / (1 - prior);
  return gain < 0 ? gain / prior : 0;
}

double contrast(const ContingencyTable& table) noexcept {
  const auto a = static_cast<double>(table.n_antecedent);
  const auto wide = static_cast<double>(table.n_wider_antecedent);
  const auto n = static_cast<double>(table.n);
  const auto c = static_cast<double>(table.n_consequent);
  if (a == 0 || wide == 0 || c == 0 || c == n) return not_a_value;
  const double wider = static_cast<double>(table.n_wider_both) / wide;
  const double spread = wider * (1 - wider) * (wide - a) / (wide * a);
  const double gain =
      static_cast<double>(table.n_both) / a - wider - 2 * std::sqrt(spread > 0 ? spread : 0);
  return gain / std::sqrt(c * (n - c) / (n * n));
}

}  // namespace

std::span<const MeasureInfo> measures() noexcept {
  return registry;
}

const MeasureInfo& info(Measure measure) noexcept {
  return registry[static_cast<std::size_t>(measure)];
}

Measure measure_named(std::string_view name) {
  std::string known;
  for (const MeasureInfo& entry : registry) {
    if (entry.name == name) return entry.measure;
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw UsageError("unknown measure '" + printable(std::string(name)) + "', known: " + known);
}

double evaluate(Measure measure, const ContingencyTable& table) noexcept {
  const Counts t{static_cast<double>(table.n), static_cast<double>(table.n_antecedent),
                 static_cast<double>(table.n_consequent), static_cast<double>(table.n_both)};
  switch (measure) {
    case Measure::support:
      return t.n == 0 ? not_a_value : t.both / t.n;
    case Measure::confidence:
      return confidence(t);
    case Measure::lift:
      return lift(t);
    case Measure::leverage:
      return leverage(t);
    case Measure::conviction:
      return conviction(t);
    case Measure::certainty_factor:
      return certainty_factor(t);
    case Measure::coverage:
      return t.n == 0 ? not_a_value : t.a / t.n;
    case Measure::contrast:
      return contrast(table);
  }
  return not_a_value;
}

std::weak_ordering by_measure(double a, double b) noexcept {
  const bool a_exists = !std::isnan(a);
  const bool b_exists = !std::isnan(b);
  if (!a_exists || !b_exists) return b_exists <=> a_exists;
  if (a > b) return std::weak_ordering::less;
  return a < b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

}  // namespace atl
