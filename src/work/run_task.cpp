#include "src/work/run_task.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <optional>
#include <unistd.h>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "src/core/agreement.hpp"
#include "src/core/hash.hpp"
#include "src/core/stopwatch.hpp"
#include "src/work/lead.hpp"
#include "src/work/messages.hpp"
#include "src/work/rank_place.hpp"
#include "src/work/task_folder.hpp"
#include "src/work/task_output.hpp"
#include "src/work/temporary_folder.hpp"
#include "src/work/work_progress.hpp"

namespace atl {
namespace {

using Clock = std::chrono::steady_clock;

/// A job works at least so long before it stops for its time, so that a row of them gets on.
constexpr double least_seconds = 0.05;
constexpr std::size_t most_text_in_memory = std::size_t{64} << 20;

/// An output of so many bytes deserves a word.
constexpr std::uint64_t large_output = std::uint64_t{10} << 30;

/// Text in memory, at most: little of what the job may take.
std::size_t text_in_memory(std::uint64_t memory) {
  return std::min<std::uint64_t>(most_text_in_memory, memory / 16);
}

/// Names of text files that no other job uses: one that was taken over may still write.
std::uint64_t first_file_number() {
  const auto now =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  Hasher hasher;
  hasher.update_u64(now);
  hasher.update_u64(static_cast<std::uint64_t>(::getpid()));
  return hasher.digest().low >> 1;
}

/// Rank 0's side of a job: output, checkpoints, time.
class RootJob {
 public:
  RootJob(Task& task, const TaskJob& job, const Context& context)
      : task_(task),
        job_(job),
        context_(context),
        output_(job.to_file ? TaskOutput(job.output) : TaskOutput()),
        watch_(job.limits, [this] { return kept_ && kept_->tells_to_stop(); }) {
    if (job.to_file) kept_.emplace(output_.path(), context.report);
  }

  /// Once the task has its data.
  /// @param signals  to stop; null where there are no checkpoints
  void begin(std::uint64_t memory, const StopSignals* signals) {
    signals_ = signals;
    spool_.emplace([this]() -> const io::Folder& { return text_folder(); }, text_in_memory(memory),
                   first_file_number());
    ledger_.emplace(task_, *spool_, [this](std::string_view text) { write(text); });
    std::optional<TaskState> state;
    if (kept_) {
      state = kept_->load([this]() -> const Identity& { return identity(); }, job_.force,
                          [this](const TaskState& found) { expect(found); });
    }
    if (state) return take_up(std::move(*state));
    round_.news = task_.first();
  }

  ExitStatus lead(Worker& worker) {
    working_since_ = last_save_ = Clock::now();
    LeadSteps steps;
    steps.due = [this](const LeadView& view) { return due(view); };
    steps.save = [this] { save(); };
    steps.round_begins = [this] { add_pieces(); };
    steps.next_round = [this] { return task_.next(); };
    steps.may_stop = job_.to_file || task_.traits().may_be_answered;
    try {
      return lead_task(task_, worker, *ledger_, round_, steps);
    } catch (const ReaderGone&) {
      nobody_reads_ = true;
      return ExitStatus::done;
    }
  }

  /// Says how to go on after an error.
  void say_how_to_go_on() const {
    if (!kept_ || !kept_->is_kept() || !kept_->is_held()) return;
    context_.report(Severity::info, "a checkpoint is in " + kept_->path() +
                                        ", and the same command goes on from there");
  }

  /// Writes what is left to write, or says how to go on.
  void finish(ExitStatus status) {
    display_.reset();
    if (nobody_reads_) return;
    if (status == ExitStatus::stopped) {
      context_.report(Severity::info, "stopped; what was found is in " + kept_->path() +
                                          ", and the same command goes on from there");
      return;
    }
    std::string said;
    try {
      said = task_.finish([this](std::string_view text) { write(text); });
    } catch (const ReaderGone&) {
      return;
    }
    if (kept_) {
      (void)kept_->held();
      output_.commit();
      kept_->remove();
    }
    context_.report(Severity::info, said);
  }

