// Exceptions that end the program, each with the exit status and the fields of its one line.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace atl {

/// Exit status of the program; the numbers are part of the command line's contract.
enum class ExitStatus : int {
  done = 0,
  usage = 64,          ///< the command line is wrong
  bad_data = 65,       ///< an input file's content is wrong
  no_input = 66,       ///< an input does not exist or cannot be opened
  unavailable = 69,    ///< a backend is not built in, has no device or too little memory, or failed
  internal = 70,       ///< our bug
  cannot_create = 73,  ///< an output cannot be created or written
  io_error = 74,       ///< reading or writing failed midway
  stopped = 75,        ///< stopped early, a checkpoint is there to go on from
};

/// Base of everything thrown on purpose. what() is one line, without a newline.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  ExitStatus status() const noexcept { return status_; }

 private:
  ExitStatus status_;
};

/// Thrown alike on all ranks, which have agreed on it: none waits for another elsewhere.
struct AgreedError : Error {
  using Error::Error;
};

/// A command line, a configuration or a use of an option that cannot be carried out.
struct UsageError : Error {
  explicit UsageError(const std::string& message) : Error(ExitStatus::usage, message) {}
};

/// Content of an input that is wrong as a whole.
struct BadData : Error {
  BadData(const std::string& file, const std::string& problem)
      : Error(ExitStatus::bad_data, file + ": " + problem), file(file) {}
  std::string file;

 protected:
  BadData(const std::string& file, const std::string& place, const std::string& problem)
      : Error(ExitStatus::bad_data, file + ":" + place + ": " + problem), file(file) {}
};

/// Content that is wrong at one place of a text file. Lines and columns count from 1; columns
/// count bytes in free text and fields in a table.
struct BadCell : BadData {
  BadCell(const std::string& file, std::uint64_t line, std::uint64_t column,
          const std::string& found, const std::string& expected);
  std::uint64_t line;
  std::uint64_t column;
  std::string found;     ///< shortened, control characters escaped
  std::string expected;  ///< what would have been right
};

/// An input path that does not exist, is a directory, or may not be read.
struct MissingInput : Error {
  MissingInput(const std::string& path, const std::string& problem)
      : Error(ExitStatus::no_input, path + ": " + problem), path(path) {}
  std::string path;
};

/// A backend that was not built, or that finds no device or too little memory on it.
struct BackendUnavailable : Error {
  BackendUnavailable(const std::string& backend, const std::string& reason)
      : Error(ExitStatus::unavailable, "backend " + backend + " unavailable: " + reason),
        backend(backend),
        reason(reason) {}
  std::string backend;
  std::string reason;  ///< and what to do about it
};

/// A backend's device that failed while it worked. Nothing more can be had from it in this process.
struct DeviceFailed : Error {
  DeviceFailed(const std::string& backend, const std::string& reason)
      : Error(ExitStatus::unavailable, "backend " + backend + " failed: " + reason) {}
};

/// A broken invariant of our own that must not go on silently.
struct InternalError : Error {
  explicit InternalError(const std::string& message)
      : Error(ExitStatus::internal, "internal error: " + message) {}
};

/// An output that cannot be created or written.
struct CannotCreate : Error {
  CannotCreate(const std::string& path, const std::string& problem)
      : Error(ExitStatus::cannot_create, path + ": " + problem), path(path) {}
  std::string path;
};

/// Reading or writing that failed midway.
struct IoError : Error {
  IoError(const std::string& path, const std::string& problem)
      : Error(ExitStatus::io_error, path + ": " + problem), path(path) {}
  std::string path;
};

/// `text` fit for a one-line message, see shown_sequence_length: other characters escaped as
/// \uNNNN, below U+0020 as \xNN like bytes that are no UTF-8; cut after `limit` bytes with "...".
std::string printable(std::string_view text, std::size_t limit = 60);

/// A line that people can read, however long the texts are that it quotes: beyond `most` bytes its
/// middle gives way to "...", so that what was expected stays at its end.
std::string shortened(std::string_view line, std::size_t most = 2000);

/// Each line printable(), whole. JSON stays the same value: its strings have nothing below U+0020.
std::string printable_lines(std::string_view text);

}  // namespace atl
