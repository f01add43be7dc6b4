#include "src/app/run_log.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

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

/// Has a job that was killed left a line without an end?
bool is_cut_off(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  return in && in.tellg() > 0 && in.seekg(-1, std::ios::end) && in.get() != '\n';
}

}  // namespace

RunLog::RunLog(const std::string& path) : path_(path) {
  const bool cut_off = is_cut_off(path);
  out_.open(path, std::ios::app);
  if (cut_off) out_ << '\n';
  if (!out_) throw CannotCreate(path, std::strerror(errno));
}

void RunLog::write(const std::string& event, const nlohmann::ordered_json& fields) {
  nlohmann::ordered_json line = {{"event", event}, {"time", utc_now()}};
  line.update(fields);
  out_ << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n'
       << std::flush;
  if (!out_) throw IoError(path_, std::strerror(errno));
}

Report logging_report(Report report, RunLog& log) {
  return [report = std::move(report), &log](Severity severity, const std::string& message) {
    report(severity, message);
    if (severity == Severity::warning) log.write("warning", {{"message", message}});
  };
}

}  // namespace atl
