#include "src/run/info/job_history.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "src/core/text/time_text.hpp"
#include "src/run/log/log_lines.hpp"

namespace atl {

namespace {

using Event = nlohmann::json;

std::string text(const Event& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<std::uint64_t> number(const Event& event, const char* key) {
  const auto found = event.find(key);
  if (found == event.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::uint64_t>();
}

bool flag(const Event& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_boolean() && found->get<bool>();
}

/// Takes in events one after the other.
class HistoryReader {
 public:
  void take(const Event& event) {
    const std::string kind = text(event, "event");
    if (kind == "start") {
      begin(event);
    } else if (kind == "resume") {
      open_ = false;
      history_.loading = true;
    } else if (kind == "error" && !open_) {
      history_.loading = false;  // it failed before it began
    } else if (kind == "warning") {
      (open_ ? history_.jobs.back().warnings : early_warnings_).push_back(text(event, "message"));
    }
    if (!open_) return;
    JobRecord& job = history_.jobs.back();
    const auto began = parse_utc(job.began), now = parse_utc(text(event, "time"));
    if (began && now) job.seconds = std::max(std::round((*now - *began) * 1000) / 1000, 0.0);
    job.to = std::max(job.to, number(event, "generation").value_or(0));
    if (kind != "end" && kind != "error") return;
    job.end = kind == "end" ? text(event, "reason") : "failed: " + text(event, "message");
    if (job.end.empty()) job.end = "ended";
    open_ = false;
  }

  JobHistory finished() && { return std::move(history_); }

 private:
  void begin(const Event& event) {
    JobRecord job;
    job.job = number(event, "job").value_or(history_.jobs.size() + 1);
    job.host = text(event, "host");
    job.ranks = number(event, "ranks").value_or(0);
    job.team = number(event, "team").value_or(1);
    job.threads = number(event, "threads").value_or(0);
    job.backend = text(event, "backend");
    job.began = text(event, "time");
    job.from = number(event, "generation").value_or(0);
    job.rows = number(event, "rows").value_or(0);
    job.attributes = number(event, "attributes").value_or(0);
    job.of_transactions = flag(event, "transactions");
    job.warnings = std::exchange(early_warnings_, {});
    history_.jobs.push_back(std::move(job));
    history_.loading = false;
    open_ = true;
  }

  JobHistory history_;
  std::vector<std::string> early_warnings_;  // of the job to come
  bool open_ = false;                        // the last job has not ended
};

}  // namespace

JobHistory job_history(std::istream& log) {
  HistoryReader reader;
  for_each_log_line(log, [&](std::string_view line, std::uint64_t) {
    const Event event = Event::parse(line, nullptr, false);
    if (event.is_object()) reader.take(event);
  });
  return std::move(reader).finished();
}

}  // namespace atl
