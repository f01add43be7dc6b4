#include "src/exhaustive/uncertain/cover_path.hpp"

#include <algorithm>
#include <bit>

#include "src/exhaustive/uncertain/masked_sums.hpp"

namespace atl {
namespace {

/// The words of a block of transactions: where it begins in a column, and whether the transactions
/// are certain.
struct Block {
  std::size_t first;
  bool certain;
};

/// Adds up transactions, those of one block after the other.
class Adder {
 public:
  Adder(const RowMoments& moments, CoverSums& sums) : moments_(moments), sums_(sums) {}

  void add(const Block& block, std::size_t w, std::uint64_t word) {
    if (block.certain) {
      sums_.certain += static_cast<std::uint32_t>(std::popcount(word));
    } else {
      const std::size_t row = (block.first + w) * 64;
      add_masked(word, moments_.means.data() + row, moments_.variances.data() + row, of_block_);
    }
  }
  void end_block() {
    sums_.mean.add(of_block_.mean);
    sums_.variance.add(of_block_.variance);
    of_block_ = {};
  }

 private:
  const RowMoments& moments_;
  CoverSums& sums_;
  FixedMoments of_block_;
};

/// Calls use(block, w, word, column's word) with each word of the rows that is not 0, and
/// end_block() behind each block.
template <typename Use, typename End>
void for_each_word(const RowBlocks& rows, const std::uint64_t* column, std::size_t certain_word,
                   const Use& use, const End& end_block) {
  for (std::size_t b = 0; b < rows.blocks(); ++b) {
    const std::size_t first = RowBlocks::block_words * rows.number(b);
    const Block block{first, first >= certain_word};
    for (std::size_t w = 0; w < RowBlocks::block_words; ++w) {
      const std::uint64_t word = rows.words(b)[w];
      if (word != 0) use(block, w, word, column[first + w]);
    }
    end_block();
  }
}

/// Of the rows that the column has, too.
CoverSums sum_common(const RowBlocks& rows, const std::uint64_t* column, std::uint32_t count,
                     std::size_t certain_word, const RowMoments& moments) {
  CoverSums sums;
  sums.rows = count;
  Adder adder(moments, sums);
  for_each_word(
      rows, column, certain_word,
      [&](const Block& block, std::size_t w, std::uint64_t word, std::uint64_t has) {
        if ((word & has) == 0) return;
        adder.add(block, w, word & has);
        if (!block.certain) sums.cover.add(block.first + w, word & has);
      },
      [&] { adder.end_block(); });
  return sums;
}

/// The same, from the sums of all rows.
CoverSums sum_without(const RowBlocks& rows, const CoverSums& all, const std::uint64_t* column,
                      std::uint32_t count, std::size_t certain_word, const RowMoments& moments) {
  CoverSums lost;
  CoverSums sums = all;
  Adder adder(moments, lost);
  for_each_word(
      rows, column, certain_word,
      [&](const Block& block, std::size_t w, std::uint64_t word, std::uint64_t has) {
        if ((word & ~has) == 0) return;
        adder.add(block, w, word & ~has);
        if (block.certain) return;
        sums.cover.subtract(block.first + w, word);
        sums.cover.add(block.first + w, word & has);
      },
      [&] { adder.end_block(); });
  sums.rows = count;
  sums.certain -= lost.certain;
  sums.mean.subtract(lost.mean);
  sums.variance.subtract(lost.variance);
  return sums;
}

/// @param all  sums of the rows
CoverSums sums_with(const RowBlocks& rows, const CoverSums& all, const std::uint64_t* column,
                    std::size_t certain_word, const RowMoments& moments) {
  std::uint32_t count = 0;
  rows.count_common(&column, 1, &count);
  if (count == all.rows) return all;
  return count > all.rows / 2 ? sum_without(rows, all, column, count, certain_word, moments)
                              : sum_common(rows, column, count, certain_word, moments);
}

}  // namespace

RowMoments::RowMoments(const UncertainColumns& columns) {
  for (const double p : columns.probabilities) {
    means.push_back(FixedSum::fixed(p));
    variances.push_back(FixedSum::fixed(p * (1 - p)));
  }
}

void CoverPath::set_prefix(std::span<const std::uint32_t> prefix, const UncertainColumns& columns,
                           const RowMoments& moments) {
  const ItemBitmaps& bitmaps = columns.bitmaps;
  const std::size_t same = rows_.set(prefix, bitmaps);
  sums_.resize(std::max(sums_.size(), prefix.size()));
  for (std::size_t i = same; i < prefix.size(); ++i) {
    const std::uint64_t* const column = bitmaps.column(prefix[i]);
    sums_[i] = i == 0
                   ? sum_common(rows_[0], column, bitmaps.supports[prefix[0]], columns.certain_word,
                                moments)
                   : sums_with(rows_[i - 1], sums_[i - 1], column, columns.certain_word, moments);
  }
}

CoverSums CoverPath::sum(std::span<const std::uint32_t> set, const UncertainColumns& columns,
                         const RowMoments& moments) {
  if (set.size() == 1) {
    set_prefix(set, columns, moments);
    return sums_[0];
  }
  set_prefix(set.first(set.size() - 1), columns, moments);
  return sums_with(rows_[set.size() - 2], sums_[set.size() - 2], columns.bitmaps.column(set.back()),
                   columns.certain_word, moments);
}

}  // namespace atl
