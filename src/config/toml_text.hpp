// Every TOML text that a user hands in is read here. Heavy: for .cpp files only.
#pragma once

#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "src/core/error.hpp"

namespace atl {

struct BadToml : BadData {
  BadToml(const std::string& file, const toml::source_region& where, const std::string& problem)
      : BadData(file, std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column),
                problem) {}
};

/// Refuses what toml++ 3.3 takes for impossible (assertions and, with NDEBUG, licences to the
/// optimiser) where it should see an error: a table header that does not begin with a key, a
/// closing brace that closes none, quotes or brackets within a word, a second equals sign in a
/// value, and a byte beyond ASCII outside quotes and comments or, even after blanks and line ends,
/// behind a backslash. Keys and brackets have at most 32 levels, so that the stack suffices.
/// @throws BadCell for these, BadToml for other errors of syntax
toml::table parse_toml(std::string_view text, const std::string& file);

enum class TomlLines { one, several };

/// A string as TOML, in double quotes; three of them, and line feeds as they are, for several
/// lines.
std::string toml_string(std::string_view text, TomlLines lines = TomlLines::one);

}  // namespace atl
