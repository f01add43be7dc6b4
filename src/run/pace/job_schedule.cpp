#include "src/run/pace/job_schedule.hpp"

#include <algorithm>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"

namespace atl {
namespace {

constexpr double seconds_between = 0.2;  // looks

}  // namespace

std::uint64_t PollingInterval::next(std::uint32_t generation, double seconds_left,
                                    Clock::time_point now) const noexcept {
  if (!begun_ || generation <= generation_) return 1;  // nobody knows yet how long one takes
  const double done = generation - generation_;
  const double each = std::chrono::duration<double>(now - time_).count() / done;
  if (each <= 0) return 1;
  const double wanted = std::min(seconds_between, seconds_left) / each;
  return static_cast<std::uint64_t>(std::clamp(wanted, 1.0, 2 * done));
}

JobSchedule::JobSchedule(const JobSettings& settings, const StartingPoint& from,
                         const Archipelago& archipelago, Clock::time_point begun)
    : settings_(settings),
      from_(from),
      archipelago_(archipelago),
      begun_(begun),
      limits_({.time_limit = experiment_.time_limit,
               .stop_after = settings.stop_after,
               .start = settings.start},
              [this] { return settings_.of_user().lock->folder().has(io::run_names::stop); }) {}

StopReason JobSchedule::reason_to_stop(std::uint32_t at) {
  const bool advanced = !from_.restored || at > from_.own_generation;
  return limits_.reason_to_stop(mined_seconds(), advanced);
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
  double left = seconds_left();
  if (every_.generations == 0) {
    left = std::min(left, every_.seconds - seconds_since(last_checkpoint_));
  }
  std::uint64_t next = at + polling_.next(archipelago_.generation(), left);
  if (every_.generations != 0) {
    next = std::min(next, std::uint64_t{saves ? at : last_saved_} + every_.generations);
  }
  next = std::max<std::uint64_t>(next, std::uint64_t{at} + 1);
  if (looks_every_ != 0)
    next = std::min(next, (std::uint64_t{at} / looks_every_ + 1) * looks_every_);
  next = std::min<std::uint64_t>(next, experiment_.generations);
  return static_cast<std::uint32_t>(next);
}

}  // namespace atl
