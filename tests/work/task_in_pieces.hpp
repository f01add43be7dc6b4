// Runs a task as its frame may: in pieces, in any order, stopped now and then, gone on with anew.
#pragma once

#include <chrono>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "src/core/communicator.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/random.hpp"
#include "src/core/thread_pool.hpp"
#include "src/work/task.hpp"

namespace atl::test {

using MakeTask = std::function<std::unique_ptr<Task>()>;

class TaskInPieces {
 public:
  TaskInPieces(MakeTask make, std::uint64_t seed, unsigned threads)
      : make_(std::move(make)), draw_({seed, 0, 0, 0, Purpose::test}), pool_(threads) {}

  struct Result {
    std::string text, line;
  };

  Result run() {
    make_anew();
    std::optional<Bytes> news = task_->first();
    std::string text;
    for (std::uint32_t round = 0; news; ++round) {
      task_->begin(round, *news);
      for (Piece& piece : task_->pieces(1 + static_cast<int>(draw_.below(4)))) {
        entries_.emplace_back(std::move(piece));
      }
      while (true) {
        const auto entry = any_piece();
        if (entry == entries_.end()) break;
        work_at(entry);
        if (draw_.below(3) == 0) go_on_anew(round, *news);
      }
      for (const auto& written : entries_) text += std::get<std::string>(written);
      entries_.clear();
      news = task_->next();
    }
    std::string line = task_->finish([&](std::string_view more) { text += more; });
    return {std::move(text), std::move(line)};
  }
  Task& task() { return *task_; }  ///< the last of them

 private:
  using Entries = std::list<std::variant<Piece, std::string>>;

  void make_anew() {
    task_ = make_();
    task_->prepare(worker_);
  }

  Entries::iterator any_piece() {
    std::vector<Entries::iterator> pieces;
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (std::holds_alternative<Piece>(*entry)) pieces.push_back(entry);
    }
    return pieces.empty() ? entries_.end() : pieces[draw_.below(pieces.size())];
  }

  void work_at(Entries::iterator entry) {
    Piece piece = std::get<Piece>(*entry);
    task_->expect(piece);
    std::vector<Piece> cuts = task_->split(piece, 1 + static_cast<int>(draw_.below(4)));
    if (!cuts.empty()) piece = cuts.front();
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      entries_.insert(std::next(entry), std::move(cuts[k]));
    }
    std::string text;
    std::stop_source stop;
    const auto soon = std::chrono::microseconds(draw_.below(300));
    std::jthread stopper;
    if (draw_.below(2) == 0) {
      stopper = std::jthread([&] {
        std::this_thread::sleep_for(soon);
        stop.request_stop();
      });
    }
    std::vector<Piece> pieces{piece};
    while (draw_.below(2) == 0) {  // and some of those that follow
      const auto next = std::next(entry);
      if (next == entries_.end() || !std::holds_alternative<Piece>(*next)) break;
      pieces.push_back(std::move(std::get<Piece>(*next)));
      entries_.erase(next);
    }
    Done done = task_->work(
        pieces, [&](std::string_view more) { text += more; }, worker_, stop.get_token());
    const auto next = std::next(entry);
    *entry = std::move(text);
    for (Rest& rest : done.rest) {
      for (Piece& left : rest.left) entries_.insert(next, std::move(left));
      entries_.insert(next, std::move(rest.text));
    }
    task_->merge(done.found);
  }

  void go_on_anew(std::uint32_t round, const Bytes& news) {
    ByteWriter out;
    task_->save(out);
    make_anew();
    ByteReader in(out.bytes());
    task_->load(in);
    in.expect_end();
    task_->begin(round, news);
  }

  MakeTask make_;
  RandomStream draw_;
  ThreadPool pool_;
  LocalCommunicator alone_;
  MemoryLimit memory_{std::uint64_t{1} << 40};
  Report report_ = [](Severity, const std::string&) {};
  Worker worker_{alone_, pool_, memory_, report_};
  std::unique_ptr<Task> task_;
  Entries entries_;
};

}  // namespace atl::test
