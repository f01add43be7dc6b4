#include "src/run/pace/looks.hpp"

#include <thread>
#include <utility>

#include "src/core/agreement.hpp"
#include "src/core/stopwatch.hpp"
#include "src/run/pace/job_progress.hpp"

namespace atl {
namespace {

/// Sums votes as Communicator::begin_sum and poll_sum do.
void begin_sum(const JobVotes& own, Communicator& communicator) {
  communicator.begin_sum({own.failed, own.signalled, own.reason, own.checkpoint, own.next_look});
}
std::optional<JobVotes> poll_sum(Communicator& communicator) {
  const auto sums = communicator.poll_sum();
  if (!sums) return std::nullopt;
  return JobVotes{(*sums)[0], (*sums)[1], (*sums)[2], (*sums)[3], (*sums)[4]};
}

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds between_polls(50);
constexpr std::chrono::milliseconds between_reports(500);

}  // namespace

Looks::Looks(Archipelago& archipelago, Communicator& communicator, std::function<void()> poll)
    : archipelago_(archipelago),
      communicator_(communicator),
      poll_(std::move(poll)),
      heard_(static_cast<std::size_t>(communicator.size())),
      last_report_(Clock::now()) {}

JobVotes Looks::look(const Steps& steps) {
  const std::uint32_t now = archipelago_.generation();
  JobVotes decided;
  decided.next_look = std::uint64_t{now} + 1;
  if (communicator_.size() == 1) {
    decided = steps.vote(now);
  } else if (std::exchange(voted_, false)) {
    const Stopwatch watch(waited_);
    std::optional<JobVotes> sum;
    while (!(sum = poll_sum(communicator_))) {
      poll();
      std::this_thread::sleep_for(between_polls);
    }
    decided = *sum;
  }
  if (decided.failed != 0 || steps.ends(decided)) return decided;
  attempt(Work::duties, [&] { steps.act(decided); });
  if (communicator_.size() == 1) return decided;
  JobVotes votes;
  attempt(Work::duties, [&] { votes = steps.vote(static_cast<std::uint32_t>(decided.next_look)); });
  votes.failed = broken() ? 1 : 0;
  begin_sum(votes, communicator_);
  voted_ = true;
  return decided;
}

void Looks::go_on(std::uint32_t last) {
  attempt(Work::islands, [&] {
    archipelago_.start(last);
    while (!archipelago_.stopped()) {
      poll();
      if (broken()) archipelago_.request_stop();
      archipelago_.wait();
    }
    archipelago_.stop();
  });
}

void Looks::attempt(Work work, const std::function<void()>& action) {
  if (!broken()) guard(work, action);
}

void Looks::guard(Work work, const std::function<void()>& action) {
  try {
    action();
  } catch (...) {
    if (communicator_.size() == 1) throw;
    keep_failure(work);
  }
}

void Looks::keep_failure(Work work) {
  if (broken()) return;
  failure_ = std::current_exception();
  failed_work_ = work;
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    if (rank != communicator_.rank()) communicator_.post(Channel::control, {rank, {}});
  }
}

void Looks::end() {
  communicator_.drain(Channel::control);
  std::uint64_t failed = broken() ? 1 : 0;
  communicator_.all_reduce_sum({&failed, 1});
  if (failed == 0) return;
  // Nobody will ask for what is on its way, and MPI would wait for it at the end.
  communicator_.drain(Channel::migration);
  const bool of_root = failed_work_ == Work::duties && communicator_.rank() == 0;
  on_all(communicator_, [&] {
    if (failure_ && !of_root) std::rethrow_exception(failure_);
  });
  on_root(communicator_, [&] {
    if (failure_) std::rethrow_exception(failure_);
  });
}

// Others may wait for what this rank does there, even if it has failed.
void Looks::poll() {
  guard(Work::islands, [&] { archipelago_.poll(); });
  listen();
  guard(Work::duties, poll_);
}

// An empty message tells of a failure.
void Looks::listen() {
  while (const auto message = communicator_.poll(Channel::control)) {
    if (message->bytes.empty()) {
      told_of_failure_ = true;
    } else {
      heard_[static_cast<std::size_t>(message->peer)] = decode_progress(message->bytes);
    }
  }
}

Progress Looks::own_progress() const {
  Progress own = archipelago_.progress();
  own.times.idle += waited_;
  return own;
}

void Looks::report(const Progress& own) {
  if (communicator_.rank() == 0 || Clock::now() - last_report_ < between_reports) return;
  if (communicator_.unsent(0) > 8) return;  // rank 0 stands still
  last_report_ = Clock::now();
  communicator_.post(Channel::control, {0, encode(own)});
}

std::optional<Progress> Looks::heard(const Progress& own) const {
  Progress sum = own;
  for (std::size_t rank = 1; rank < heard_.size(); ++rank) {
    if (!heard_[rank]) return std::nullopt;
    add(sum, *heard_[rank]);
  }
  return sum;
}

}  // namespace atl
