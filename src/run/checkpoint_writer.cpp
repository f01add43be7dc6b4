#include "src/run/checkpoint_writer.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "src/core/stopwatch.hpp"
#include "src/run/job_end.hpp"

namespace atl {

CheckpointWriter::CheckpointWriter(io::CheckpointStore& store, const io::RunLock& lock, RunLog& log,
                                   const Report& report, bool any)
    : store_(store), lock_(lock), log_(log), report_(report), any_(any) {}

CheckpointWriter::~CheckpointWriter() {
  join();
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

void CheckpointWriter::start(std::function<RunState()> state, Clock::time_point stopped) {
  wait();
  {
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    busy_ = true;
  }
  const double stop_seconds = seconds_since(stopped);
  thread_ = std::thread([this, stop_seconds, state = std::move(state)] {
    try_to_save(state, stop_seconds);
    const std::scoped_lock lock(mutex_);
    busy_ = false;
  });
}

void CheckpointWriter::write(const RunState& state, Clock::time_point stopped) {
  wait();
  save(state, seconds_since(stopped));
}

void CheckpointWriter::wait() {
  join();
  if (unmade_) std::rethrow_exception(unmade_);
}

void CheckpointWriter::join() {
  if (thread_.joinable()) thread_.join();
}

void CheckpointWriter::save(const RunState& state, double stop_seconds) {
  const Clock::time_point start = Clock::now();
  lock_.require_held();
  store_.save(state);
  log_.write("checkpoint", {{"generation", state.header.generation},
                            {"stop_seconds", stop_seconds},
                            {"seconds", seconds_since(start)}});
  const std::scoped_lock lock(mutex_);
  any_ = true;
  outage_ = false;
}

void CheckpointWriter::try_to_save(const std::function<RunState()>& make,
                                   double stop_seconds) noexcept {
  try {
    const RunState state = [&] {
      try {
        return make();
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        unmade_ = std::current_exception();
        throw;
      }
    }();
    const auto error = write_error(lock_.folder(), [&] { save(state, stop_seconds); });
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
