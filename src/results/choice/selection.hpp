// Chooses of scored rules those that are written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/rules/rule_record.hpp"
#include "src/sampling/coverage_sample.hpp"

namespace atl {

struct SelectionLimits {
  double most_similar = 1;  ///< 1: any
  std::size_t top = std::numeric_limits<std::size_t>::max();
  /// On one consequent, while others have rules left.
  std::size_t each = std::numeric_limits<std::size_t>::max();
};

/// Of a rule what others are compared with.
struct RuleProfile {
  Coverage coverage;
  Coverage mirror;      ///< empty of rules that conclude labels
  bool bounds = false;  ///< does it conclude them?
  /// That the antecedent names, and the consequent.
  std::array<std::set<std::uint32_t>, 2> attributes;
};

/// Shapes of rules of one dataset, each found once.
class RuleShapes {
 public:
  /// The arguments must outlive it.
  /// @param dependences  copies count as one attribute
  explicit RuleShapes(const Dataset& dataset, const Dependences& dependences = {})
      : attributes_(dataset.attributes()),
        dependences_(dependences),
        sample_(dataset, CoverageSample::Detail::every_code) {}

  /// Stays where it is.
  const RuleProfile& of(const Rule& rule);
  std::span<const Attribute> attributes() const noexcept { return attributes_; }

 private:
  RuleProfile shape(const Rule& rule) const;
  std::set<std::uint32_t> attributes_of(const Expression& side) const;

  std::span<const Attribute> attributes_;
  Dependences dependences_;
  CoverageSample sample_;
  std::unordered_map<Rule, RuleProfile, RuleHash> known_;
};

/// Rules, offered one after the other, of which none says nearly what one before it says.
class Selection {
 public:
  /// Asked of a rule and those selected before it: does it say no more than one of them?
  using SaysNoMore = std::function<bool(const RuleRecord&, std::span<const RuleRecord>)>;

  /// @param shapes  must outlive it
  Selection(RuleShapes& shapes, double most_similar, SaysNoMore says_no_more = {});

  /// Takes it unless it is alike. Below a `most_similar` of 1 a rule is alike if
  /// - it is more similar (similarity(), coverage_sample.hpp) to one selected than `most_similar`;
  /// - its reversal is, and the attributes of the sides are swapped: the one selected is
  /// `reversed`;
  /// - one selected has the same antecedent, and one consequent implies the other;
  /// - both sides name the attributes of one selected, the consequents bounds, and of the rows on
  ///   which both sides of the one hold more than half are the other's: windows on one correlation;
  /// - it concludes bounds and is as similar to the mirror of one selected, NOT X => NOT Y. Of the
  ///   two that of greater lift stays;
  /// - it says no more.
  /// @param record  not better than one offered before
  bool offer(const RuleRecord& record);
  /// Takes it, however alike. It stays whatever is offered.
  void put(const RuleRecord& record);
  /// Positions of those selected for which offer() would not take it.
  std::vector<std::size_t> like(const RuleRecord& record);

  /// In the order taken.
  std::span<const RuleRecord> records() const noexcept { return records_; }

 private:
  void take(const RuleRecord& record, const RuleProfile* shape, bool stays);
  bool near(const Coverage& a, const Coverage& b) const;
  bool is_alike(const Rule& rule, const RuleProfile& shape, std::size_t selected) const;
  bool reverses(const RuleProfile& shape, const RuleProfile& other) const;

  RuleShapes& all_shapes_;
  double most_similar_;
  SaysNoMore says_no_more_;
  std::vector<RuleRecord> records_;
  std::vector<const RuleProfile*> shapes_;  // [records_], null where any rule may be alike
  std::vector<bool> stays_;                 // [records_]
};

/// The first `top` records that are not alike, but for those put first, which stay.
/// @param records  best first
/// @param first    rules that go before all others; those without a record are passed over
/// @return in the order of the records
std::vector<RuleRecord> select_unlike(std::span<const RuleRecord> records,
                                      const std::set<Rule>& first, RuleShapes& shapes,
                                      const SelectionLimits& limits,
                                      Selection::SaysNoMore says_no_more = {});

}  // namespace atl
