#include "src/work/lead.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "src/core/stopwatch.hpp"
#include "src/work/messages.hpp"
#include "src/work/run_thread.hpp"

namespace atl {
namespace {

using Clock = std::chrono::steady_clock;

/// A rank is not asked to hand back what it has left before it has worked for so long: to find the
/// way to where it was takes another rank some time, too.
constexpr double least_run_seconds = 0.02;
/// Time between looks at messages, and, for one rank alone, at what is due.
constexpr std::chrono::duration<double> beat(1e-3), beat_alone(5e-3);

class Lead {
 public:
  Lead(Task& task, Worker& worker, Ledger& ledger, Round& round, const LeadSteps& steps)
      : task_(task),
        traits_(task.traits()),
        worker_(worker),
        ledger_(ledger),
        round_(round),
        steps_(steps),
        ranks_of_job_(worker.ranks),
        ranks_(static_cast<std::size_t>(worker.ranks.size())) {}

  ExitStatus lead() {
    std::optional<ExitStatus> status;
    bool begun = false;
    while (!status) {
      bool heard = false;
      try {
        if (!std::exchange(begun, true)) begin_round();
        heard = hear();
        heard = finish_own() || heard;
        status = step();
      } catch (...) {
        if (!error_) error_ = std::current_exception();
        ending_ = true;
      }
      if (!heard && !status) pause();
    }
    for (int rank = 1; rank < ranks_of_job_.size(); ++rank) {
      ByteWriter out;
      out.put(TaskMessage::end);
      out.put(*status);
      ranks_of_job_.post(task_channel, {rank, std::move(out).take()});
    }
    if (error_) std::rethrow_exception(error_);
    return *status;
  }

 private:
  struct Rank {
    std::uint64_t run = 0;  ///< 0: none
    Clock::time_point begun;
    bool told_to_stop = false;
    std::uint64_t amount_left = 0;  ///< as it has told
  };

  void begin_round() {
    for (int rank = 1; rank < ranks_of_job_.size(); ++rank) {
      ByteWriter out;
      out.put(TaskMessage::round);
      out.put(round_.number);
      out.put_all(std::span(std::as_const(round_.news)));
      ranks_of_job_.post(task_channel, {rank, std::move(out).take()});
    }
    task_.begin(round_.number, round_.news);
    steps_.round_begins();
  }

  std::optional<std::uint64_t> amount_left() {
    if (ranks_[0].run != 0 && traits_.pauses) {
      const auto own = task_.amount_left();
      if (!own) return std::nullopt;
      ranks_[0].amount_left = *own;
    }
    std::uint64_t left = task_.amount(ledger_.pieces_left());
    for (const Rank& rank : ranks_) left += rank.run != 0 ? rank.amount_left : 0;
    return left;
  }

  void hear_one(const Message& message) {
    ByteReader in(message.bytes);
    Rank& rank = ranks_[static_cast<std::size_t>(message.peer)];
    const auto kind = in.get<TaskMessage>();
    const auto run = in.get<std::uint64_t>();
    switch (kind) {
      case TaskMessage::text:
        if (!ending_) ledger_.append(run, in.get_text());
        break;
      case TaskMessage::done:
        rank.run = 0;
        if (!ending_) take(run, get_done(in));
        break;
      case TaskMessage::failed:
        rank.run = 0;
        ending_ = true;
        break;
      case TaskMessage::progress:
        if (run == rank.run) rank.amount_left = in.get<std::uint64_t>();
        break;
      case TaskMessage::signal:
        signalled_ = true;
        break;
      default:
        throw InternalError("rank 0 was told what only others are");
    }
  }

  bool hear() {
    bool heard = false;
    while (const auto message = ranks_of_job_.poll(task_channel)) {
      hear_one(*message);
      heard = true;
    }
    return heard;
  }

  bool finish_own() {
    if (!thread_.is_done()) return false;
    const std::uint64_t run = std::exchange(ranks_[0].run, 0);
    Done done = thread_.take();
    if (!ending_) take(run, std::move(done));
    return true;
  }

  void take(std::uint64_t run, Done done) {
    task_.merge(done.found);
    ledger_.finish(run, std::move(done.rest));
  }

  bool nobody_works() const {
    return std::ranges::all_of(ranks_, [](const Rank& rank) { return rank.run == 0; });
  }

