#include "src/exhaustive/itemsets/shared_search.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace atl {

/// One search of a thread, which may have others inside it.
class SharedSearch::Seat final : public SearchTrail {
 public:
  Seat(SharedSearch& search, unsigned worker, std::size_t nesting)
      : search_(search),
        worker(worker),
        nesting(nesting),
        searcher(
            search.make_(*this, [this](std::string_view text) { search_.append(*this, text); })) {}

  void give() override { search_.give(*this); }
  using SearchTrail::ask;
  using SearchTrail::split;

 private:
  void arrive(OpenLoop&) override { searcher->arrive(); }

  SharedSearch& search_;

 public:
  const unsigned worker;
  const std::size_t nesting;
  const std::unique_ptr<Searcher> searcher;
  Parts::iterator part{};  // that it runs
  // It was asked for these.
  bool is_to_give = false;
  bool is_to_tell = false;
};

SharedSearch::SharedSearch(ThreadPool& pool, MakeSearcher make, Write write)
    : pool_(pool), make_(std::move(make)), write_(std::move(write)), seats_(pool.threads()) {}

SharedSearch::~SharedSearch() = default;

std::vector<SearchRest> SharedSearch::run(std::vector<Branch> branches) {
  {
    const std::scoped_lock lock(mutex_);  // stop() and look() may come at any time
    for (Branch& branch : branches) add(parts_.end(), std::move(branch));
  }
  pool_.wait(pool_.submit(pool_.threads(), [this](std::size_t, unsigned worker) { work(worker); }));
  if (error_) std::rethrow_exception(error_);
  return rest();
}

void SharedSearch::add(Parts::iterator before, Branch branch) {
  const auto part = parts_.insert(before, {std::move(branch)});
  part->left = {range_of(part->branch)};
}

std::vector<SearchRange> SharedSearch::look() {
  const std::scoped_lock lock(mutex_);
  std::vector<SearchRange> left;
  for (Part& part : parts_) {
    if (part.state != State::done) left.insert(left.end(), part.left.begin(), part.left.end());
    if (part.seat == nullptr) continue;
    part.seat->is_to_tell = true;
    part.seat->ask(true);
  }
  return left;
}

std::vector<SearchRest> SharedSearch::rest() {
  Parts parts;
  {
    const std::scoped_lock lock(mutex_);
    parts.swap(parts_);
  }
  std::vector<SearchRest> rest;
  for (Part& part : parts) {
    for (const std::string& text : part.text) {
      if (rest.empty()) {
        write_(text);
      } else {
        rest.back().text += text;
      }
    }
    if (part.state == State::done) continue;
    if (part.left.empty()) continue;
    if (rest.empty() || !rest.back().text.empty()) rest.emplace_back();
    std::ranges::move(part.left, std::back_inserter(rest.back().left));
  }
  return rest;
}

void SharedSearch::stop() {
  const std::scoped_lock lock(mutex_);
  stopping_ = true;
  for (const Part& part : parts_) {
    if (part.seat != nullptr) part.seat->ask(true);
  }
  changed_.notify_all();
}

void SharedSearch::work(unsigned worker) {
  Lock lock(mutex_);
  try {
    while (!error_ && !stopping_ && !parts_.empty()) {
      if (const auto part = first_free(parts_.end()); part != parts_.end()) {
        run(part, seat(worker, 0), lock);
      } else {
        ask(parts_.end());
        changed_.wait(lock);
      }
    }
  } catch (...) {  // no memory; others must not wait for this one
    if (!lock) lock.lock();
    if (!error_) error_ = std::current_exception();
    changed_.notify_all();
  }
}

SharedSearch::Seat& SharedSearch::seat(unsigned worker, std::size_t nesting) {
  auto& seats = seats_[worker];
  if (seats.size() == nesting) seats.push_back(std::make_unique<Seat>(*this, worker, nesting));
  return *seats[nesting];
}

/// @return `end` if there is none before it
SharedSearch::Parts::iterator SharedSearch::first_free(Parts::iterator end) {
  return std::find_if(parts_.begin(), end,
                      [](const Part& part) { return part.state == State::free; });
}

