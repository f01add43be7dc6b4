#include <algorithm>
#include <array>

#include "src/exhaustive/levels/candidates.hpp"
#include "src/exhaustive/levels/row_blocks.hpp"

namespace atl {
namespace {

/// Calls use(prefix, pair, support) with each candidate.
template <typename Use>
void for_each_candidate(Candidates& candidates, const Use& use) {
  candidates.supports.resize(candidates.pairs.size());
  std::size_t c = 0;
  for (const Candidates::Class& of : candidates.classes) {
    const std::span<const std::uint32_t> prefix =
        std::span(candidates.prefixes).subspan(of.prefix, candidates.prefix_length);
    for (; c < of.end; ++c) use(prefix, candidates.pairs[c], candidates.supports[c]);
  }
}

class ReferenceCounter final : public CandidateCounter {
 public:
  explicit ReferenceCounter(const ItemBitmaps& bitmaps) : bitmaps_(bitmaps) {}

  void count_pairs(std::uint32_t first, std::uint32_t last,
                   std::span<std::uint32_t> supports) override {
    std::size_t p = 0;
    for (std::uint32_t rare = first; rare < last; ++rare) {
      for (std::uint32_t rank = 0; rank < rare; ++rank) supports[p++] = count({}, {rare, rank});
    }
  }

  void count(std::span<Candidates> candidates) override {
    for (Candidates& some : candidates) {
      for_each_candidate(some, [&](std::span<const std::uint32_t> prefix, const ItemPair& pair,
                                   std::uint32_t& support) { support = count(prefix, pair); });
    }
  }

 private:
  std::uint32_t count(std::span<const std::uint32_t> prefix, const ItemPair& pair) const {
    std::uint32_t support = 0;
    for (std::uint64_t t = 0; t < bitmaps_.transactions; ++t) {
      bool all = bitmaps_.has(pair.rare, t) && bitmaps_.has(pair.frequent, t);
      for (const std::uint32_t rank : prefix) all = all && bitmaps_.has(rank, t);
      if (all) ++support;
    }
    return support;
  }

  const ItemBitmaps& bitmaps_;
};

class CpuCounter final : public CandidateCounter {
 public:
  CpuCounter(const ItemBitmaps& bitmaps, ThreadPool& pool)
      : bitmaps_(bitmaps), pool_(pool), rows_(pool.threads()) {}

  void count_pairs(std::uint32_t first, std::uint32_t last,
                   std::span<std::uint32_t> supports) override {
    const std::uint64_t before = pairs_before(first);
    pool_.wait(pool_.submit(last - first, [&](std::size_t task, unsigned worker) {
      const std::uint32_t rare = last - 1 - static_cast<std::uint32_t>(task);  // the longest first
      count_each(
          rows_[worker].of({&rare, 1}, bitmaps_), rare,
          [](std::size_t i) { return static_cast<std::uint32_t>(i); },
          supports.data() + (pairs_before(rare) - before));
    }));
  }

  void count(std::span<Candidates> candidates) override {
    pool_.wait(pool_.submit(candidates.size(), [&](std::size_t task, unsigned worker) {
      count_task(candidates[task], rows_[worker]);
    }));
  }

 private:
  /// @param rank  of a number below `items` gives that of an item
  template <typename Rank>
  void count_each(const RowBlocks& rows, std::size_t items, const Rank& rank,
                  std::uint32_t* supports) const {
    for (std::size_t i = 0; i < items; i += 4) {
      const std::size_t count = std::min<std::size_t>(items - i, 4);
      std::array<const std::uint64_t*, 4> columns;
      for (std::size_t k = 0; k < count; ++k) columns[k] = bitmaps_.column(rank(i + k));
      rows.count_common(columns.data(), count, supports + i);
    }
  }

  void count_task(Candidates& candidates, PathRows& rows) const {
    candidates.supports.resize(candidates.pairs.size());
    std::vector<std::uint32_t> path;
    std::size_t c = 0;
    for (const Candidates::Class& of : candidates.classes) {
      const auto* const prefix = candidates.prefixes.data() + of.prefix;
      while (c < of.end) {
        const ItemPair* const pairs = candidates.pairs.data() + c;
        path.assign(prefix, prefix + candidates.prefix_length);
        path.push_back(pairs->rare);
        std::size_t alike = 1;
        while (c + alike < of.end && pairs[alike].rare == pairs->rare) ++alike;
        count_each(
            rows.of(path, bitmaps_), alike, [&](std::size_t i) { return pairs[i].frequent; },
            candidates.supports.data() + c);
        c += alike;
      }
    }
  }

  const ItemBitmaps& bitmaps_;
  ThreadPool& pool_;
  std::vector<PathRows> rows_;  // of each worker
};

}  // namespace

std::unique_ptr<CandidateCounter> make_reference_candidate_counter(const ItemBitmaps& bitmaps) {
  return std::make_unique<ReferenceCounter>(bitmaps);
}

std::unique_ptr<CandidateCounter> make_cpu_candidate_counter(const ItemBitmaps& bitmaps,
                                                             ThreadPool& pool) {
  return std::make_unique<CpuCounter>(bitmaps, pool);
}

}  // namespace atl