  /// @return the status, once all is over
  std::optional<ExitStatus> step() {
    if (!ending_ && ledger_.is_done()) return next_round();
    if (!ending_ && traits_.may_be_answered) {
      ending_ = task_.is_answered([this] { return thread_.is_done(); });
    }
    if (due_ == Due::nothing && !ending_) {
      due_ = steps_.due({signalled_, [this] { return amount_left(); }});
    }
    if (due_ == Due::nothing && !ending_) {
      hand_out();
      return std::nullopt;
    }
    // Work that does not pause is saved as left: to wait for it may take long, to cut it off
    // loses it.
    if (due_ != Due::checkpoint || ending_ || traits_.pauses) {
      stop_all();
      if (!nobody_works()) return std::nullopt;
    }
    if (ending_) return ExitStatus::done;
    if (ledger_.is_done()) return next_round();
    const bool stops = due_ == Due::stop;
    due_ = Due::nothing;
    steps_.save();
    return stops ? std::optional(ExitStatus::stopped) : std::nullopt;
  }

  std::optional<ExitStatus> next_round() {
    std::optional<Bytes> news = steps_.next_round();
    if (!news) return ExitStatus::done;
    round_ = {round_.number + 1, std::move(*news)};
    begin_round();
    return std::nullopt;
  }

  void hand_out() {
    std::size_t idle = 0, stopping = 0;
    const int workers = traits_.root_alone ? 1 : ranks_of_job_.size();
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(workers); ++rank) {
      if (ranks_[rank].run == 0) {
        if (auto run = ledger_.take(workers)) {
          start(rank, std::move(*run));
        } else {
          ++idle;
        }
      }
      stopping += ranks_[rank].told_to_stop && ranks_[rank].run != 0 ? 1 : 0;
    }
    if (!traits_.pauses) return;
    for (; stopping < idle; ++stopping) {
      if (!stop_longest()) return;
    }
  }

  void start(std::size_t number, PieceRun run) {
    ranks_[number] = {run.number, Clock::now(), false, task_.amount(run.pieces)};
    if (number == 0) {
      const bool stops = steps_.may_stop || ranks_of_job_.size() > 1;
      thread_.start([this, stops, run = std::move(run)](const std::stop_token& stop) {
        const auto write = [&](std::string_view text) { ledger_.append(run.number, text); };
        return task_.work(run.pieces, write, worker_, stops ? stop : std::stop_token());
      });
      return;
    }
    ByteWriter out;
    out.put(TaskMessage::run);
    out.put(run.number);
    put(out, run.pieces);
    ranks_of_job_.post(task_channel, {static_cast<int>(number), std::move(out).take()});
  }

  void stop(std::size_t number) {
    Rank& rank = ranks_[number];
    if (rank.run == 0 || rank.told_to_stop) return;
    rank.told_to_stop = true;
    if (number == 0) return thread_.stop();
    ByteWriter out;
    out.put(TaskMessage::stop);
    ranks_of_job_.post(task_channel, {static_cast<int>(number), std::move(out).take()});
  }

  void stop_all() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) stop(rank);
  }

  bool stop_longest() {
    std::optional<std::size_t> longest;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const Rank& rank = ranks_[r];
      if (rank.run == 0 || rank.told_to_stop || seconds_since(rank.begun) < least_run_seconds) {
        continue;
      }
      if (!longest || rank.begun < ranks_[*longest].begun) longest = r;
    }
    if (longest) stop(*longest);
    return longest.has_value();
  }

  void pause() const {
    const auto wait = ranks_of_job_.size() == 1 ? beat_alone : beat;
    if (thread_.is_busy()) {
      thread_.is_done(wait);
    } else {
      std::this_thread::sleep_for(wait);
    }
  }

  Task& task_;
  const PieceTraits traits_;
  Worker& worker_;
  Ledger& ledger_;
  Round& round_;
  const LeadSteps& steps_;
  Communicator& ranks_of_job_;
  std::vector<Rank> ranks_;
  Due due_ = Due::nothing;
  bool ending_ = false;     // what is found counts no more
  bool signalled_ = false;  // another rank
  std::exception_ptr error_;
  RunThread thread_;  // ends before what it uses
};

}  // namespace

ExitStatus lead_task(Task& task, Worker& worker, Ledger& ledger, Round& round,
                     const LeadSteps& steps) {
  return Lead(task, worker, ledger, round, steps).lead();
}

}  // namespace atl
