#pragma once

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

/// What is settled about a column before its values are seen.
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
  /// Of ordered labels of a run that are all numbers: the one that is the same number as a token
  /// that is none of them.
  const std::string* same_number(std::string_view token) const noexcept;
};

/// What the command line, then the schema, then the table itself say of each column. Empty and
/// repeated names are replaced, with a warning.
/// @throws UsageError, or BadData if the schema has it, for a name that no column has, with the
/// nearest that exist
/// Columns that were folded into a needed one before (one_hot.hpp) are needed as labels.
std::vector<ColumnPlan> plan_columns(const std::vector<DeclaredColumn>& declared,
                                     const ImportOptions& options, const Report& report);

std::vector<std::string> names_of(const std::vector<ColumnPlan>& plans);

/// @throws BadData if a required column is not there
void expect_required(const std::vector<ColumnPlan>& plans, const ImportOptions& options,
                     const std::string& file);

}  // namespace atl::io
