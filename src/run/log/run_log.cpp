#include "src/run/log/run_log.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <tuple>
#include <unistd.h>
#include <utility>

#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

/// Counts brackets within texts, too: records of ours have next to none there.
bool is_deep(std::string_view line) {
  int depth = 0;
  for (const char c : line) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > 16) return true;
  }
  return false;
}

std::vector<Move> decode_moves(const Bytes& bytes) {
  ByteReader in(bytes);
  const auto numbers = in.get_all<std::uint32_t>();
  in.expect_end();
  std::vector<Move> moves;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    moves.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
  }
  return moves;
}

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

/// The place where a line that does not end begins; nothing if it would be longer than ours are.
std::optional<off_t> end_of_last_line(int descriptor, off_t size) {
  constexpr off_t longest = off_t{1} << 24;
  const off_t first = std::max<off_t>(0, size - longest);
  std::array<char, 4096> block;
  while (size > first) {
    const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(block.size()));
    const ssize_t got =
        ::pread(descriptor, block.data(), static_cast<std::size_t>(size - begin), begin);
    if (got <= 0) return size;  // not ours to judge
    const auto newline = std::string_view(block.data(), static_cast<std::size_t>(got)).rfind('\n');
    if (newline != std::string_view::npos) return begin + static_cast<off_t>(newline) + 1;
    size = begin;
  }
  if (size > 0) return std::nullopt;
  return 0;
}

/// Is it empty, or does it begin as a log does? A first line may be cut short, and after a power
/// failure there may be zeros.
bool begins_as_log(int descriptor) {
  constexpr std::string_view begin = "{\"event\":\"";
  std::array<char, 4096> block;
  const ssize_t got = ::pread(descriptor, block.data(), block.size(), 0);
  if (got < 0) return false;
  std::string_view text(block.data(), static_cast<std::size_t>(got));
  text.remove_prefix(std::min(text.find_first_not_of('\0'), text.size()));
  return begin.starts_with(text.substr(0, begin.size()));
}

}  // namespace

std::ifstream open_log(const io::Folder& run) {
  std::ifstream log;
  try {
    const auto file = run.open_to_read(io::run_names::log);
    log.open("/proc/self/fd/" + std::to_string(file.get()), std::ios::binary);
  } catch (const MissingInput&) {
    // There is none yet.
  }
  return log;
}

std::uint64_t for_each_log_line(
    std::istream& log, const std::function<void(std::string_view line, std::uint64_t at)>& take) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  constexpr std::uint64_t endless = std::uint64_t{1} << 30;
  std::string block(std::size_t{1} << 16, '\0');
  std::string line;
  std::uint64_t begin = 0;   // of the line
  std::uint64_t length = 0;  // that is read of it
  while (log.read(block.data(), static_cast<std::streamsize>(block.size())), log.gcount() > 0) {
    std::string_view left(block.data(), static_cast<std::size_t>(log.gcount()));
    while (!left.empty()) {
      const std::string_view part = left.substr(0, left.find('\n'));
      const bool whole = part.size() < left.size();
      length += part.size();
      if (length > endless) return begin;
      if (length <= longest) line += part;
      left.remove_prefix(part.size() + (whole ? 1 : 0));
      if (!whole) continue;
      if (length <= longest && !is_deep(line)) take(line, begin);
      begin += length + 1;
      length = 0;
      line.clear();
    }
  }
  return begin;
}

void expect_recordable(const RunConfiguration& configuration) {
  if (configuration.machine.write_holdout.value_or(false) &&
      configuration.experiment.holdout.none()) {
    throw UsageError("--write-holdout yes needs --holdout, rows to write");
  }
  if (!configuration.machine.migration_log) return;
  if (configuration.experiment.migration == Migration::synchronous) return;
  throw UsageError("--migration-log yes is of --migration synchronous alone");
}

void log_migration(std::uint32_t generation, std::span<const Move> moves,
                   Communicator& communicator, RunLog* log) {
  std::vector<std::uint32_t> numbers;
  for (const Move& move : moves) {
    numbers.insert(numbers.end(), {move.from, move.slot, move.to, move.place});
  }
  ByteWriter out;
  out.put_all(std::span<const std::uint32_t>(numbers));
  const auto parts = communicator.gather(out.bytes(), 0);
  on_root(communicator, [&] {
    std::vector<Move> all;
    for (const Bytes& part : parts) {
      const auto its = decode_moves(part);
      all.insert(all.end(), its.begin(), its.end());
    }
    // A rank's are in order already, and none is twice.
    std::stable_sort(all.begin(), all.end(), [](const Move& a, const Move& b) {
      return std::tie(a.to, a.from) < std::tie(b.to, b.from);
    });
    auto list = nlohmann::ordered_json::array();
    for (const Move& move : all) {
      nlohmann::ordered_json place;  // null
      if (move.place != Move::nowhere) place = move.place;
      list.push_back({move.from, move.slot, move.to, place});
    }
    log->write("migration", {{"generation", generation}, {"moves", std::move(list)}});
  });
}

RunLog::RunLog(const io::RunLock& run, Report report)
    : run_(run), path_(run.folder().path_of(io::run_names::log)), report_(std::move(report)) {
  open();
}

void RunLog::open() {
  io::Descriptor file = run_.folder().open_in_place(io::run_names::log, O_APPEND);
  if (!begins_as_log(file.get())) {
    throw CannotCreate(path_, "is no log of atoll, which would append to it; move it away");
  }
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  const auto whole = end_of_last_line(file.get(), size);
  if (!whole)
    throw CannotCreate(path_, "is no log of atoll: its last line has no end; move it away");
  if (*whole < size && ::ftruncate(file.get(), *whole) != 0) io::throw_write_error(path_, errno);
  file_ = std::move(file);
}

// A disk without room may take a part of a line.
void RunLog::append(const std::string& lines) {
  if (!file_.is_open()) open();
  const off_t before = ::lseek(file_.get(), 0, SEEK_END);
  std::string_view left = lines;
  while (!left.empty()) {
    const ssize_t written = ::write(file_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error_number = errno;
      if (left.size() < lines.size()) (void)!::ftruncate(file_.get(), before);
      file_.close();  // opened anew next time: it may be another file then
      io::throw_write_error(path_, error_number);
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

void RunLog::write(const std::string& event, const nlohmann::ordered_json& fields) {
  const std::scoped_lock lock(mutex_);
  if (run_.is_taken_over()) return;
  std::string lines;
  const auto add = [&](const std::string& kind, const nlohmann::ordered_json& more) {
    nlohmann::ordered_json line = {{"event", kind}, {"time", utc_now()}};
    line.update(more);
    lines += printable_lines(
                 line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) +
             '\n';
  };
  if (left_out_ > 0) {
    add("warning",
        {{"message", counted(left_out_, "record") + " before this could not be written"}});
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
