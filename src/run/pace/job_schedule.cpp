#include "src/run/pace/job_schedule.hpp"

#include <algorithm>
#include <limits>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"

namespace atl {

namespace {

constexpr double between_file_looks = 0.5;

}  // namespace

JobSchedule::JobSchedule(const JobSettings& settings, const StartingPoint& from,
                         const Archipelago& archipelago, Clock::time_point begun)
    : settings_(settings), from_(from), archipelago_(archipelago), begun_(begun) {}

// The file system may be far away.
bool JobSchedule::stop_file_is_there() {
  const bool lately = last_file_look_ && seconds_since(*last_file_look_) < between_file_looks;
  if (told_to_stop_ || lately) return told_to_stop_;
  last_file_look_ = Clock::now();
  told_to_stop_ = settings_.lock->folder().has(io::run_names::stop);
  return told_to_stop_;
}

StopReason JobSchedule::reason_to_stop(std::uint32_t at) {
  if (experiment_.time_limit > 0 && mined_seconds() >= experiment_.time_limit) {
    return StopReason::time_limit;
  }
  // Even the shortest job brings the run on, or a row of them would never end.
  const bool advanced = !from_.restored || at > from_.own_generation;
  if (settings_.stop_after > 0 && seconds_since(settings_.start) >= settings_.stop_after &&
      advanced) {
    return StopReason::stop_after;
  }
  return stop_file_is_there() ? StopReason::stop_file : StopReason::none;
}

bool JobSchedule::checkpoint_due(std::uint32_t generation, bool busy) const {
  if (every_.generations != 0) {
    return generation >= std::uint64_t{last_saved_} + every_.generations;
  }
  return seconds_since(last_checkpoint_) >= every_.seconds && !busy;
}

void JobSchedule::checkpoint_begins(std::uint32_t generation) {
  last_saved_ = generation;
  last_checkpoint_ = Clock::now();
}

std::uint32_t JobSchedule::next_look(std::uint32_t at, bool saves) const {
  double left = std::numeric_limits<double>::infinity();
  const auto due = [&](double seconds) { left = std::min(left, seconds); };
  if (experiment_.time_limit > 0) due(experiment_.time_limit - mined_seconds());
  if (settings_.stop_after > 0) due(settings_.stop_after - seconds_since(settings_.start));
  if (every_.generations == 0) due(every_.seconds - seconds_since(last_checkpoint_));
  std::uint64_t next = at + polling_.next(archipelago_.generation(), left);
  if (every_.generations != 0) {
    next = std::min(next, std::uint64_t{saves ? at : last_saved_} + every_.generations);
  }
  next = std::min<std::uint64_t>(std::max<std::uint64_t>(next, at + 1), experiment_.generations);
  return static_cast<std::uint32_t>(next);
}

}  // namespace atl
