#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/import_options.hpp"
#include "io/tables/columns/table_reader.hpp"
#include "io/tables/values/date_format.hpp"
#include "io/tables/values/written_number.hpp"

namespace atl::io {

/// Characters that may stand between the name of the attribute and a label in the name of a column.
inline constexpr std::string_view one_hot_separators = "_=.:-/ ";

/// Columns of yes and no, just one of which says yes in every row, to be one nominal attribute.
struct OneHotGroup {
  std::string name;                  ///< of the attribute: what the columns' names begin with
  std::vector<std::string> labels;   ///< how they go on; ascending by bytes
  std::vector<std::size_t> columns;  ///< [labels] in the table
};

/// Finds, for each required column of labels that the table does not have, the columns whose names
/// begin with its name and a separator, or go on with a number, if there are two or more.
std::vector<OneHotGroup> folded_before(const std::vector<std::string>& names,
                                       const std::vector<NeededColumn>& needed);

/// Facts that are settled about a column before its values are seen.
struct ColumnPlan {
  std::string name;                     ///< unique, not empty
  std::optional<AttributeKind> kind;    ///< to be inferred if not set
  std::string source;                   ///< who settled the kind, as "says" can follow it
  std::optional<ColumnRole> role;       ///< if set the column stays, whatever its values
  bool chosen = false;                  ///< the user named it: not taken for an identifier
  bool needed = false;                  ///< stays even without any value
  bool classes = false;                 ///< of labels that are all numbers, equal numbers are one
  bool excluded = false;                ///< left out where its values cannot be read
  std::vector<std::string> missing;     ///< tokens that mean "no value"
  std::vector<double> missing_numbers;  ///< the numbers among them, however written
  bool usual_words = true;              ///< words such as "None" do so beside numbers
  DecimalMark decimal = DecimalMark::detected;
  std::optional<NumberForm> before = {};       ///< how numbers were written in a run's data
  std::set<std::string, std::less<>> allowed;  ///< not empty: any other label is an error
  std::set<std::string, std::less<>> kept;     ///< not empty: any other label becomes "other"
  std::vector<std::string> order;              ///< of an ordinal's labels
  std::optional<DateFormat> format;            ///< of dates; ISO 8601 if not set
  std::string option_prefix = "--";            ///< of the options that messages name

  bool is_missing(std::string_view token) const noexcept;
  /// The label that is the same number as a token that is no label, if a run's ordered labels are
  /// all numbers.
  const std::string* same_number(std::string_view token) const noexcept;
};

/// Plans each column by the command line, then the schema, then the table itself. Empty and
/// repeated names are replaced, with a warning. Columns that were folded into a needed one before
/// (one_hot.hpp) are needed as labels.
/// @throws UsageError, or BadData if the schema has it, for a name that no column has, with the
///         nearest that exist
std::vector<ColumnPlan> plan_columns(const std::vector<DeclaredColumn>& declared,
                                     const ImportOptions& options, const Report& report);

std::vector<std::string> names_of(const std::vector<ColumnPlan>& plans);

/// @throws BadData if a required column is not there
void expect_required(const std::vector<ColumnPlan>& plans, const ImportOptions& options,
                     const std::string& file);

}  // namespace atl::io
