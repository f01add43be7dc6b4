// A search for itemsets on many threads whose text has the order that it has on one.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

namespace atl {

/// Ends a search that somebody stopped.
struct SearchStopped {};

/// Of a search that was stopped: what it has left at one place, and the text that it has made of
/// sets behind that.
struct SearchRest {
  std::vector<SearchRange> left;
  std::string text;
};

/// Runs the branches of a search. A thread that has nothing to do asks one that searches for the
/// second half of its outermost loop, so branches stand in the order of their sets. The first
/// branch that is not finished writes through; the text of others is kept, until they have too
/// much of it. A thread that waits for this reason runs branches before its own meanwhile.
class SharedSearch {
 public:
  using Write = std::function<void(std::string_view)>;
  /// What one thread searches with at a time.
  class Searcher {
   public:
    virtual ~Searcher() = default;
    /// Has written all of the branch's text when it returns, or when it throws SearchStopped, as
    /// the trail does.
    virtual void search(const Branch& branch) = 0;
    /// A far branch has come to its own sets.
    virtual void arrive() = 0;
  };
  /// @param trail  gives away branches of the search  @param write  takes its text
  using MakeSearcher = std::function<std::unique_ptr<Searcher>(SearchTrail& trail, Write write)>;

  /// Text that is kept of a branch, at most, and branches that a thread has begun, one inside the
  /// other. More text would leave the processor's cache, which takes longer than to search.
  static constexpr std::size_t most_text = std::size_t{1} << 20;
  static constexpr std::size_t most_seats = 6;

  /// @param make   is called by one thread at a time
  /// @param write  takes the text in pieces, in order, from one thread at a time; null: there is
  /// none
  SharedSearch(ThreadPool& pool, MakeSearcher make, Write write);
  ~SharedSearch();

  /// Blocking. Once.
  /// @param branches  in the order of their sets
  /// @return what is left in that order, if stop() has ended it; text before that is written
  /// @throws the first of what searchers and `write` throw
  std::vector<SearchRest> run(std::vector<Branch> branches);
  /// Ends run() soon. Any thread may call it, also before that runs.
  void stop();
  /// What was left a little while ago, as far as is known since the last call. Any thread may call
  /// it while run() runs, but not often, as it asks all searches.
  std::vector<SearchRange> look();

 private:
  enum class State { free, running, waiting, stopped, done };
  class Seat;
  struct Part {
    Branch branch;
    State state = State::free;
    Seat* seat = nullptr;  // of the thread that runs it
    std::vector<std::string> text{};
    std::size_t text_size = 0;
    std::vector<SearchRange> left{};  // when it was last asked, or where it was stopped
  };
  using Parts = std::list<Part>;
  using Lock = std::unique_lock<std::mutex>;
  void work(unsigned worker);
  Seat& seat(unsigned worker, std::size_t nesting);
  Parts::iterator first_free(Parts::iterator end);
  void run(Parts::iterator part, Seat& seat, Lock& lock);
  void finish(Parts::iterator part, Lock& lock);
  void ask(Parts::iterator end);
  void give(Seat& seat);
  void append(Seat& seat, std::string_view text);
  void add(Parts::iterator before, Branch branch);
  std::vector<SearchRest> rest();
  bool writes_through(Parts::iterator part) const;

  ThreadPool& pool_;
  MakeSearcher make_;
  Write write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Parts parts_;                     // in the order of their sets; those that are written are gone
  bool draining_ = false;           // a thread is writing the text of finished parts
  std::vector<std::string> spare_;  // what was written, for its memory
  std::exception_ptr error_;
  bool stopping_ = false;
  std::vector<std::vector<std::unique_ptr<Seat>>> seats_;  // [threads][nesting]
};

}  // namespace atl
