#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/work/task.hpp"
#include "src/work/text_spool.hpp"
#include "src/work/write_text.hpp"

namespace atl {

/// What one rank works on at a time: pieces that follow each other.
struct PieceRun {
  std::uint64_t number = 0;
  std::vector<Piece> pieces;
};

/// All that a round has before it, in the order of its text: pieces that are left, runs that ranks
/// work on, and text that waits for what stands before it. The text of the first run goes to the
/// output at once.
class Ledger {
 public:
  /// A piece that is left, or text that waits.
  using Item = std::variant<Piece, SpooledText>;

  /// @param task   cuts pieces; outlives it, as the spool does
  Ledger(const Task& task, TextSpool& spool, WriteText output)
      : task_(task), traits_(task.traits()), spool_(spool), output_(std::move(output)) {}

  /// At the end.
  void add(Item item);

  /// A run for one of so many ranks, if pieces are left: one rank gets all up to the first text;
  /// more ranks a share of the least deep piece, and the deeper ones just before it.
  std::optional<PieceRun> take(int ranks);
  /// Any thread may. @throws what the spool and the output throw
  void append(std::uint64_t run, std::string_view text);
  /// @param rest  of the run, if it was stopped  @throws likewise
  void finish(std::uint64_t run, std::vector<Rest> rest);

  /// Is nothing left, and all text written?
  bool is_done() const noexcept { return entries_.empty(); }

  std::vector<Piece> pieces_left();

  /// Has all text in files that last. Pieces of runs that are worked on count as left, so their
  /// work must have written no text.
  /// @return what a checkpoint holds, valid as long as nothing changes
  std::vector<const Item*> sync();

 private:
  struct Entry {
    Item item;                  // of a run its text
    std::uint64_t run = 0;      // 0: none
    std::uint32_t depth = 0;    // of a piece
    std::vector<Item> parts{};  // pieces of the run
    bool is_left() const noexcept { return std::holds_alternative<Piece>(item); }
  };
  using Entries = std::list<Entry>;

  Entry entry_of(Piece piece) const;
  Entries::iterator least_deep();
  void cut(Entries::iterator entry, int ranks);
  void advance();

  const Task& task_;
  const PieceTraits traits_;
  TextSpool& spool_;
  WriteText output_;
  std::mutex mutex_;
  Entries entries_;
  std::map<std::uint64_t, Entries::iterator> runs_;
  std::uint64_t last_run_ = 0;
};

}  // namespace atl
