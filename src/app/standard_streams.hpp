// Standard output for data, standard error for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/core/report.hpp"

namespace atl {

/// To be called before any file is opened: a standard stream that was closed is bound to /dev/null,
/// so that no file of ours takes its place; what is written to standard output fails then. Writing
/// to a closed pipe or beyond the limit of a file's size becomes an error instead of a signal.
void secure_standard_streams();

/// Data for standard output. A reader that has gone away (`| head`) is no error.
/// @throws IoError if it is closed, full or failing
void write_stdout(std::string_view text);

bool stdout_is_terminal() noexcept;
bool stderr_is_terminal() noexcept;
/// Columns of the terminal that standard output is; 0 if it is none.
std::size_t stdout_columns() noexcept;

/// One line to standard error, over a progress line if there is one. Never fails.
void write_stderr_line(const std::string& line) noexcept;

/// Reports to standard error; debug lines only if asked for.
Report stderr_report(bool verbose);

}  // namespace atl
