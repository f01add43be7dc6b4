#include "src/run/pace/asynchronous_phase.hpp"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/run/pace/job_progress.hpp"

namespace atl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_every(1);
constexpr std::chrono::milliseconds report_every(200);
constexpr std::size_t most_unheard = 8;              // messages to rank 0
constexpr std::chrono::milliseconds look_every(50);  // at what may end the phase, files among it

/// The report of a rank to rank 0.
struct RankReport {
  bool stopped = false;  // its islands have come to the end, or one has failed
  bool signalled = false;
  Progress progress;
};

// Both travel on one channel, reports to rank 0 and the reason to stop from it.
enum class Kind : std::uint8_t { report, stop };

Bytes encode(const RankReport& report) {
  ByteWriter out;
  out.put(static_cast<std::uint8_t>(Kind::report));
  out.put(static_cast<std::uint8_t>(report.stopped));
  out.put(static_cast<std::uint8_t>(report.signalled));
  out.put_all(std::span<const std::byte>(encode(report.progress)));
  return std::move(out).take();
}

Bytes encode(StopReason reason) {
  ByteWriter out;
  out.put(static_cast<std::uint8_t>(Kind::stop));
  out.put(static_cast<std::uint64_t>(reason));
  return std::move(out).take();
}

/// The phase on one rank, while its islands go on.
class AsynchronousPhase {
 public:
  AsynchronousPhase(Archipelago& archipelago, Communicator& communicator,
                    std::uint32_t last_generation, const RankDuties& duties,
                    const AsynchronousPhaseControl& control)
      : archipelago_(archipelago),
        communicator_(communicator),
        last_generation_(last_generation),
        duties_(duties),
        control_(control),
        reports_(static_cast<std::size_t>(communicator.size())) {}

  StopReason run() {
    while (!stop_for_) {
      archipelago_.poll();
      duties_.poll();
      tell();
      listen();
      if (communicator_.rank() == 0 && !decided_) decide();
      if (!stop_for_) std::this_thread::sleep_for(poll_every);
    }
    return *stop_for_;
  }

 private:
  void tell() {
    const bool stopped = archipelago_.stopped();
    const bool news = (stopped && !told_.stopped) || (duties_.signalled() && !told_.signalled);
    if (!news && last_told_ && Clock::now() - *last_told_ < report_every) return;
    if (!news && communicator_.unsent(0) >= most_unheard) return;  // rank 0 stands still
    last_told_ = Clock::now();
    told_ = {stopped, duties_.signalled(), archipelago_.progress()};
    communicator_.post(Channel::control, {0, encode(told_)});
  }

  void listen() {
    while (const auto message = communicator_.poll(Channel::control)) {
      ByteReader in(message->bytes);
      if (static_cast<Kind>(in.get<std::uint8_t>()) == Kind::stop) {
        stop_for_ = static_cast<StopReason>(in.get<std::uint64_t>());
        continue;
      }
      RankReport report;
      report.stopped = in.get<std::uint8_t>() != 0;
      report.signalled = in.get<std::uint8_t>() != 0;
      report.progress = decode_progress(in.get_all<std::byte>());
      reports_[static_cast<std::size_t>(message->peer)] = std::move(report);
      heard_ = true;
    }
  }

  void decide() {
    if (!heard_ || Clock::now() - last_look_ < look_every) return;
    heard_ = false;
    last_look_ = Clock::now();
    std::optional<Progress> sum;
    bool all_stopped = true;
    bool all_told = true;
    bool signalled = false;
    for (const auto& report : reports_) {
      all_stopped = all_stopped && report && report->stopped;
      all_told = all_told && report;
      if (!report) continue;
      signalled = signalled || report->signalled;
      if (sum) {
        add(*sum, report->progress);
      } else {
        sum = report->progress;
      }
    }
    // A rank that failed has stopped before its time: the others are not to go on alone.
    const bool failed = std::any_of(reports_.begin(), reports_.end(), [&](const auto& report) {
      return report && report->stopped && report->progress.generation < last_generation_;
    });
    const StopReason own = control_.own_reason();
    if (failed) {
      decide_on(StopReason::none);
    } else if (all_stopped) {
      decide_on(StopReason::finished);
    } else if (own != StopReason::none) {
      decide_on(own);
    } else if (signalled) {
      decide_on(StopReason::signal);
    } else if (all_told && control_.checkpoint_due(sum->generation)) {
      decide_on(StopReason::none);
    } else if (all_told) {
      control_.show(*sum);
    }
  }

  void decide_on(StopReason reason) {
    decided_ = true;
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      communicator_.post(Channel::control, {rank, encode(reason)});
    }
  }

  Archipelago& archipelago_;
  Communicator& communicator_;
  std::uint32_t last_generation_;
  const RankDuties& duties_;
  const AsynchronousPhaseControl& control_;
  std::vector<std::optional<RankReport>> reports_;  // [rank], the last; of rank 0
  RankReport told_;
  std::optional<Clock::time_point> last_told_;
  bool heard_ = false;
  Clock::time_point last_look_ = Clock::now();
  bool decided_ = false;
  std::optional<StopReason> stop_for_;
};

}  // namespace

void announce_migration(const Experiment& experiment, const Report& report) {
  if (experiment.migration == Migration::synchronous) return;
  report(Severity::warning,
         "asynchronous migration: islands do not wait for each other, and what they find depends "
         "on their pace; another run finds other rules");
}

PhaseEnd asynchronous_phase(Archipelago& archipelago, Communicator& communicator,
                            std::uint32_t last_generation, const RankDuties& duties,
                            const AsynchronousPhaseControl& control) {
  archipelago.start(last_generation);
  PhaseEnd end;
  end.reason = AsynchronousPhase(archipelago, communicator, last_generation, duties, control).run();
  end.told = Clock::now();
  on_all(communicator, [&] { archipelago.stop(); });
  communicator.drain(Channel::control);
  archipelago.drain();
  return end;
}

}  // namespace atl