 private:
  /// Made when it is first needed: short tasks end before.
  const Identity& identity() {
    if (!identity_) identity_ = task_.identity();
    return *identity_;
  }

  const io::Folder& text_folder() {
    if (kept_) return kept_->held();
    if (!temporary_) temporary_ = std::make_unique<TemporaryFolder>();
    return temporary_->folder();
  }

  void write(std::string_view text) {
    if (kept_) kept_->expect_held();
    output_.write(text);
    written_ += text.size();
    if (!kept_ || written_ < large_output || std::exchange(warned_of_size_, true)) return;
    std::error_code unknown;
    const auto space = std::filesystem::space(kept_->path(), unknown);
    const std::string room =
        unknown ? "" : fmt::format("; the disk has room for {} GB more", space.available >> 30);
    context_.report(Severity::warning,
                    fmt::format("{} has {} GB by now{}", output_.path(), written_ >> 30, room));
  }

  /// Has the task take up what it saved. @throws BadBytes if it cannot be there; it is as before
  void expect(const TaskState& state) {
    ByteWriter fresh;
    task_.save(fresh);
    try {
      ByteReader own(state.own);
      task_.load(own);
      own.expect_end();
      task_.begin(state.round, state.news);
      for (const auto& item : state.items) {
        if (const auto* const piece = std::get_if<Piece>(&item)) task_.expect(*piece);
      }
    } catch (const BadBytes&) {
      ByteReader own(fresh.bytes());
      task_.load(own);
      throw;
    }
  }

  void take_up(TaskState state) {
    resumed_ = true;
    before_ = state.seconds;
    round_ = {state.round, std::move(state.news)};
    for (const TextPart& part : state.output) written_ += part.size;
    output_.take_up(kept_->held(), std::move(state.output));
    spool_->keep_files();
    for (auto& item : state.items) {
      if (auto* const piece = std::get_if<Piece>(&item)) {
        ledger_->add(std::move(*piece));
      } else {
        const auto& text = std::get<TextPart>(item);
        ledger_->add(TextSpool::take_up(text.file, text.size, text.hash));
      }
    }
    context_.report(Severity::info,
                    "going on from " + kept_->path() + fmt::format(", {:.0f} s of work", before_));
  }

  /// Adds the pieces of a round that begins now on all ranks.
  void add_pieces() {
    if (!std::exchange(resumed_, false)) {
      for (Piece& piece : task_.pieces(context_.communicator.size()))
        ledger_->add(std::move(piece));
    }
    progress_.emplace(task_.amount(ledger_->pieces_left()), task_.traits().unit);
    round_since_ = Clock::now();
  }

  Due due(const LeadView& view) {
    show_progress(view);
    if (!kept_) return Due::nothing;
    kept_->expect_held();
    const bool told = signals_->count() > 0 || view.signalled;
    const double worked = seconds_since(working_since_);
    if (told ||
        watch_.reason_to_stop(before_ + worked, worked >= least_seconds) != StopReason::none) {
      stopping_ = true;
      return Due::stop;
    }
    const bool is_time = seconds_since(last_save_) >= job_.limits.checkpoint_every;
    return is_time ? Due::checkpoint : Due::nothing;
  }

  void show_progress(const LeadView& view) {
    const double worked = seconds_since(round_since_);
    if (worked < 1 || seconds_since(last_look_) < 1) return;
    last_look_ = Clock::now();
    const auto left = view.amount_left();
    if (!left) return;
    progress_->note(worked, *left);
    if (!display_) display_.emplace();
    display_->show((round_.number > 0 ? fmt::format("round {}: ", round_.number + 1) : "") +
                   progress_->line());
  }

