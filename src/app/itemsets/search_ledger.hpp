#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "src/app/itemsets/text_spool.hpp"
#include "src/exhaustive/itemsets/shared_search.hpp"

namespace atl {

/// What one rank searches at a time: parts that follow each other.
struct SearchRun {
  std::uint64_t number = 0;
  std::vector<SearchRange> parts;
};

/// All that a search has before it, in the order of its sets: parts that are left, runs that ranks
/// work on, and text that waits for what stands before it. The text of the first run goes to the
/// output at once.
class SearchLedger {
 public:
  using Write = std::function<void(std::string_view)>;
  using Piece = std::variant<SearchRange, SpooledText>;

  /// @param spool  must outlive it
  SearchLedger(TextSpool& spool, Write output) : spool_(spool), output_(std::move(output)) {}

  /// At the end.
  void add(Piece piece) { entries_.push_back({std::move(piece), 0}); }

  /// A run for one of so many ranks, if parts are left: one rank gets all up to the first text,
  /// more ranks a share of the part that is likely the largest, as it is in the outermost loop,
  /// and what is left inside it.
  std::optional<SearchRun> take(int ranks);
  /// Any thread may. @throws what the spool and the output throw
  void append(std::uint64_t run, std::string_view text);
  /// @param rest  of the run, if it was stopped  @throws likewise
  void finish(std::uint64_t run, std::vector<SearchRest> rest);

  /// Is nothing left, and all text written?
  bool is_done() const noexcept { return entries_.empty(); }

  /// Items of the outermost loop that parts left have, in whole or in part.
  std::uint64_t items_left();

  /// Has all text in files that last. Parts of runs that are worked on count as left, so sets that
  /// are listed must not be worked on.
  /// @return the pieces, valid as long as nothing changes
  std::vector<const Piece*> sync();

 private:
  struct Entry {
    Piece piece;                 // of a run its text
    std::uint64_t run;           // 0: none
    std::vector<Piece> parts{};  // of the run
    bool is_left() const noexcept { return std::holds_alternative<SearchRange>(piece); }
  };
  using Entries = std::list<Entry>;

  Entries::iterator largest_left();
  void cut(Entries::iterator entry, int ranks);
  void advance();

  TextSpool& spool_;
  Write output_;
  std::mutex mutex_;
  Entries entries_;
  std::map<std::uint64_t, Entries::iterator> runs_;
  std::uint64_t last_run_ = 0;
};

}  // namespace atl
