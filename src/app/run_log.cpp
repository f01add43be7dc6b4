#include "src/app/run_log.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "io/near_names.hpp"
#include "src/core/error.hpp"

namespace atl {

namespace {

/// ISO 8601 with milliseconds.
std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm broken_down{};
  ::gmtime_r(&seconds, &broken_down);
  std::array<char, 32> text;
  const std::size_t length =
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &broken_down);
  std::string fraction = std::to_string(1000 + milliseconds);
  fraction[0] = '.';
  return std::string(text.data(), length) + fraction + "Z";
}

/// Where a line of the file that does not end would begin.
off_t end_of_last_line(int descriptor, off_t size) {
  std::array<char, 4096> block;
  while (size > 0) {
    const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(block.size()));
    const ssize_t got =
        ::pread(descriptor, block.data(), static_cast<std::size_t>(size - begin), begin);
    if (got <= 0) return size;  // not ours to judge
    const auto newline = std::string_view(block.data(), static_cast<std::size_t>(got)).rfind('\n');
    if (newline != std::string_view::npos) return begin + static_cast<off_t>(newline) + 1;
    size = begin;
  }
  return 0;
}

}  // namespace

RunLog::RunLog(const std::string& path, Report report) : path_(path), report_(std::move(report)) {
  open();
}

RunLog::~RunLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RunLog::open() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) io::throw_write_error(path_, errno);
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  const off_t whole = end_of_last_line(descriptor_, size);
  if (whole < size && ::ftruncate(descriptor_, whole) != 0) io::throw_write_error(path_, errno);
}

// A disk without room may take a part of a line.
void RunLog::append(const std::string& lines) {
  if (descriptor_ < 0) open();
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  std::string_view left = lines;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error_number = errno;
      if (left.size() < lines.size()) (void)!::ftruncate(descriptor_, before);
      ::close(
          std::exchange(descriptor_, -1));  // opened anew next time: it may be another file then
      io::throw_write_error(path_, error_number);
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

void RunLog::write(const std::string& event, const nlohmann::ordered_json& fields) {
  const std::scoped_lock lock(mutex_);
  std::string lines;
  const auto add = [&](const std::string& kind, const nlohmann::ordered_json& more) {
    nlohmann::ordered_json line = {{"event", kind}, {"time", utc_now()}};
    line.update(more);
    lines += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  };
  if (left_out_ > 0) {
    add("warning",
        {{"message", io::counted(left_out_, "record") + " before this could not be written"}});
  }
  add(event, fields);
  try {
    append(lines);
    left_out_ = 0;
  } catch (const Error& error) {
    if (left_out_++ == 0) {
      report_(Severity::warning, std::string(error.what()) +
                                     "; the job goes on, and its log leaves out what cannot be "
                                     "written");
    }
  }
}

Report logging_report(Report report, RunLog& log) {
  return [report = std::move(report), &log](Severity severity, const std::string& message) {
    report(severity, message);
    if (severity == Severity::warning) log.write("warning", {{"message", message}});
  };
}

}  // namespace atl
