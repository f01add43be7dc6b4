#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "src/core/stopwatch.hpp"
#include "src/work/lead.hpp"
#include "src/work/messages.hpp"
#include "src/work/run_thread.hpp"

namespace atl {
namespace {

/// Text on its way from the threads that work to the one that talks to rank 0.
class TextQueue {
 public:
  static constexpr std::size_t most_bytes = std::size_t{8} << 20;

  /// Waits for room.
  void push(std::string_view text, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return text_.size() < most_bytes || stop.stop_requested(); });
    text_ += text;
  }
  std::string take() {
    const std::scoped_lock lock(mutex_);
    room_.notify_all();
    return std::exchange(text_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable room_;
  std::string text_;
};

/// The part that a rank other than 0 has in a task.
class Helper {
 public:
  Helper(Task& task, Worker& worker, const std::function<int()>& signals)
      : task_(task), worker_(worker), ranks_(worker.ranks), signals_(signals) {}

  ExitStatus help() {
    while (!status_) {
      bool heard = false;
      try {
        heard = hear();
        send_text();
        finish_run();
        tell_progress();
        tell_signals();
      } catch (...) {
        fail();
      }
      if (heard || status_) continue;
      constexpr std::chrono::duration<double> beat(1e-3);
      if (thread_.is_busy()) {
        thread_.is_done(beat);
      } else {
        std::this_thread::sleep_for(beat);
      }
    }
    if (error_) std::rethrow_exception(error_);
    return *status_;
  }

 private:
  static constexpr std::size_t most_unsent = 4;

  ByteWriter begin(TaskMessage kind) const {
    ByteWriter out;
    out.put(kind);
    out.put(run_.number);
    return out;
  }
  void post(ByteWriter out) { ranks_.post(task_channel, {0, std::move(out).take()}); }

  bool hear() {
    const auto message = ranks_.poll(task_channel);
    if (!message) return false;
    ByteReader in(message->bytes);
    switch (in.get<TaskMessage>()) {
      case TaskMessage::round: {
        const auto number = in.get<std::uint32_t>();
        task_.begin(number, in.get_all<std::byte>());
        break;
      }
      case TaskMessage::run:
        start(in);
        break;
      case TaskMessage::stop:
        thread_.stop();
        break;
      case TaskMessage::end:
        status_ = in.get<ExitStatus>();
        break;
      default:
        throw InternalError("a rank was told what only rank 0 is");
    }
    return true;
  }

  void start(ByteReader& in) {
    run_.number = in.get<std::uint64_t>();
    run_.pieces = get_pieces(in);
    last_told_ = std::chrono::steady_clock::now();
    if (error_) return post(begin(TaskMessage::failed));  // rank 0 did not know yet
    thread_.start([this](const std::stop_token& stop) {
      return task_.work(
          run_.pieces, [&](std::string_view text) { queue_.push(text, stop); }, worker_, stop);
    });
  }

  void send_text() {
    if (ranks_.unsent(0) < most_unsent) post_text();
  }
  void post_text() {
    const std::string text = queue_.take();
    if (text.empty()) return;
    ByteWriter out = begin(TaskMessage::text);
    out.put_text(text);
    post(std::move(out));
  }

  void finish_run() {
    if (!thread_.is_done()) return;
    const Done done = thread_.take();
    post_text();
    ByteWriter out = begin(TaskMessage::done);
    put(out, done);
    post(std::move(out));
  }

  /// Rank 0 then ends the task.
  void fail() {
    if (!error_) post(begin(TaskMessage::failed));
    error_ = std::current_exception();
    thread_.stop();
  }

  void tell_progress() {
    if (!thread_.is_busy() || seconds_since(last_told_) < 1) return;
    last_told_ = std::chrono::steady_clock::now();
    const auto left = task_.amount_left();
    if (!left) return;
    ByteWriter out = begin(TaskMessage::progress);
    out.put(*left);
    post(std::move(out));
  }

  void tell_signals() {
    if (told_ || signals_() == 0) return;
    told_ = true;
    post(begin(TaskMessage::signal));
  }

  Task& task_;
  Worker& worker_;
  Communicator& ranks_;
  const std::function<int()>& signals_;
  PieceRun run_;
  TextQueue queue_;
  RunThread thread_;  // ends before what it uses
  std::exception_ptr error_;
  bool told_ = false;
  std::chrono::steady_clock::time_point last_told_;
  std::optional<ExitStatus> status_;
};

}  // namespace

ExitStatus help_task(Task& task, Worker& worker, const std::function<int()>& signals) {
  return Helper(task, worker, signals).help();
}

}  // namespace atl
