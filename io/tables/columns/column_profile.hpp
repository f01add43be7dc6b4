#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/column_plan.hpp"
#include "io/tables/columns/table_reader.hpp"
#include "io/tables/columns/token_map.hpp"
#include "io/tables/values/number_evidence.hpp"
#include "io/tables/values/value_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/files/temporary_file.hpp"
#include "src/data/date.hpp"

namespace atl::io {

/// A distinct token and the number of its rows. Valid during the call only.
using TokenVisitor = std::function<void(std::string_view token, std::uint64_t rows)>;

/// The part of a column's dictionary that was moved out of memory: runs in a temporary file shared
/// by all columns, each ascending by bytes (an external merge sort).
class TokenRuns {
 public:
  bool empty() const noexcept { return runs_.empty(); }
  /// Writes the map's tokens as a further run and empties the map. @throws IoError
  void spill(TokenMap& map, TemporaryFile& file);
  /// Merges all runs: each distinct token once, ascending by bytes. @throws IoError
  void merge(const TemporaryFile& file, const TokenVisitor& visit) const;

 private:
  struct Run {
    std::uint64_t begin, end;  ///< bytes in the file
  };
  std::vector<Run> runs_;
};

/// Finds out whether the tokens of a column are dates in ISO 8601, and all of one kind. Once a
/// token is none, further ones are not looked at.
class DateEvidence {
 public:
  /// @param usual_words  beside dates, those of is_usual_no_value() mean "no value"
  explicit DateEvidence(bool usual_words) : usual_words_(usual_words) {}

  /// @param token  not missing
  /// @param column  in the table, from 0
  void observe(std::string_view token, const std::string& file, std::uint64_t line,
               std::size_t column);

  /// Takes a word that means no value; false if the token is none.
  bool take_word(std::string_view token);

  /// The kind of all tokens but words(); nothing if there are none or some is no date.
  /// @throws BadCell if all are dates and some have a time and some not, or a zone, or one has a
  /// flaw
  /// @param options  what the name of --nominal begins with in messages
  std::optional<AttributeKind> kind(const std::string& options) const;

  const std::string& no_date() const noexcept { return no_date_; }  ///< the first that is none
  std::uint64_t no_date_line() const noexcept { return no_date_line_; }
  /// Words that mean no value.
  const std::vector<std::string>& words() const noexcept { return words_; }

 private:
  static constexpr std::size_t most_words = 16;

  bool usual_words_;
  bool all_ = true;
  std::vector<std::string> words_;
  std::string no_date_;
  std::uint64_t no_date_line_ = 0;
  std::optional<AttributeKind> kind_;  ///< of the first
  std::string first_;
  std::uint64_t first_line_ = 0;
  std::optional<BadCell> misfit_;  ///< the first that is of another kind or has a flaw
};

/// Facts that the first pass learns of a column: its distinct tokens with their numbers of rows,
/// and whether they are numbers or dates.
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

  // These tell of the tokens that are not missing.
  bool any = false;
  NumberEvidence numbers;    ///< where the plan has no kind, or numeric
  DateEvidence dates;        ///< where the plan has no kind
  std::string leading_zero;  ///< the first integer written with one, such as 007
  std::uint64_t leading_zero_line = 0;
  // These tell of the plain numbers among them.
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
