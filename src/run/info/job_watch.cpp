#include "src/run/info/job_watch.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/run/checkpoint_store.hpp"
#include "io/run/run_folder.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/pace/job_progress.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

using Event = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look_again_after(500);
constexpr std::chrono::seconds plain_line_every(10);

/// Reads what is added to a log.jsonl.
class LogTail {
 public:
  explicit LogTail(std::string run) : run_(std::move(run)) {}

  /// Goes to the beginning of the last job.
  void find_last_job() {
    std::uint64_t last = 0;
    bool loads = false;
    read_on([&](std::string_view line, std::uint64_t at) {
      if (line.find(R"("start")") == std::string_view::npos &&
          line.find(R"("resume")") == std::string_view::npos) {
        return;
      }
      const Event event = Event::parse(line, nullptr, false);
      if (!is_event(event)) return;
      // A job that goes on says so before it loads the data, and begins to mine later.
      const Event& kind = event.at("event");
      if (kind == "resume" || (kind == "start" && !loads)) last = at;
      if (kind == "resume" || kind == "start") loads = kind == "resume";
    });
    offset_ = last;
  }

  /// Shows the events since the last call.
  template <typename Show>
  void show_new(Show show) {
    offset_ += read_on([&](std::string_view line, std::uint64_t) {
      const Event event = Event::parse(line, nullptr, false);
      if (is_event(event)) show(event);
    });
  }

 private:
  static bool is_event(const Event& event) { return event.is_object() && event.contains("event"); }

  template <typename Take>
  std::uint64_t read_on(Take take) {
    std::ifstream log = open_log(io::Folder(run_, io::Access::read));
    if (!log.is_open()) return 0;
    log.seekg(0, std::ios::end);
    if (static_cast<std::uint64_t>(log.tellg()) < offset_) offset_ = 0;  // a new run in its place
    log.seekg(static_cast<std::streamoff>(offset_));
    return for_each_log_line(log, take);
  }

  std::string run_;
  std::uint64_t offset_ = 0;
};

/// Shows the events of a job.
class Watch {
 public:
  Watch(const Experiment& experiment, bool terminal)
      : experiment_(experiment), terminal_(terminal) {}

  /// Shows what happened before somebody looked: the last job, and of its progress the last.
  void catch_up(LogTail& log) {
    std::optional<Event> progress;
    log.find_last_job();
    log.show_new([&](const Event& event) {
      if (event.at("event") == "progress") {
        progress = event;
      } else {
        show(event);
      }
    });
    if (progress && !ended_) show(*progress);
  }

  void show(const Event& event) {
    try {
      show_known(event);
    } catch (const Event::exception&) {
      // The event is of another version; the others tell enough.
    }
  }

  void line(const std::string& text) const {
    write_stdout_over(fitted(printable(text, std::string::npos) + "\n", stdout_columns()));
  }
  bool started() const noexcept { return started_; }
  bool ended() const noexcept { return ended_; }
  /// Has the job that ended left nothing to do?
  bool finished() const { return reason_ == "finished" || reason_ == "time limit"; }

 private:
  void show_known(const Event& event) {
    const std::string kind = event.at("event");
    if (kind == "resume") {
      ended_ = started_ = false;
    } else if (kind == "start") {
      ended_ = false;
      started_ = true;
      first_generation_ = event.at("generation");
      line(fmt::format("job {} on {}: {}, {} each, {}, from generation {}",
                       event.at("job").get<std::uint64_t>(), event.at("host").get<std::string>(),
                       counted(event.at("ranks").get<std::size_t>(), "rank"),
                       counted(event.at("threads").get<std::size_t>(), "thread"),
                       event.at("backend").get<std::string>(), first_generation_));
    } else if (kind == "progress") {
      show_progress(event);
    } else if (kind == "repeat") {
      line(fmt::format("repeat {} of {}", event.at("number").get<std::uint64_t>(),
                       event.at("of").get<std::uint64_t>()));
    } else if (kind == "warning") {
      line("warning: " + event.at("message").get<std::string>());
    } else if (kind == "error") {
      ended_ = true;
      reason_ = "failed";
      line("failed: " + printable(event.at("message").get<std::string>(), 500));
    } else if (kind == "end") {
      ended_ = true;
      reason_ = event.at("reason");
      line(fmt::format(
          "{} after generation {}{}: {}", finished() ? reason_ : "stopped (" + reason_ + ")",
          event.at("generation").get<std::uint64_t>(), experiment_.of_generations(" of "),
          counted(event.at("rules").get<std::size_t>(), "rule")));
    }
  }

  void show_progress(const Event& event) {
    Progress progress;
    progress.generation = event.at("generation");
    progress.evaluated = event.at("evaluated");
    progress.archived = event.at("archived");
    for (const std::string& measure : experiment_.all_maximized()) {
      const Event& best = event.at("best").value(measure, Event());
      progress.best.push_back(best.is_number() ? best.get<double>()
                                               : std::numeric_limits<double>::quiet_NaN());
    }
    const double rate = event.at("rules_per_second");
    const double seconds = rate > 0 ? static_cast<double>(progress.evaluated) / rate : 0;
    const std::string text = progress_line(progress, experiment_, seconds, first_generation_);
    if (terminal_) {
      write_stdout_over(printable(text, std::string::npos));
      return;
    }
    const auto now = Clock::now();
    if (last_plain_line_ && now - *last_plain_line_ < plain_line_every) return;
    last_plain_line_ = now;
    line(text);
  }

  const Experiment& experiment_;
  bool terminal_;
  bool started_ = false;
  bool ended_ = false;
  std::string reason_;
  std::uint32_t first_generation_ = 0;
  std::optional<Clock::time_point> last_plain_line_;
};

}  // namespace

namespace {

/// Is the run finished by its checkpoints, where the log does not tell?
bool is_finished(const std::string& folder) {
  const auto quiet = [](Severity, const std::string&) {};
  const io::Folder run(folder, io::Access::read);
  const auto header = io::CheckpointStore(run, 1, quiet).latest_header();
  return header && header->finished;
}

}  // namespace

bool watch_run(const std::string& folder, const Experiment& experiment) {
  LogTail log(folder);
  Watch watch(experiment, stdout_is_terminal());
  watch.catch_up(log);
  for (;;) {
    // Asked before the log is read: what a job writes as it ends is not missed.
    const bool running = io::folder_owner(folder).has_value();
    log.show_new([&](const Event& event) { watch.show(event); });
    if (watch.ended()) break;
    if (!running) {
      watch.line(watch.started() ? "the job is gone without an end" : "the log tells of no job");
      break;
    }
    std::this_thread::sleep_for(look_again_after);
  }
  const bool finished = watch.ended() ? watch.finished() : !watch.started() && is_finished(folder);
  const SearchKind& kind = experiment.kind();
  watch.line(finished ? "print " + std::string(kind.its_results) + ": " + how_to_print(kind, folder)
                      : "go on: atoll resume " + shell_word(folder));
  return finished;
}

}  // namespace atl
