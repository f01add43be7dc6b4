// Parts of a search for itemsets that one thread hands to another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/exhaustive/itemsets/bit_columns.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl {

/// Places of the rows of each item.
struct RowIndex {
  struct Row {
    std::uint32_t start, weight;
  };
  std::vector<std::uint32_t> first;  ///< [ranks + 2] into `row`: those that have each item
  std::vector<Row> row;              ///< [entries]
  std::vector<std::uint32_t> end;    ///< [entries] of the same rows, if asked for

  void set(const RankedRows& rows, bool with_ends);
};

/// The transactions below a set, in one of the two forms. Not changed once it is shared.
struct SearchNode {
  RankedRows rows;
  RowIndex index;  ///< of `rows`
  WordStack memory;
  BitColumns columns{};  ///< in `memory`; words are null where `rows` is the form
};

/// A part of a search in words that hold in any process: the sets that grow from the items at the
/// places [first, end) of a loop. The loop is found by its way.
struct SearchRange {
  std::vector<std::uint32_t> way;  ///< places of the items at hand in the loops around it
  std::uint32_t first = 0, end = 0;

  /// Has it what comes before the first item of the outermost loop, too?
  bool begins() const noexcept { return way.empty() && first == 0; }
  friend bool operator==(const SearchRange&, const SearchRange&) = default;
};

/// Items of the outermost loop that parts have, in whole or in part.
/// @param parts  in the order of their sets
std::uint64_t outermost_items(const std::vector<SearchRange>& parts);

/// The sets that a prefix grows to by those of a node's items that are in [first, end), each of
/// them by the items before it.
struct Branch {
  std::vector<std::uint32_t> items;  ///< of the prefix, in the order in which they were added
  Prefix prefix;
  std::shared_ptr<const SearchNode> node;
  std::size_t first = 0, end = 0;
  bool with_prefix = false;  ///< it is itself a set to find

  /// The way to the loop over [first, end), as SearchRange has it.
  std::vector<std::uint32_t> way{};
  bool far = false;  ///< the node is that of the outermost loop, the way leads on from there
};

/// All of a branch that has not begun, as what is left.
SearchRange range_of(const Branch& branch);

/// A loop over the items of a node, while it runs. Its end may come nearer meanwhile.
struct OpenLoop {
  Prefix prefix;
  std::size_t next, end;                     ///< the item at hand is next - 1
  const RankedRows* rows = nullptr;          ///< of the node, or
  const BitColumns* columns = nullptr;       ///< its columns
  std::shared_ptr<const SearchNode> node{};  ///< where these are, if they can be shared
  bool with_ends = false;                    ///< an index of the rows tells their ends, too

  /// Names of perfect extensions that joined the set with the item at hand.
  const std::uint32_t* perfect = nullptr;
  std::size_t perfects = 0;

  std::uint32_t name() const noexcept {
    return (rows ? rows->names.data() : columns->names)[next - 1];
  }
};

/// The loop over the items of a branch, in the form that its node has.
OpenLoop loop_of(const Branch& branch);

/// The open loops of a search by one thread, from which others can get branches. All loops must be
/// opened, as their items are the prefixes of what is handed out. A search looks whether it was
/// asked for a branch after each item of a loop.
class SearchTrail {
 public:
  /// Nothing is handed out of loops over columns of fewer items, or rows of fewer entries.
  static constexpr std::size_t least_items = 12;
  static constexpr std::size_t least_entries = 1024;

  virtual ~SearchTrail() = default;
  bool asked() const noexcept { return asked_.load(std::memory_order_relaxed); }
  /// Hands out the second half of what the outermost loop has left, if any has.
  virtual void give() = 0;

  void begin(const Branch& branch);
  void open(OpenLoop& loop) {
    loops_.push_back(&loop);
    if (loops_.size() <= to_steer_) steer(loop);
  }
  void close() noexcept { loops_.pop_back(); }
  /// The ranges that the search has before it, in the order of the sets.
  std::vector<SearchRange> left() const;
  /// @throws BadBytes if the branch was far and its loop has not been found
  void expect_arrived() const;

 protected:
  /// A far branch has come to the loop that its way leads to. What was found before is not its own.
  virtual void arrive(OpenLoop&) {}
  /// Takes the branch that give() hands out from its loop; without a node if there is none. All
  /// of its sets come behind those that the search has before it now.
  Branch split(bool with_items);
  void ask(bool asked) noexcept { asked_.store(asked, std::memory_order_relaxed); }
  /// Has arrive() called for so many loops on the way to `target`.
  void steer_to(SearchRange target);

 private:
  void steer(OpenLoop& loop);
  std::vector<std::uint32_t> way_to(std::size_t loop) const;

  std::atomic<bool> asked_{false};
  std::vector<std::uint32_t> base_;  // items of the branch's prefix
  std::vector<std::uint32_t> way_;   // of the first loop
  SearchRange target_;               // of a far branch
  std::size_t to_steer_ = 0;         // loops on the way there, with the last
  std::vector<OpenLoop*> loops_;     // outermost first
};

/// The outermost loop of a search, as a branch to take parts from.
class RootTrail final : public SearchTrail {
 public:
  RootTrail() { steer_to({{}, 0, ~std::uint32_t{0}}); }
  void give() override {}
  /// Takes the branch; it has no node if the search has no loop.
  Branch take() { return std::move(root_); }

 private:
  void arrive(OpenLoop& loop) override;

  Branch root_;
};

/// Keeps a loop open on a trail, if there is one, as long as the scope lasts.
class OpenScope {
 public:
  OpenScope(SearchTrail* trail, OpenLoop& loop) : trail_(trail) {
    if (trail_ != nullptr) trail_->open(loop);
  }
  ~OpenScope() {
    if (trail_ != nullptr) trail_->close();
  }
  OpenScope(const OpenScope&) = delete;
  OpenScope& operator=(const OpenScope&) = delete;
  void give_if_asked() const {
    if (trail_ != nullptr && trail_->asked()) trail_->give();
  }

 private:
  SearchTrail* trail_;
};

/// Parts of a search for itemsets, and what was counted in them, as bytes.
Bytes encode(const SearchRange& range);
/// @throws BadBytes
SearchRange decode_range(std::span<const std::byte> bytes);

void put(ByteWriter& out, ItemsetTally& tally);
/// Adds to the tally. @param items  that there are: no set has more  @throws BadBytes
void get_tally(ByteReader& in, ItemsetTally& tally, std::uint64_t items);

}  // namespace atl
