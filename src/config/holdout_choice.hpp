// The rows that a search is not to see, as a user names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

/// Rows one behind another, the first of all numbered 1.
struct RowRun {
  std::uint64_t first = 1, last = 1;  ///< both belong to it

  friend bool operator==(const RowRun&, const RowRun&) = default;
};

/// At most one of them is set.
struct HoldoutChoice {
  double share = 0;          ///< of the rows, drawn at random
  std::string condition;     ///< a comparison, which holds on these rows
  std::vector<RowRun> rows;  ///< ascending, with other rows between them
  std::string file;          ///< with the numbers of rows, not read yet (parse_row_numbers())

  bool none() const noexcept {
    return share == 0 && condition.empty() && rows.empty() && file.empty();
  }
  bool any() const noexcept { return !none(); }

  /// A number or a percentage is a share. A text with a relation is a condition: one of = < > !,
  /// `in [`, or ` is ` without a dot or a slash behind it. Any other is the name of a file.
  /// @throws UsageError
  static HoldoutChoice parse(const std::string& text);
  /// Also reads what text() writes of rows.
  static HoldoutChoice parse_setting(const std::string& text);
  /// Reads back to the same choice.
  std::string text() const;
  /// The same for people, short however many rows there are.
  std::string summary() const;
  friend bool operator==(const HoldoutChoice&, const HoldoutChoice&) = default;
};

/// Numbers of rows, one a line, in any order; the first line may be `row`.
/// @param file  what messages call the text
/// @throws BadCell for what is no number from 1 on; BadData for none, or for one that is there
/// twice
std::vector<RowRun> parse_row_numbers(std::string_view text, const std::string& file);

}  // namespace atl
