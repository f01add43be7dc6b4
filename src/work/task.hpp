// Work in pieces that ranks share, that can be stopped and gone on with (run_task.hpp runs it).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/work/write_text.hpp"

namespace atl {

/// Names a part of a round's work, in words that hold in any process. Opaque to all but its task.
using Piece = Bytes;

/// A stopped run's leftovers at one place: pieces, and the text that it has made of what comes
/// behind them.
struct Rest {
  std::vector<Piece> left;
  std::string text;
};

/// The outcome of a run of pieces: what was found, and, if it was told to stop, what is left.
struct Done {
  Bytes found;
  std::vector<Rest> rest;
};

/// What makes a task itself: another one cannot go on with its checkpoint.
struct Identity {
  struct Mark {
    std::string difference;  ///< said of a checkpoint that has another value: "other transactions"
    std::string value;
  };
  std::string task;           ///< its name, "itemsets"
  std::uint32_t version = 1;  ///< raised when pieces, findings or the order of text change
  std::vector<Mark> marks;    ///< data and options; in a fixed order
};

/// What a rank works with.
struct Worker {
  Communicator& ranks;  ///< for prepare() alone: other calls are not collective
  ThreadPool& pool;
  const MemoryLimit& memory;
  const Report& report;
};

/// What the frame has to know of the pieces of a task.
struct PieceTraits {
  /// "items": the unit of amount(), for progress.
  const char* unit = "pieces";
  /// work() that is told to stop soon gives back what it has left. Otherwise what it is at counts
  /// as left in a checkpoint, it goes on meanwhile, and is cut off only when the job stops; such
  /// work writes no text.
  bool pauses = true;
  /// Pieces are handed out one by one; otherwise one rank alone gets all that are left at once.
  bool one_by_one = false;
  /// Rank 0 works alone, and merges what it finds as it works.
  bool root_alone = false;
  /// is_answered() may be true.
  bool may_be_answered = false;
};

/// One object on each rank. Rounds follow each other; a round has news that all ranks must know,
/// and pieces that they share. Calls come from the main thread of a rank, but for work() and
/// amount_left(). Results must depend neither on who works on which piece nor on how often work
/// was stopped: findings of pieces come in any order, text has the order of pieces.
class Task {
 public:
  virtual ~Task() = default;

  virtual PieceTraits traits() const { return {}; }
  /// Reads and shares the data, opens the device. On every rank, first of all, also when a job goes
  /// on. Collective.
  virtual void prepare(Worker& worker) = 0;
  /// On the root, after prepare().
  virtual Identity identity() const = 0;

  // The root's side.

  /// News of the first round.
  virtual Bytes first() { return {}; }
  /// The pieces of the round that has begun, in the order of their text.
  /// @param ranks  that will share them: one alone can have all in one piece
  virtual std::vector<Piece> pieces(int ranks) = 0;
  /// Throws BadBytes if no checkpoint of this task in this round can have such a piece.
  virtual void expect(const Piece& piece) const = 0;
  /// Cuts a piece, a rank's share of it first, in the order of the text. None if it is not cut.
  virtual std::vector<Piece> split(const Piece&, int /*ranks*/) const { return {}; }
  /// How many loops a piece is inside of: the least deep are likely the largest and handed out
  /// first, and with one the deeper ones just before it.
  virtual std::uint32_t depth(const Piece&) const { return 0; }
  /// Work in pieces, in the order of their text; for progress.
  virtual std::uint64_t amount(const std::vector<Piece>& pieces) const { return pieces.size(); }
  /// @throws BadBytes
  virtual void merge(std::span<const std::byte> found) = 0;
  /// News of the next round once all pieces of this one are merged; none: all is done.
  virtual std::optional<Bytes> next() { return std::nullopt; }
  /// All that was merged, beside the news of the round at hand.
  virtual void save(ByteWriter& out) = 0;
  /// Replaces all that was merged. @throws BadBytes
  virtual void load(ByteReader& in) = 0;
  /// Asked now and then while pieces are worked on. True: an answer has come otherwise, and what
  /// is left is not needed any more. @param own_is_done  has this rank come to the end of its run?
  virtual bool is_answered(const std::function<bool()>& /*own_is_done*/) { return false; }
  /// Writes what follows the text of all pieces, and returns the line that tells what was done.
  virtual std::string finish(const WriteText& write) = 0;

  // Every rank's side.

  /// A round begins, or is gone on with; the root may be told twice. @throws BadBytes if no round
  /// can have such news
  virtual void begin(std::uint32_t /*round*/, std::span<const std::byte> /*news*/) {}
  /// Works on pieces that follow each other. Blocking, on a thread of its own and those of the
  /// pool. @throws what ends the job
  virtual Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
                    const std::stop_token& stop) = 0;
  /// Of work() that runs: about how much is left. Any thread may ask, now and then.
  virtual std::optional<std::uint64_t> amount_left() { return std::nullopt; }
};

}  // namespace atl
