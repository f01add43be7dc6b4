#include "src/measures/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "src/core/error.hpp"
#include "src/measures/measure_formulas.hpp"

namespace atl {
namespace {

using Of = MeasureInfo::Of;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All measures in the order of the enumeration. X is the antecedent, Y the consequent, p a share
/// of the n rows.
constexpr auto registry = std::to_array<MeasureInfo>({
    {Measure::support, "support", 0, 1, "p(XY)", "n = 0: does not exist",
     "Agrawal, Imielinski, Swami 1993", true, &MeasureFormulas::support, Of::either},
    {Measure::confidence, "confidence", 0, 1, "p(Y | X) = p(XY) / p(X)", "p(X) = 0: does not exist",
     "Agrawal, Imielinski, Swami 1993", true, &MeasureFormulas::confidence},
    {Measure::lift, "lift", 0, infinity, "confidence / p(Y)",
     "p(X) = 0 or p(Y) = 0: does not exist", "Brin, Motwani, Silverstein 1997 (as \"interest\")",
     true, &MeasureFormulas::lift},
    {Measure::leverage, "leverage", -0.25, 0.25, "p(XY) - p(X) p(Y)", "n = 0: does not exist",
     "Piatetsky-Shapiro 1991", true, &MeasureFormulas::leverage},
    {Measure::conviction, "conviction", 0, infinity, "p(X) p(not Y) / p(X and not Y)",
     "p(X) = 0: does not exist; confidence = 1: inf, but does not exist if p(Y) = 1",
     "Brin, Motwani, Ullman, Tsur 1997", true, &MeasureFormulas::conviction},
    {Measure::certainty_factor, "certainty_factor", -1, 1,
     "(confidence - p(Y)) / p(not Y) if confidence > p(Y), (confidence - p(Y)) / p(Y) if less, "
     "else 0",
     "p(X) = 0: does not exist; p(Y) = 0 or p(Y) = 1: 0",
     "Shortliffe, Buchanan 1975; for rules Berzal et al. 2002", true,
     &MeasureFormulas::certainty_factor},
    {Measure::coverage, "coverage", 0, 1, "p(X)", "n = 0: does not exist",
     "Lavrac, Flach, Zupan 1999", true, &MeasureFormulas::coverage, Of::either},
    {Measure::rhs_support, "rhs_support", 0, 1, "p(Y)", "n = 0: does not exist",
     "Agrawal, Imielinski, Swami 1993", true, &MeasureFormulas::rhs_support},
    {Measure::confidence_low, "confidence_low", 0, 1, "lower end of the 95% interval of confidence",
     "p(X) = 0: does not exist", "Wilson 1927", true, &MeasureFormulas::confidence_low},
    {Measure::confidence_high, "confidence_high", 0, 1,
     "upper end of the 95% interval of confidence", "p(X) = 0: does not exist", "Wilson 1927", true,
     &MeasureFormulas::confidence_high},
    {Measure::added_value, "added_value", -1, 1, "confidence - p(Y)", "p(X) = 0: does not exist",
     "Sahar, Mansour 1999", true, &MeasureFormulas::added_value},
    {Measure::cosine, "cosine", 0, 1, "p(XY) / sqrt(p(X) p(Y))",
     "p(X) = 0 or p(Y) = 0: does not exist", "Tan, Kumar, Srivastava 2004 (as \"IS\")", true,
     &MeasureFormulas::cosine},
    {Measure::jaccard, "jaccard", 0, 1, "p(XY) / p(X or Y)", "p(X or Y) = 0: does not exist",
     "Jaccard 1901; van Rijsbergen 1979", true, &MeasureFormulas::jaccard},
    {Measure::kulczynski, "kulczynski", 0, 1, "(p(Y | X) + p(X | Y)) / 2",
     "p(X) = 0 or p(Y) = 0: does not exist", "Kulczynski 1927; Wu, Chen, Han 2010", true,
     &MeasureFormulas::kulczynski},
    {Measure::imbalance, "imbalance", 0, 1, "|p(X) - p(Y)| / p(X or Y)",
     "p(X or Y) = 0: does not exist", "Wu, Chen, Han 2010", false, &MeasureFormulas::imbalance,
     Of::counts, true},
    {Measure::maxconfidence, "maxconfidence", 0, 1, "max(p(Y | X), p(X | Y))",
     "p(X) = 0 or p(Y) = 0: does not exist", "Omiecinski 2003; Wu, Chen, Han 2010", true,
     &MeasureFormulas::maxconfidence},
    {Measure::phi, "phi", -1, 1, "leverage / sqrt(p(X) p(Y) p(not X) p(not Y))",
     "X or Y on no row or on all: does not exist", "Pearson 1900; Tan, Kumar, Srivastava 2004",
     true, &MeasureFormulas::phi},
    {Measure::chi_squared, "chi_squared", 0, infinity, "n phi^2",
     "X or Y on no row or on all: does not exist", "Brin, Motwani, Silverstein 1997", true,
     &MeasureFormulas::chi_squared},
    {Measure::fishers_exact_test, "fishers_exact_test", 0, 1,
     "p of at least n_both common rows, were X and Y independent", "always exists",
     "Fisher 1935; Hahsler, Hornik 2007", false, &MeasureFormulas::fishers_exact_test, Of::counts,
     true},
    {Measure::odds_ratio, "odds_ratio", 0, infinity,
     "p(XY) p(neither) / (p(X and not Y) p(Y and not X))",
     "0 / 0: does not exist; denominator alone 0: inf", "Tan, Kumar, Srivastava 2004", true,
     &MeasureFormulas::odds_ratio},
    {Measure::relative_risk, "relative_risk", 0, infinity, "confidence / p(Y | not X)",
     "p(X) = 0, p(X) = 1 or 0 / 0: does not exist; denominator alone 0: inf", "Cornfield 1951",
     true, &MeasureFormulas::relative_risk},
    {Measure::yule_q, "yule_q", -1, 1, "(o - 1) / (o + 1), o the odds ratio",
     "odds ratio does not exist: nor does this; odds ratio inf: 1", "Yule 1900", true,
     &MeasureFormulas::yule_q},
    {Measure::yule_y, "yule_y", -1, 1, "(sqrt(o) - 1) / (sqrt(o) + 1), o the odds ratio",
     "odds ratio does not exist: nor does this; odds ratio inf: 1", "Yule 1912", true,
     &MeasureFormulas::yule_y},
    {Measure::j_measure, "j_measure", 0, 0.6931471805599453,
     "p(XY) ln(lift) + p(X and not Y) ln(p(not Y | X) / p(not Y))",
     "p(X) = 0: does not exist; 0 ln 0 = 0", "Smyth, Goodman 1991", false,
     &MeasureFormulas::j_measure},
    {Measure::mutual_information, "mutual_information", 0, 1,
     "mutual information over the lesser entropy of X and Y",
     "X or Y on no row or on all: does not exist; 0 ln 0 = 0",
     "Shannon 1948; Tan, Kumar, Srivastava 2004", false, &MeasureFormulas::mutual_information},
    {Measure::gini, "gini", 0, 0.5,
     "decrease of Y's Gini impurity 1 - p(Y)^2 - p(not Y)^2 by knowing X",
     "p(X) = 0 or p(X) = 1: does not exist", "Breiman et al. 1984; Tan, Kumar, Srivastava 2004",
     true, &MeasureFormulas::gini},
    {Measure::collective_strength, "collective_strength", 0, infinity,
     "(agree / disagree) / (the same if independent), agree = p(XY) + p(neither)",
     "both sides constant: does not exist; disagree = 0: inf", "Aggarwal, Yu 1998", true,
     &MeasureFormulas::collective_strength},
    {Measure::zhang, "zhang", -1, 1, "leverage / max(p(XY) p(not X), p(X) p(Y and not X))",
     "denominator 0: does not exist", "Zhang 2000; Yan, Zhang, Zhang 2009", true,
     &MeasureFormulas::zhang},
    {Measure::laplace, "laplace", 0, 1, "(n_both + 1) / (n_antecedent + 2)", "always exists",
     "Clark, Boswell 1991", true, &MeasureFormulas::laplace},
    {Measure::sebag, "sebag", 0, infinity, "p(XY) / p(X and not Y)",
     "p(X) = 0: does not exist; confidence = 1: inf", "Sebag, Schoenauer 1988", true,
     &MeasureFormulas::sebag},
    {Measure::counterexample, "counterexample", -infinity, 1, "(p(XY) - p(X and not Y)) / p(XY)",
     "p(X) = 0: does not exist; confidence = 0: -inf", "Vaillant, Lenca, Lallich 2004", true,
     &MeasureFormulas::counterexample},
    {Measure::confirmed_confidence, "confirmed_confidence", -1, 1, "confidence - p(not Y | X)",
     "p(X) = 0: does not exist", "Kodratoff 2001", true, &MeasureFormulas::confirmed_confidence},
    {Measure::casual_support, "casual_support", -1, 2, "p(X) + p(Y) - 2 p(X and not Y)",
     "n = 0: does not exist", "Kodratoff 2001 (\"causal\")", true,
     &MeasureFormulas::casual_support},
    {Measure::casual_confidence, "casual_confidence", 0, 1,
     "1 - p(X and not Y) (1 / p(X) + 1 / p(Y)) / n", "p(X) = 0 or p(Y) = 0: does not exist",
     "Kodratoff 2001 (\"causal\")", true, &MeasureFormulas::casual_confidence},
    {Measure::least_contradiction, "least_contradiction", -infinity, 1,
     "(p(XY) - p(X and not Y)) / p(Y)", "p(Y) = 0: does not exist", "Aze, Kodratoff 2002", true,
     &MeasureFormulas::least_contradiction},
    {Measure::varying_liaison, "varying_liaison", -1, infinity, "lift - 1",
     "p(X) = 0 or p(Y) = 0: does not exist", "Bernard, Charron 1996", true,
     &MeasureFormulas::varying_liaison},
    {Measure::lerman, "lerman", -infinity, infinity, "sqrt(n) leverage / sqrt(p(X) p(Y))",
     "p(X) = 0 or p(Y) = 0: does not exist", "Lerman 1981", true, &MeasureFormulas::lerman},
    {Measure::implication_index, "implication_index", -infinity, infinity,
     "-sqrt(n) leverage / sqrt(p(X) p(not Y))", "p(X) = 0 or p(Y) = 1: does not exist", "Gras 1996",
     false, &MeasureFormulas::implication_index, Of::counts, true},
    {Measure::doc, "doc", -1, 1, "confidence - p(Y | not X)",
     "p(X) = 0 or p(X) = 1: does not exist", "Hofmann, Wilhelm 2001", true, &MeasureFormulas::doc},
    {Measure::kappa, "kappa", -1, 1,
     "(agree - expected) / (1 - expected), agree = p(XY) + p(neither)",
     "both sides constant: does not exist", "Cohen 1960", true, &MeasureFormulas::kappa},
    {Measure::rld, "rld", 0, 1,
     "|leverage| over the most it could be by the smaller of the cells against it",
     "0 / 0: does not exist", "Kenett, Salini 2008", true, &MeasureFormulas::rld},
    {Measure::ralambondrainy, "ralambondrainy", 0, 1, "p(X and not Y)", "n = 0: does not exist",
     "Ralambondrainy 1991", false, &MeasureFormulas::ralambondrainy, Of::counts, true},
    {Measure::rule_power_factor, "rule_power_factor", 0, 1, "support confidence",
     "p(X) = 0: does not exist", "Ochin, Kumar, Joshi 2016", true,
     &MeasureFormulas::rule_power_factor},
    {Measure::importance, "importance", -infinity, infinity,
     "log10 of the ratio of the Laplace estimates of p(Y | X) and p(Y | not X)", "always exists",
     "MacLennan, Tang, Crivat 2009", false, &MeasureFormulas::importance},
    {Measure::lambda, "lambda", 0, 1, "share of the wrong guesses of Y that knowing X avoids",
     "p(Y) = 0 or p(Y) = 1: does not exist", "Goodman, Kruskal 1954", true,
     &MeasureFormulas::lambda},
    {Measure::contrast, "contrast", -infinity, infinity,
     "(c - m - 2 sqrt(c (1 - c) / (A + 2) + m (1 - m) / (M + 2))) / sqrt(p(Y) p(not Y)), at most "
     "(confidence - p(Y)) / sqrt(p(Y) p(not Y)): c the share of Y among the A rows of X, m that "
     "among the M rows which the generalisation by which this is least adds, each with a row of Y "
     "and "
     "one of not Y more",
     "generalisations not counted, p(X) = 0, p(Y) = 0 or p(Y) = 1: does not exist",
     "ours; docs/concepts/contrast.md", true, &MeasureFormulas::contrast},
    {Measure::mean, "mean", -infinity, infinity, "mean(X), of the target on the rows of X",
     "no row of X has a value: does not exist", "Kloesgen 1996", false, &MeasureFormulas::mean,
     Of::means},
    {Measure::mean_rest, "mean_rest", -infinity, infinity, "mean(not X)",
     "no row outside of X has a value: does not exist", "Kloesgen 1996", false,
     &MeasureFormulas::mean_rest, Of::means},
    {Measure::mean_difference, "mean_difference", -infinity, infinity, "mean(X) - mean(not X)",
     "mean or mean_rest does not exist: nor does this", "Kloesgen 1996", false,
     &MeasureFormulas::mean_difference, Of::means},
    {Measure::deviation, "deviation", 0, infinity,
     "standard deviation of the target on the rows of X",
     "not counted, or no value: does not exist", "Kloesgen 1996", false,
     &MeasureFormulas::deviation, Of::means},
    {Measure::effect_size, "effect_size", -infinity, infinity,
     "s (mean(X) - mean(not X)) / d, d the standard deviation of all rows, s = -1 for a low mean, "
     "else 1",
     "mean or mean_rest does not exist, or d = 0: does not exist",
     "Cohen 1969, with the deviation of all rows", true, &MeasureFormulas::effect_size, Of::means},
    {Measure::z_score, "z_score", -infinity, infinity,
     "s (mean(X) - mean) / (d sqrt((n - m) / (m (n - 1)))), m of n rows in X",
     "mean or mean_rest does not exist, or d = 0: does not exist",
     "Kloesgen 1996; null of m rows drawn without replacement", true, &MeasureFormulas::z_score,
     Of::means},
    {Measure::impact, "impact", -infinity, infinity, "s (m / n) (mean(X) - mean)",
     "n = 0: does not exist", "Wrobel 1997; Webb 2001 (n times this)", true,
     &MeasureFormulas::impact, Of::means},
});

constexpr bool in_enumeration_order() {
  for (std::size_t i = 0; i < registry.size(); ++i)
    if (registry[i].measure != static_cast<Measure>(i)) return false;
  return true;
}
static_assert(in_enumeration_order());

}  // namespace

std::span<const MeasureInfo> measures() noexcept {
  return registry;
}

std::span<const Measure> default_measures(bool of_means) noexcept {
  static constexpr std::array<Measure, 8> chosen_of_means = {
      Measure::support,   Measure::mean,        Measure::mean_rest, Measure::mean_difference,
      Measure::deviation, Measure::effect_size, Measure::z_score,   Measure::impact};
  if (of_means) return chosen_of_means;
  static constexpr std::array<Measure, 7> chosen = {
      Measure::support,    Measure::confidence,       Measure::lift,    Measure::leverage,
      Measure::conviction, Measure::certainty_factor, Measure::coverage};
  return chosen;
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

void expect_applies(const MeasureInfo& measure, bool to_means) {
  if (measure.applies(to_means)) return;
  throw UsageError("measure '" + std::string(measure.name) +
                   (to_means
                        ? "' says nothing of rules about a mean"
                        : "' is for rules about a mean, such as --target 'mean(price)' finds"));
}

std::vector<Measure> measures_named(std::span<const std::string> names, bool of_means) {
  std::vector<Measure> chosen;
  for (const std::string& name : names) {
    chosen.push_back(measure_named(name));
    if (std::find(chosen.begin(), chosen.end() - 1, chosen.back()) != chosen.end() - 1) {
      throw UsageError("measure '" + name + "' occurs twice");
    }
    expect_applies(info(chosen.back()), of_means);
  }
  return chosen;
}

double evaluate(Measure measure, const ContingencyTable& table) noexcept {
  return (MeasureFormulas(table).*info(measure).value)();
}

std::weak_ordering by_measure(double a, double b) noexcept {
  const bool a_exists = !std::isnan(a);
  const bool b_exists = !std::isnan(b);
  if (!a_exists || !b_exists) return b_exists <=> a_exists;
  if (a > b) return std::weak_ordering::less;
  return a < b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

}  // namespace atl
