// The dense form of the transactions below a prefix: a bit column for each item.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"

namespace atl {

/// Memory that is taken and given back in reverse order, as a recursion does. Each piece begins at
/// a 64-byte boundary, is unset, and may be read up to 64 bytes beyond its end.
class WordStack {
 public:
  struct Mark {
    std::size_t block, used;
  };

  Mark mark() const noexcept { return {block_, used_}; }
  /// Gives back all that was taken since.
  void release(Mark mark) noexcept {
    block_ = mark.block;
    used_ = mark.used;
  }
  std::uint64_t* words(std::size_t count) {
    const std::size_t size = (count + 7) / 8 * 8 + 8;
    while (block_ < blocks_.size() && used_ + size > blocks_[block_].size()) next();
    if (block_ == blocks_.size()) {
      blocks_.push_back(AlignedWords::unset(std::max(size, block_words)));
    }
    std::uint64_t* const taken = blocks_[block_].data() + used_;
    used_ += size;
    return taken;
  }
  template <typename T>
  T* array(std::size_t count) {
    return reinterpret_cast<T*>(words((count * sizeof(T) + 7) / 8));
  }

 private:
  static constexpr std::size_t block_words = std::size_t{1} << 16;

  void next() noexcept {
    ++block_;
    used_ = 0;
  }

  std::vector<AlignedWords> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

/// Gives back at the end of a scope what was taken in it.
class StackScope {
 public:
  explicit StackScope(WordStack& stack) : stack_(stack), mark_(stack.mark()) {}
  ~StackScope() { stack_.release(mark_); }
  StackScope(const StackScope&) = delete;
  StackScope& operator=(const StackScope&) = delete;

 private:
  WordStack& stack_;
  WordStack::Mark mark_;
};

struct Branch;
struct RankedRows;

/// Item i's bits of 64 rows are words[r * stride + i]. Rows that are equal have been joined: those
/// of word r stand for 2^shifts[r] transactions each, and a row that stands for five is there
/// twice, for four and for one.
struct BitColumns {
  const std::uint64_t* words;     ///< [word_rows][stride], zero from `items` on
  std::size_t word_rows;          ///< words of a column
  std::size_t stride;             ///< a multiple of 8
  const std::uint8_t* shifts;     ///< [word_rows]
  std::size_t items;              ///< the most frequent first
  const std::uint32_t* supports;  ///< [items] all frequent
  const std::uint32_t* names;     ///< [items] what a sink calls them
};

inline std::size_t stride_of(std::size_t items) noexcept {
  return (items + 7) / 8 * 8;
}

struct Bits64 {
  alignas(64) std::uint64_t words[64];
};

/// Bit j of word i becomes bit i of word j. Runs the best code that the processor has (Highway).
void transpose(Bits64& bits);

/// The rows as columns. Supports and names stay those of the rows, which must outlive it.
BitColumns columns_of_rows(const RankedRows& rows, WordStack& stack);

/// The same columns with equal rows joined. @pre at most 64 items
class RowMerger {
 public:
  BitColumns merge(const BitColumns& columns, WordStack& stack);

 private:
  struct Slot {
    std::uint64_t row = 0;  ///< 0: free
    std::uint32_t weight = 0;
  };
  std::vector<Slot> table_;
  std::vector<std::uint32_t> used_;
};

/// Working memory of the search in columns.
struct ColumnMemory {
  WordStack stack;
  RowMerger merger;
};

/// Entries that find_frequent() may write too many.
inline constexpr std::size_t frequent_slack = 16;

/// Finds the counts that are at least `min_count`, ascending. Runs the best code that the processor
/// has.
/// @param ranks  [counts + frequent_slack]
/// @return how many there are
std::size_t find_frequent(std::span<const std::uint32_t> counts, std::uint64_t min_count,
                          std::uint32_t* ranks);

/// All frequent sets that the prefix, itself apart, grows to by items of the columns. Runs the best
/// code that the processor has (Highway).
/// @pre no item of the columns is a perfect extension of the prefix, unless sets are listed
void mine_columns(const BitColumns& columns, const Prefix& prefix, const ItemsetLimits& limits,
                  ColumnMemory& memory, CountedItemsets& output);
void mine_columns(const BitColumns& columns, const Prefix& prefix, const ItemsetLimits& limits,
                  ColumnMemory& memory, ListedItemsets& output);

/// The same of a branch whose node has columns.
void mine_columns(const Branch& branch, const ItemsetLimits& limits, ColumnMemory& memory,
                  CountedItemsets& output);
void mine_columns(const Branch& branch, const ItemsetLimits& limits, ColumnMemory& memory,
                  ListedItemsets& output);

}  // namespace atl
