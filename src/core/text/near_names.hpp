// Names and numbers in messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

/// Up to three of the names within a small edit distance, nearest first.
std::vector<std::string> near_names(const std::string& name, const std::vector<std::string>& names);

/// ", did you mean 'a' or 'b'?" of the near names; else ", expected one of 'a', 'b', ..." with the
/// first names.
std::string suggestion(const std::string& name, const std::vector<std::string>& names);

/// 'name', made printable.
std::string in_quotes(const std::string& name);

/// "1 row", "2 rows".
std::string counted(std::uint64_t count, const std::string& noun);

/// "a, b, c and more": the first three.
std::string first_three(const std::vector<std::string>& words);

/// "a, b or c".
std::string alternatives(const std::vector<std::string_view>& words);

inline constexpr std::size_t most_listed = 8;

/// "a, b, c", with the number of the rest after most_listed.
std::string listed(const std::vector<std::string>& items);

/// The message for data without a column that a run needs, to be put behind "FILE: ". It has the
/// nearest names that there are.
std::string missing_column(const std::string& name, const std::vector<std::string>& there);

}  // namespace atl
