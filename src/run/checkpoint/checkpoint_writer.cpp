#include "src/run/checkpoint/checkpoint_writer.hpp"

#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

std::optional<Error> write_error(const io::Folder& run, const std::function<void()>& action) {
  try {
    action();
    return std::nullopt;
  } catch (const Error& error) {
    const ExitStatus status = error.status();
    if (status != ExitStatus::cannot_create && status != ExitStatus::io_error) throw;
    run.require_in_place();
    return error;
  }
}

CheckpointWriter::CheckpointWriter(io::CheckpointStore& store,
                                   std::unique_ptr<io::HistoryFile> history,
                                   std::vector<HistoryRow> unwritten, const io::RunLock& lock,
                                   RunLog& log, const Report& report, bool any)
    : store_(store),
      history_(std::move(history)),
      unwritten_(std::move(unwritten)),
      lock_(lock),
      log_(log),
      report_(report),
      any_(any) {}

CheckpointWriter::~CheckpointWriter() {
  wait();
}

bool CheckpointWriter::busy() const {
  const std::scoped_lock lock(mutex_);
  return busy_;
}

bool CheckpointWriter::any() const {
  const std::scoped_lock lock(mutex_);
  return any_;
}

bool CheckpointWriter::failed() const {
  const std::scoped_lock lock(mutex_);
  return failure_ != nullptr;
}

void CheckpointWriter::require_working() const {
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

void CheckpointWriter::start(PendingCheckpoint checkpoint) {
  wait();
  require_working();
  {
    const std::scoped_lock lock(mutex_);
    busy_ = true;
  }
  thread_ = std::thread([this, checkpoint = std::move(checkpoint)]() mutable {
    try_to_save(std::move(checkpoint));
    const std::scoped_lock lock(mutex_);
    busy_ = false;
  });
}

void CheckpointWriter::write(PendingCheckpoint checkpoint) {
  wait();
  save(std::move(checkpoint));
}

void CheckpointWriter::wait() {
  if (thread_.joinable()) thread_.join();
}

std::vector<HistoryRow> CheckpointWriter::rows() const {
  try {
    std::vector<HistoryRow> rows = decode_history_rows(history_->read());
    // Where islands do not wait for each other, only those of one checkpoint are in order.
    std::stable_sort(rows.begin(), rows.end(), precedes);
    add_to_history(rows, unwritten_);
    return rows;
  } catch (const BadBytes& error) {
    lock_.require_held();
    const auto folder = lock_.folder().folder(io::run_names::checkpoints);
    if (!folder || !folder->has(io::run_names::kept_history)) {
      throw CannotCreate(lock_.folder().path_of(io::run_names::checkpoints),
                         "its files were removed while the run was worked on");
    }
    throw BadData(lock_.folder().path_of(io::run_names::checkpoints), error.what());
  }
}

void CheckpointWriter::save(PendingCheckpoint checkpoint) {
  add_to_history(unwritten_, std::move(checkpoint.rows));
  lock_.require_held();
  if (!unwritten_.empty()) {
    history_->append(encode(std::span<const HistoryRow>(unwritten_)));
    unwritten_.clear();
  }
  const std::uint32_t generation = checkpoint.own.header.generation;
  io::CheckpointManifest manifest{std::move(checkpoint.own), {}, history_->end()};
  for (HandedIn& part : checkpoint.parts) {
    if (part.outcome.failed) throw Error(part.outcome.status, part.outcome.message);
    if (!part.state.empty()) {
      part.written =
          io::write_part(lock_.folder(), generation, part.written.first_island, part.state);
    }
    manifest.parts.push_back(part.written);
  }
  std::sort(manifest.parts.begin(), manifest.parts.end(),
            [](const auto& a, const auto& b) { return a.first_island < b.first_island; });
  store_.save(manifest);
  const std::chrono::duration<double> stop = checkpoint.begun - checkpoint.stopped;
  log_.write("checkpoint", {{"generation", generation},
                            {"stop_seconds", stop.count()},
                            {"seconds", seconds_since(checkpoint.begun)}});
  const std::scoped_lock lock(mutex_);
  any_ = true;
  outage_ = false;
}

void CheckpointWriter::try_to_save(PendingCheckpoint checkpoint) noexcept {
  try {
    const auto error = write_error(lock_.folder(), [&] { save(std::move(checkpoint)); });
    if (!error) return;
    {
      const std::scoped_lock lock(mutex_);
      if (!any_) throw *error;
      if (std::exchange(outage_, true)) return;
    }
    report_(Severity::warning, std::string(error->what()) +
                                   "; mining goes on, the next checkpoint is tried when it is due");
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
  }
}

}  // namespace atl
