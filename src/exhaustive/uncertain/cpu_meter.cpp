#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "src/exhaustive/levels/row_blocks.hpp"
#include "src/exhaustive/uncertain/masked_sums.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"
#include "src/exhaustive/uncertain/tails.hpp"

namespace atl {
namespace {

/// Sets that a thread takes at once: most of them share all items but the last.
constexpr std::size_t sets_of_task = 32;

class CpuMeter final : public SupportMeter {
 public:
  CpuMeter(const UncertainColumns& columns, ThreadPool& pool)
      : columns_(columns), pool_(pool), scratch_(pool.threads()) {
    for (const double p : columns.probabilities) {
      means_.push_back(FixedSum::fixed(p));
      variances_.push_back(FixedSum::fixed(p * (1 - p)));
    }
  }

  void sum(const RankedSets& sets, std::span<CoverSums> sums) override {
    const std::size_t tasks = (sets.size() + sets_of_task - 1) / sets_of_task;
    pool_.wait(pool_.submit(tasks, [&](std::size_t task, unsigned worker) {
      const std::size_t end = std::min(sets.size(), (task + 1) * sets_of_task);
      for (std::size_t s = task * sets_of_task; s < end; ++s) {
        sums[s] = sum_of(scratch_[worker].rows.of(sets[s], columns_.bitmaps));
      }
    }));
  }

  void find_tails(const RankedSets& sets, std::span<const std::uint32_t> least,
                  std::span<double> tails) override {
    pool_.wait(pool_.submit(sets.size(), [&](std::size_t s, unsigned worker) {
      Scratch& scratch = scratch_[worker];
      find_probabilities(columns_, sets[s], scratch.probabilities);
      tails[s] = scratch.finder.find(scratch.probabilities, least[s]);
    }));
  }

 private:
  struct Scratch {
    PathRows rows;
    std::vector<double> probabilities;
    TailFinder finder;
  };

  CoverSums sum_of(const RowBlocks& rows) const {
    CoverSums sums;
    for (std::size_t b = 0; b < rows.blocks(); ++b) {
      const std::size_t first = RowBlocks::block_words * rows.number(b);
      const std::uint64_t* const words = rows.words(b);
      std::uint32_t count = 0;
      for (std::size_t w = 0; w < RowBlocks::block_words; ++w) {
        count += static_cast<std::uint32_t>(std::popcount(words[w]));
      }
      sums.rows += count;
      if (first >= columns_.certain_word) {
        sums.certain += count;
      } else {
        add_block(first, words, sums);
      }
    }
    return sums;
  }

  void add_block(std::size_t first, const std::uint64_t* words, CoverSums& sums) const {
    FixedMoments moments;
    for (std::size_t w = 0; w < RowBlocks::block_words; ++w) {
      if (words[w] == 0) continue;
      const std::size_t row = (first + w) * 64;
      add_masked(words[w], means_.data() + row, variances_.data() + row, moments);
      const Hash128 hash = CoverHash::of_word(first + w, words[w]);
      sums.cover.low += hash.low;
      sums.cover.high += hash.high;
    }
    sums.mean.add(moments.mean);
    sums.variance.add(moments.variance);
  }

  const UncertainColumns& columns_;
  ThreadPool& pool_;
  std::vector<std::uint64_t> means_, variances_;  // [rows that are not certain]
  std::vector<Scratch> scratch_;                  // of each worker
};

}  // namespace

std::unique_ptr<SupportMeter> make_cpu_support_meter(const UncertainColumns& columns,
                                                     ThreadPool& pool) {
  return std::make_unique<CpuMeter>(columns, pool);
}

}  // namespace atl
