#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/column_plan.hpp"
#include "io/tables/columns/table_reader.hpp"
#include "io/tables/columns/token_map.hpp"
#include "io/tables/columns/token_runs.hpp"
#include "io/tables/values/date_evidence.hpp"
#include "io/tables/values/number_evidence.hpp"
#include "io/tables/values/value_reader.hpp"

namespace atl::io {

/// What the first pass learns of a column: its distinct tokens with their numbers of rows, and
/// whether they are numbers or dates.
class ColumnProfile {
 public:
  /// @param plan    must outlive the profile
  /// @param column  its position in the table, from 0
  ColumnProfile(const ColumnPlan& plan, std::size_t column)
      : numbers(plan.decimal, plan.usual_words,
                plan.before ? std::optional<char>(plan.before->decimal) : std::nullopt),
        dates(plan.usual_words),
        plan_(&plan),
        column_(column),
        reader_{plan.kind.value_or(AttributeKind::numeric), plan.format} {}

  /// @param columns  of the block
  /// @param file     where the block is from, for messages
  /// @throws BadCell for what contradicts the plan
  void add(const RowBlock& block, std::size_t columns, const std::string& file);

  std::size_t bytes() const noexcept { return tokens.bytes(); }
  bool spilled() const noexcept { return !runs.empty(); }
  const ColumnPlan& plan() const noexcept { return *plan_; }
  /// Words beside the plan's that mean no value, if the column is found to be of that kind.
  std::vector<std::string> words_without_value(AttributeKind kind) const;
  /// @throws BadCell if the plan says that they are numbers, and they cannot be read as such
  void expect_numbers() const;

  bool unreadable = false;  ///< some value contradicts the others, in a column that nobody looks at
  TokenMap tokens;          ///< all distinct ones, or those since the last spill
  TokenRuns runs;

  // Of the tokens that are not missing.
  bool any = false;
  NumberEvidence numbers;    ///< where the plan has no kind, or numeric
  DateEvidence dates;        ///< where the plan has no kind
  std::string leading_zero;  ///< the first integer written with one, such as 007
  std::uint64_t leading_zero_line = 0;
  // Of the plain numbers among them.
  bool integers = true;   ///< all are written as integers
  bool inexact = false;   ///< while they are: some is beyond 2^53
  bool ascending = true;  ///< new values came in ascending order
  bool descending = true;
  double low = 0, high = 0;

 private:
  void observe(std::string_view token, std::uint64_t line, const std::string& file);
  void observe_number(std::string_view token, double value);

  const ColumnPlan* plan_;
  std::size_t column_;
  const std::string* file_ = nullptr;  ///< that was read last
  ValueReader reader_;                 ///< where the plan has a kind of dates
  bool any_number_ = false;
  double previous_ = 0;
};

}  // namespace atl::io
