// Standard output for data, standard error for people. All that is printed passes here, where what
// a terminal would obey is escaped: names, labels and files are others' words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/core/report.hpp"

namespace atl {

/// Binds a standard stream that was closed to /dev/null, before any file is opened, so that no file
/// of ours takes its place; what is written to standard output fails then. Writing to a closed pipe
/// or beyond the limit of a file's size becomes an error instead of a signal.
void secure_standard_streams();

/// Text for standard output, its lines printable(): in JSON, too, that changes no value. A reader
/// that has gone away (`| head`) is no error.
/// @throws IoError if it is closed, full or failing
void write_stdout(std::string_view text);
/// Writes the text as it is, for another program to read; to a terminal as write_stdout does, but
/// with its tabs.
/// @return false if the reader has gone away
bool write_stdout_exactly(std::string_view text);
/// Writes in place of the line that a terminal's cursor is on.
void write_stdout_over(std::string_view text);

bool stdout_is_terminal() noexcept;
bool stderr_is_terminal() noexcept;
/// The columns that the environment asks for (COLUMNS), else those of the terminal that the stream
/// is; 0 if it is none.
std::size_t stdout_columns() noexcept;
std::size_t stderr_columns() noexcept;

enum class LineEnd : bool { none, line_feed };

/// One line to standard error, printable(), over a progress line if there is one; one without an
/// end becomes the progress line of a terminal. A terminal's lines are fitted() to its columns, its
/// progress line is narrowed(). Never fails.
void write_stderr_line(std::string_view line, LineEnd end = LineEnd::line_feed) noexcept;

/// Prints where the time of this process has gone (src/core/time_line.hpp), if it was asked for.
void tell_timings();

/// Reports to standard error; debug lines only if asked for.
Report stderr_report();

}  // namespace atl
