#include "src/app/itemsets/search_lead.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "src/app/itemsets/search_messages.hpp"
#include "src/app/itemsets/search_output.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

namespace {

using Clock = std::chrono::steady_clock;

/// A rank is not asked to hand back what it has left before it has searched for so long: to find
/// the way to where it was takes another rank some time, too.
constexpr double least_run_seconds = 0.02;
/// Between looks at messages, and, of one rank alone, at what is due.
constexpr std::chrono::duration<double> beat(1e-3), beat_alone(5e-3);

class Lead {
 public:
  Lead(RankSearch& search, SearchLedger& ledger, FoundSets& found, const LeadSteps& steps,
       Communicator& communicator)
      : search_(search),
        ledger_(ledger),
        found_(found),
        steps_(steps),
        communicator_(communicator),
        ranks_(static_cast<std::size_t>(communicator.size())) {}

  ExitStatus lead() {
    std::optional<ExitStatus> status;
    while (!status) {
      bool heard = false;
      try {
        heard = hear();
        heard = finish_own() || heard;
        status = step();
      } catch (...) {
        if (!error_) error_ = std::current_exception();
        ending_ = true;
      }
      if (!heard && !status) pause();
    }
    for (int rank = 1; rank < communicator_.size(); ++rank) {
      ByteWriter out;
      out.put(SearchMessage::end);
      out.put(*status);
      communicator_.post(search_channel, {rank, std::move(out).take()});
    }
    if (error_) std::rethrow_exception(error_);
    return *status;
  }

 private:
  struct Rank {
    std::uint64_t run = 0;  ///< 0: none
    Clock::time_point begun;
    bool told_to_stop = false;
    std::uint64_t items_left = 0;  ///< as it has told
  };

  std::optional<std::uint64_t> items_left() {
    if (ranks_[0].run != 0 && !search_.has_device()) {
      const auto own = search_.items_left();
      if (!own) return std::nullopt;
      ranks_[0].items_left = *own;
    }
    std::uint64_t left = ledger_.items_left();
    for (const Rank& rank : ranks_) left += rank.run != 0 ? rank.items_left : 0;
    return left;
  }

  void hear_one(const Message& message) {
    ByteReader in(message.bytes);
    Rank& rank = ranks_[static_cast<std::size_t>(message.peer)];
    const auto kind = in.get<SearchMessage>();
    const auto run = in.get<std::uint64_t>();
    switch (kind) {
      case SearchMessage::text:
        if (!ending_) ledger_.append(run, in.get_text());
        break;
      case SearchMessage::found:
        rank.run = 0;
        if (!ending_) take(run, get_findings(in));
        break;
      case SearchMessage::failed:
        rank.run = 0;
        ending_ = true;
        break;
      case SearchMessage::progress:
        if (run == rank.run) rank.items_left = in.get<std::uint64_t>();
        break;
      case SearchMessage::signal:
        signalled_ = true;
        break;
      default:
        throw InternalError("rank 0 was told what only others are");
    }
  }

  bool hear() {
    bool heard = false;
    while (const auto message = communicator_.poll(search_channel)) {
      hear_one(*message);
      heard = true;
    }
    return heard;
  }

  bool finish_own() {
    if (!task_.is_done()) return false;
    const std::uint64_t run = std::exchange(ranks_[0].run, 0);
    SearchFindings findings = task_.take();
    if (!ending_) take(run, std::move(findings));
    return true;
  }

  void take(std::uint64_t run, SearchFindings findings) {
    found_.tally.add(findings.tally);
    found_.sets += findings.sets;
    ledger_.finish(run, std::move(findings.rest));
  }

  bool nobody_searches() const {
    return std::ranges::all_of(ranks_, [](const Rank& rank) { return rank.run == 0; });
  }

  /// @return the status, once the search is over
  std::optional<ExitStatus> step() {
    if (!ending_ && ledger_.is_done()) return ExitStatus::done;
    if (due_ == Due::nothing && !ending_) {
      due_ = steps_.due(
          {signalled_, [this] { return task_.is_done(); }, [this] { return items_left(); }});
    }
    if (due_ == Due::end) ending_ = true;
    if (due_ == Due::nothing && !ending_) {
      hand_out();
      return std::nullopt;
    }
    // What devices are at is saved as left: to wait for it may take long, to cut it off loses it.
    if (due_ != Due::checkpoint || ending_ || !search_.has_device()) {
      stop_all();
      if (!nobody_searches()) return std::nullopt;
    }
    if (ending_) return ExitStatus::done;
    if (ledger_.is_done()) return ExitStatus::done;
    const bool stops = due_ == Due::stop;
    due_ = Due::nothing;
    steps_.save();
    return stops ? std::optional(ExitStatus::stopped) : std::nullopt;
  }

  void hand_out() {
    std::size_t idle = 0, stopping = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].run == 0) {
        if (auto run = ledger_.take(communicator_.size())) {
          start(rank, std::move(*run));
        } else {
          ++idle;
        }
      }
      stopping += ranks_[rank].told_to_stop && ranks_[rank].run != 0 ? 1 : 0;
    }
    if (search_.has_device()) return;
    for (; stopping < idle; ++stopping) {
      if (!stop_longest()) return;
    }
  }

  void start(std::size_t number, SearchRun run) {
    ranks_[number] = {run.number, Clock::now(), false, outermost_items(run.parts)};
    if (number == 0) {
      const bool stops = steps_.may_stop || communicator_.size() > 1;
      task_.start([this, stops, run = std::move(run)](const std::stop_token& stop) {
        const auto write = [&](std::string_view text) { ledger_.append(run.number, text); };
        return search_.search(run, write, stops ? stop : std::stop_token());
      });
      return;
    }
    ByteWriter out;
    out.put(SearchMessage::run);
    put(out, run);
    communicator_.post(search_channel, {static_cast<int>(number), std::move(out).take()});
  }

  void stop(std::size_t number) {
    Rank& rank = ranks_[number];
    if (rank.run == 0 || rank.told_to_stop) return;
    rank.told_to_stop = true;
    if (number == 0) return task_.stop();
    ByteWriter out;
    out.put(SearchMessage::stop);
    communicator_.post(search_channel, {static_cast<int>(number), std::move(out).take()});
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
    const auto wait = communicator_.size() == 1 ? beat_alone : beat;
    if (task_.is_busy()) {
      task_.is_done(wait);
    } else {
      std::this_thread::sleep_for(wait);
    }
  }

  RankSearch& search_;
  SearchLedger& ledger_;
  FoundSets& found_;
  const LeadSteps& steps_;
  Communicator& communicator_;
  std::vector<Rank> ranks_;
  Due due_ = Due::nothing;
  bool ending_ = false;     // what is found counts no more
  bool signalled_ = false;  // another rank
  std::exception_ptr error_;
  SearchTask task_;  // ends before what it uses
};

}  // namespace

ExitStatus lead_search(RankSearch& search, SearchLedger& ledger, FoundSets& found,
                       const LeadSteps& steps, Communicator& communicator) {
  return Lead(search, ledger, found, steps, communicator).lead();
}

}  // namespace atl
