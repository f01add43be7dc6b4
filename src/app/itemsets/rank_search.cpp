#include "src/app/itemsets/rank_search.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "src/app/itemsets/search_messages.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

SearchFindings RankSearch::search(const SearchRun& run, const WriteText& write,
                                  const std::stop_token& stop) {
  return search_within(memory_, [&] {
    if (!lists_) return count(run, stop);
    SearchFindings findings;
    const auto make = [&](WriteText part) {
      return std::make_unique<io::ItemsetWriter>(transactions_.names(), std::move(part));
    };
    std::atomic<std::uint64_t> sets = 0;
    findings.rest = search_.list(run.parts, make, write, stop, sets);
    findings.sets = sets;
    return findings;
  });
}

/// A device counts parts of the outermost loop, as items have the same ranks for it.
SearchFindings RankSearch::count(const SearchRun& run, const std::stop_token& stop) {
  SearchFindings findings;
  const auto at_items = [](const SearchRange& part) { return part.way.empty() && part.end > 0; };
  if (!device_ || !std::ranges::all_of(run.parts, at_items)) {
    findings.rest = search_.count(run.parts, findings.tally, stop);
    return findings;
  }
  for (const SearchRange& part : run.parts) {
    device_->start_part(part.first, part.end);
    while (!device_->ready() && !stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    const bool done = device_->ready();
    device_->cancel();
    device_->finish();
    if (done) {
      ItemsetCounts counts = device_->read();
      findings.tally.add(counts.tally);
    } else if (findings.rest.empty()) {
      findings.rest = {{{part}, ""}};
    } else {
      findings.rest.back().left.push_back(part);
    }
  }
  return findings;
}

namespace {

/// Text on its way from the threads that search to the one that talks to rank 0.
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

/// The part that a rank other than 0 has in a search.
class Helper {
 public:
  Helper(RankSearch& search, Communicator& communicator, const std::function<int()>& signals)
      : search_(search), communicator_(communicator), signals_(signals) {}

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
      if (task_.is_busy()) {
        task_.is_done(beat);
      } else {
        std::this_thread::sleep_for(beat);
      }
    }
    if (error_) std::rethrow_exception(error_);
    return *status_;
  }

 private:
  static constexpr std::size_t most_unsent = 4;

  ByteWriter begin(SearchMessage kind) const {
    ByteWriter out;
    out.put(kind);
    out.put(run_.number);
    return out;
  }
  void post(ByteWriter out) { communicator_.post(search_channel, {0, std::move(out).take()}); }

  bool hear() {
    const auto message = communicator_.poll(search_channel);
    if (!message) return false;
    ByteReader in(message->bytes);
    switch (in.get<SearchMessage>()) {
      case SearchMessage::run:
        run_ = get_run(in);
        last_told_ = std::chrono::steady_clock::now();
        task_.start([this](const std::stop_token& stop) {
          return search_.search(
              run_, [&](std::string_view text) { queue_.push(text, stop); }, stop);
        });
        break;
      case SearchMessage::stop:
        task_.stop();
        break;
      case SearchMessage::end:
        status_ = in.get<ExitStatus>();
        break;
      default:
        throw InternalError("a rank was told what only rank 0 is");
    }
    return true;
  }

  void send_text() {
    if (communicator_.unsent(0) < most_unsent) post_text();
  }
  void post_text() {
    const std::string text = queue_.take();
    if (text.empty()) return;
    ByteWriter out = begin(SearchMessage::text);
    out.put_text(text);
    post(std::move(out));
  }

  void finish_run() {
    if (!task_.is_done()) return;
    SearchFindings findings = task_.take();
    post_text();
    ByteWriter out = begin(SearchMessage::found);
    put(out, findings);
    post(std::move(out));
  }

  /// Rank 0 then ends the search.
  void fail() {
    if (!error_) post(begin(SearchMessage::failed));
    error_ = std::current_exception();
    task_.stop();
  }

  void tell_progress() {
    if (!task_.is_busy() || seconds_since(last_told_) < 1) return;
    last_told_ = std::chrono::steady_clock::now();
    ByteWriter out = begin(SearchMessage::progress);
    const auto left = search_.items_left();
    if (!left) return;
    out.put(*left);
    post(std::move(out));
  }

  void tell_signals() {
    if (told_ || signals_() == 0) return;
    told_ = true;
    post(begin(SearchMessage::signal));
  }

  RankSearch& search_;
  Communicator& communicator_;
  const std::function<int()>& signals_;
  SearchRun run_;
  TextQueue queue_;
  SearchTask task_;  // ends before what it uses
  std::exception_ptr error_;
  bool told_ = false;
  std::chrono::steady_clock::time_point last_told_;
  std::optional<ExitStatus> status_;
};

}  // namespace

ExitStatus help_search(RankSearch& search, Communicator& communicator,
                       const std::function<int()>& signals) {
  return Helper(search, communicator, signals).help();
}

}  // namespace atl