void SharedSearch::run(Parts::iterator part, Seat& seat, Lock& lock) {
  part->state = State::running;
  part->seat = &seat;
  seat.part = part;
  seat.is_to_give = seat.is_to_tell = false;
  seat.ask(false);
  lock.unlock();
  std::exception_ptr error;
  bool stopped = false;
  try {
    seat.begin(part->branch);
    seat.searcher->search(part->branch);
    seat.expect_arrived();
  } catch (const SearchStopped&) {  // if there is an error, it is known
    stopped = true;
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error && !error_) error_ = error;
  part->seat = nullptr;
  if (stopped) {
    part->state = State::stopped;
  } else if (!error_) {
    finish(part, lock);
  }
  changed_.notify_all();
}

void SharedSearch::finish(Parts::iterator part, Lock& lock) {
  part->state = State::done;
  part->branch = {};
  if (draining_) return;
  draining_ = true;
  while (!error_ && !parts_.empty() && parts_.front().state == State::done) {
    Part done = std::move(parts_.front());
    lock.unlock();
    std::exception_ptr error;
    try {
      for (const std::string& text : done.text) write_(text);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = error;
    std::ranges::move(done.text, std::back_inserter(spare_));
    parts_.pop_front();
  }
  draining_ = false;
}

/// Asks the first search before `end` that was not yet asked, since it is the one whose text is
/// waited for; or, where there is no text, the last, which has the rarest items and most to do.
void SharedSearch::ask(Parts::iterator end) {
  const auto can_be_asked = [](const Part& part) {
    return part.state == State::running && !part.seat->is_to_give;
  };
  const auto ask = [](Part& part) {
    part.seat->is_to_give = true;
    part.seat->ask(true);
  };
  if (write_) {
    const auto part = std::find_if(parts_.begin(), end, can_be_asked);
    if (part != end) ask(*part);
  } else {
    const auto part = std::find_if(parts_.rbegin(), parts_.rend(), can_be_asked);
    if (part != parts_.rend()) ask(*part);
  }
}

void SharedSearch::give(Seat& seat) {
  Lock lock(mutex_);
  if (!error_ && !stopping_ && seat.is_to_give) {
    lock.unlock();
    Branch branch = seat.split(static_cast<bool>(write_));
    lock.lock();
    if (branch.node) {
      add(std::next(seat.part), std::move(branch));
      changed_.notify_all();
      seat.is_to_give = false;
      seat.is_to_tell = true;
    }
  }
  if (error_) throw SearchStopped();
  if (seat.is_to_tell || stopping_) seat.part->left = seat.left();
  if (stopping_) throw SearchStopped();
  seat.is_to_tell = false;
  seat.ask(seat.is_to_give);
}

bool SharedSearch::writes_through(Parts::iterator part) const {
  return part == parts_.begin() && !draining_;
}

void SharedSearch::append(Seat& seat, std::string_view text) {
  const auto part = seat.part;
  Lock lock(mutex_);
  part->state = State::waiting;
  while (!error_ && !stopping_ && !writes_through(part) &&
         part->text_size + text.size() > most_text) {
    const auto before = seat.nesting + 1 < most_seats ? first_free(part) : part;
    if (before != part) {
      run(before, this->seat(seat.worker, seat.nesting + 1), lock);
    } else {
      if (seat.nesting + 1 < most_seats) ask(part);
      changed_.wait(lock);
    }
  }
  if (error_) throw SearchStopped();
  part->state = State::running;
  if (!writes_through(part)) {
    if (spare_.empty()) spare_.emplace_back();
    part->text.push_back(std::move(spare_.back()));
    spare_.pop_back();
    part->text.back().assign(text);
    part->text_size += text.size();
    return;
  }
  std::vector<std::string> earlier = std::exchange(part->text, {});
  lock.unlock();
  for (const std::string& piece : earlier) write_(piece);
  write_(text);
  if (earlier.empty()) return;
  lock.lock();
  std::ranges::move(earlier, std::back_inserter(spare_));
}

}  // namespace atl
