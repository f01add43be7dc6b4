// Rules as they are written and read back: by names and values, without a dataset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/measures/contingency_table.hpp"
#include "src/measures/measures.hpp"
#include "src/rules/rule_record.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {

/// One comparison by values, as rules.json holds it.
struct WrittenComparison {
  std::string attribute;
  std::string relation;             ///< = != < <= > >= in "not in"; mean "low mean"
  std::vector<std::string> values;  ///< one, two for intervals, none for a mean
  /// Kind of the values: numeric, a kind of dates, or nominal, which stands for labels of any sort.
  AttributeKind kind = AttributeKind::nominal;
  std::vector<std::string> found = {};  ///< values of the data at the bounds, if others are written
};

/// The quantile of a numeric target on the rows of an antecedent, and on the other rows that have a
/// value; NaN where there are none.
struct Quantiles {
  double within = std::numeric_limits<double>::quiet_NaN();
  double rest = std::numeric_limits<double>::quiet_NaN();
};

/// Figures of a rule on rows that the search has not seen; where it is about a mean, tests are of
/// means. Each p is in [least_p_value, 1] (significance.hpp).
struct HeldOut {
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  double p_value = 1;           ///< of antecedent and consequent, Fisher's exact test or z
  double p_productive = 1;      ///< the greatest of those that the rule beats its generalisations
  double p_holm = 1, p_bh = 1;  ///< of the greater of the two, adjusted over all rules tested
  std::optional<Quantiles> quantiles = {};
};

/// The change from the rows that a rule was mined on to other data, by confidence or mean, if it
/// differs significantly.
enum class Drift : std::uint8_t { kept, fell, rose, gone };  ///< gone: the antecedent never holds
const char* to_string(Drift drift) noexcept;

/// A rule on other data.
struct Rescored {
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  double change = 0;    ///< of confidence or mean; NaN if there is none
  double p_change = 1;  ///< of no change
  Drift drift = Drift::kept;
  std::optional<Quantiles> quantiles = {};
  double p_value = 1, p_productive = 1, p_holm = 1, p_bh = 1;  ///< as of HeldOut
};

/// A rule by values, as it is written and read back; needs no dataset.
struct WrittenRule {
  std::uint64_t id = 0;  ///< from 1, in the order written
  std::string text;
  std::vector<WrittenComparison> antecedent, consequent;
  ContingencyTable table;
  std::uint64_t missing_consequent = 0;
  std::uint32_t generation = 0, island = 0;
  std::string run;  ///< that found it, of rules collected from several; else empty
  std::vector<std::string> equivalents;
  std::optional<Quantiles> quantiles;
  std::optional<HeldOut> held_out;
  std::optional<Rescored> rescored;
  RuleKind kind = RuleKind::rule;
  std::optional<std::uint64_t> variant_of;  ///< id of the rule that this is a variant of
  /// Rows of the antecedent that no rule before it with its consequent covers; of a list by news.
  std::optional<std::uint64_t> new_rows;
  /// The size, as a share of the rows, of which the rule is the most certain, if it is there for
  /// that.
  std::optional<double> strongest_of;
  /// The best rule by the run's measure as it was found, with idle parts, perhaps reversed; of the
  /// first rule, which stands for it. None or one.
  std::vector<WrittenRule> as_found;
  /// The share of the runs with other seeds that have it, or one on nearly the same rows.
  std::optional<double> found_again = {};
};

/// The sides of a rule, as `text` has them.
std::string antecedent_text(const WrittenRule& rule);
std::string consequent_text(const WrittenRule& rule);

/// In words: "120 rows" or "strongest of 2%"; empty of a rule that stands in no order of news.
std::string news_text(const WrittenRule& rule);

/// The confidence of the rule's reversal; a rule about a mean has none.
std::optional<double> reversed_confidence(const WrittenRule& rule) noexcept;

const char* to_string(RuleKind kind) noexcept;

inline bool is_mean(const WrittenComparison& comparison) {
  return comparison.relation == "mean" || comparison.relation == "low mean";
}

WrittenComparison to_written(const Comparison& comparison, const Attribute& attribute,
                             WrittenBounds bounds = WrittenBounds::short_);
std::vector<WrittenRule> to_written(std::span<const RuleRecord> records,
                                    std::span<const Attribute> attributes);
/// Is the rule about the mean of a numeric attribute?
inline bool of_mean(const WrittenRule& rule) noexcept {
  return rule.table.target.side != TargetMoments::Side::none;
}
/// The measure that a rule is first of all believed for: confidence or mean.
inline Measure main_measure(const WrittenRule& rule) noexcept {
  return of_mean(rule) ? Measure::mean : Measure::confidence;
}

/// Leaves the other rules. @return how many are gone
std::size_t erase_definitions(std::vector<WrittenRule>& rules);
std::size_t erase_variants(std::vector<WrittenRule>& rules);
/// Puts each variant under its rule, or leaves them out.
void arrange_variants(std::vector<WrittenRule>& rules, bool shown);

/// The figures that are told of each rule.
struct ColumnChoice {
  std::span<const Measure> measures = default_measures();  ///< in this order
  bool held_out = false;                                   ///< every rule has it
  bool rescored = false;                                   ///< likewise
  bool quantiles = false;                                  ///< every rule, and all of the above
  bool runs = false;                                       ///< every rule names its run
  bool repeated = false;                                   ///< every rule has found_again
  /// These alone, in this order, whatever is said above; empty: all of the above. Known names.
  std::span<const std::string> columns = {};
  bool gives_way = false;  ///< a table for people may leave measures out where it has no room
};
/// The measures on rows that the search has not seen: with the interval of confidence, unless one
/// of them is of means.
std::vector<Measure> with_interval(std::span<const Measure> measures);
/// The measures of a table of these rules for people.
std::span<const Measure> table_measures(std::span<const WrittenRule> rules) noexcept;

}  // namespace atl