  /// Ownership that is lost ends the job; a disk that is full at the moment does not.
  void save() {
    const io::Folder& folder = kept_->held();
    try {
      TaskState state;
      state.identity = identity();
      state.seconds = before_ + seconds_since(working_since_);
      state.round = round_.number;
      state.news = round_.news;
      ByteWriter own;
      task_.save(own);
      state.own = std::move(own).take();
      spool_->keep_files();
      for (const Ledger::Item* item : ledger_->sync()) {
        if (const auto* const piece = std::get_if<Piece>(item)) {
          state.items.emplace_back(*piece);
        } else {
          const auto& text = std::get<SpooledText>(*item);
          state.items.emplace_back(TextPart{text.file, text.file_size, text.hash});
        }
      }
      state.output = output_.park(folder);
      kept_->save(state);
      spool_->remove_unneeded();
    } catch (const Error& error) {
      (void)kept_->held();
      if (stopping_) throw;
      if (!std::exchange(warned_, true)) {
        context_.report(Severity::warning,
                        std::string(error.what()) + "; the work goes on without this checkpoint");
      }
    }
    last_save_ = Clock::now();
  }

  Task& task_;
  const TaskJob& job_;
  const Context& context_;
  TaskOutput output_;
  std::optional<TaskFolder> kept_;  // none: standard output
  LimitWatch watch_;
  std::unique_ptr<TemporaryFolder> temporary_;
  std::optional<TextSpool> spool_;
  std::optional<Ledger> ledger_;
  std::optional<Identity> identity_;
  Round round_;
  const StopSignals* signals_ = nullptr;
  bool resumed_ = false;  // the ledger has the pieces of the round already
  bool nobody_reads_ = false;
  bool stopping_ = false;
  bool warned_ = false;
  bool warned_of_size_ = false;
  std::uint64_t written_ = 0;  // bytes of the output by all jobs
  double before_ = 0;          // seconds of former jobs
  Clock::time_point working_since_, round_since_, last_save_, last_look_;
  std::optional<WorkProgress> progress_;
  std::optional<ProgressDisplay> display_;
};

/// Threads of this rank, and the memory that it may take.
struct RankShare {
  unsigned threads;
  std::uint64_t memory;
};

/// Collective.
RankShare share_of_rank(const TaskJob& job, Communicator& ranks) {
  const RankPlace mine = own_place();
  const std::vector<RankPlace> all = all_places(mine, ranks);
  RankShare share{job.threads, job.memory};
  if (share.threads == 0) share.threads = suitable_threads(mine, all);
  if (share.memory == 0) {  // some is left to others
    share.memory = memory_left() / 10 * 9 /
                   static_cast<std::uint64_t>(std::ranges::count_if(
                       all, [&](const RankPlace& other) { return other.machine == mine.machine; }));
  }
  return share;
}

}  // namespace

ExitStatus run_task(Task& task, const TaskJob& job, const Context& context) {
  Communicator& ranks = context.communicator;
  std::unique_ptr<RootJob> root;
  on_root(ranks, [&] { root = std::make_unique<RootJob>(task, job, context); });
  const RankShare share = share_of_rank(job, ranks);
  std::optional<ThreadPool> pool;
  on_all(ranks, [&] { pool.emplace(share.threads); });
  std::optional<StopSignals> signals;  // from now on, so that one that comes early counts, too
  if (job.to_file) signals.emplace();
  const MemoryLimit memory(share.memory);
  Worker worker{ranks, *pool, memory, context.report};
  task.prepare(worker);
  const auto within_memory = [&](const auto& action) {
    return within(memory, job.what_takes_memory, job.less_memory, action);
  };
  on_root(ranks, [&] {
    within_memory([&] { root->begin(share.memory, signals ? &*signals : nullptr); });
  });
  ExitStatus status = ExitStatus::done;
  std::exception_ptr error;
  try {
    if (root) {
      status = within_memory([&] { return root->lead(worker); });
    } else {
      status = within_memory(
          [&] { return help_task(task, worker, [&] { return signals ? signals->count() : 0; }); });
    }
  } catch (const BadBytes& problem) {  // a state of the right form that no job can have left
    error = std::make_exception_ptr(
        BadData(job.output + ".checkpoint",
                std::string("is damaged, remove it to begin again: ") + problem.what()));
  } catch (...) {
    error = std::current_exception();
    if (root) root->say_how_to_go_on();
  }
  (void)ranks.drain(task_channel);  // of signals that came too late
  on_all(ranks, [&] {
    if (error) std::rethrow_exception(error);
  });
  on_root(ranks, [&] { within_memory([&] { root->finish(status); }); });
  return status;
}

}  // namespace atl
