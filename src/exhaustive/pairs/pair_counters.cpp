#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "src/data/aligned_words.hpp"
#include "src/exhaustive/pairs/batmap.hpp"
#include "src/exhaustive/pairs/batmaps.hpp"
#include "src/exhaustive/pairs/item_bits.hpp"
#include "src/exhaustive/pairs/pair_counter.hpp"

namespace atl {
namespace {

/// Obvious loops.
class ReferencePairCounter final : public PairCounter {
 public:
  explicit ReferencePairCounter(const PairRows& rows) : rows_(rows) {}

  void count(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
             unsigned) override {
    for (std::uint32_t r = rows.first; r < rows.end; ++r) {
      for (std::uint32_t c = columns.first; c < columns.end; ++c) {
        std::uint32_t common = 0;
        for (std::uint32_t t = 0; t < rows_.transactions(); ++t) {
          common += has(t, r) && has(t, c) ? 1 : 0;
        }
        counts[(r - rows.first) * stride + (c - columns.first)] = common;
      }
    }
  }

 private:
  bool has(std::uint32_t t, std::uint32_t rank) const noexcept {
    return std::ranges::binary_search(rows_.transaction(t), rank);
  }

  const PairRows& rows_;
};

/// AND and popcount.
class BitPairCounter final : public PairCounter {
 public:
  BitPairCounter(const PairRows& rows, std::uint32_t columns, unsigned threads)
      : rows_(rows), bits_(rows, columns), own_(threads) {}

  void count(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
             unsigned worker) override {
    // A part of each row at a time, so that the rows stay in a near cache.
    constexpr std::size_t part_words = 256;
    AlignedWords& own = own_[worker];
    own = AlignedWords(rows.size() * bits_.words);
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
      set_bits_of(rows_, rows.first + r, own.data() + r * bits_.words);
      std::fill_n(counts + r * stride, columns.size(), 0);
    }
    constexpr std::uint32_t together = 64;
    for (std::uint32_t c = columns.first; c < columns.end; c += together) {
      const std::uint32_t number = std::min(together, columns.end - c);
      for (std::size_t first = 0; first < bits_.words; first += part_words) {
        const std::size_t words = std::min(part_words, bits_.words - first);
        for (std::uint32_t r = 0; r < rows.size(); ++r) {
          add_common_bits(own.data() + r * bits_.words + first, bits_.column(c) + first, number,
                          bits_.words, words, counts + r * stride + (c - columns.first));
        }
      }
    }
  }

 private:
  const PairRows& rows_;
  ItemBits bits_;
  std::vector<AlignedWords> own_;  // [threads][rows][words] of the rows at hand
};

/// By tables of sums.
class ProductPairCounter final : public PairCounter {
 public:
  ProductPairCounter(const PairRows& rows, std::uint32_t columns, unsigned threads)
      : rows_(rows), columns_(columns), bits_(bits_of(rows, columns)), scratch_(threads) {}

  void count(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
             unsigned worker) override {
    assert(rows.size() <= BitProduct::rows);
    Scratch& scratch = scratch_[worker];
    scratch.make_room();
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
      std::fill_n(counts + r * stride, columns.size(), 0);
    }
    for (std::uint32_t c = columns.first; c < columns.end; c += columns_together) {
      const RankRange some{c, std::min(c + columns_together, columns.end)};
      count_some(rows, some, counts + (c - columns.first), stride, scratch);
    }
  }

 private:
  static constexpr std::uint32_t columns_together = 4096;  // whose sums fit a near cache

  static std::size_t steps_of(const PairRows& rows) noexcept {
    return (std::size_t{rows.transactions()} + BitProduct::transactions - 1) /
           BitProduct::transactions;
  }
  static AlignedWords bits_of(const PairRows& rows, std::uint32_t columns) {
    AlignedWords words(steps_of(rows) * columns * BitProduct::step_bytes / 8);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(words.data());
    for (std::uint32_t c = 0; c < columns; ++c) {
      for (const PairRows::Place& place : rows.places(c)) {
        const std::uint32_t in_step = place.transaction % BitProduct::transactions;
        const std::size_t step = place.transaction / BitProduct::transactions;
        std::uint8_t& byte = bytes[(step * columns + c) * BitProduct::step_bytes + in_step / 8];
        byte = static_cast<std::uint8_t>(byte | 1U << in_step % 8);
      }
    }
    return words;
  }

  struct Scratch {
    AlignedWords ones, tables, sums;
    std::array<std::size_t, BitProduct::rows> next{};  // place of each row

    void make_room() {
      if (ones.size() > 0) return;
      ones = AlignedWords(BitProduct::transactions * BitProduct::rows / 8);
      tables = AlignedWords(BitProduct::table_bytes / 8);
      sums = AlignedWords(columns_together * BitProduct::rows / 4);
    }
  };

  void count_some(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
                  Scratch& scratch) const {
    auto* const ones = reinterpret_cast<std::uint8_t*>(scratch.ones.data());
    auto* const tables = reinterpret_cast<std::uint8_t*>(scratch.tables.data());
    auto* const sums = reinterpret_cast<std::uint16_t*>(scratch.sums.data());
    const std::size_t steps = steps_of(rows_);
    scratch.next.fill(0);
    std::size_t added = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      if (!take_ones(rows, step, ones, scratch.next)) continue;
      BitProduct::make_tables(ones, tables);
      const auto* const bits = reinterpret_cast<const std::uint8_t*>(bits_.data()) +
                               (step * columns_ + columns.first) * BitProduct::step_bytes;
      BitProduct::add(tables, bits, columns.size(), sums);
      if (++added < BitProduct::most_steps) continue;
      BitProduct::take_sums(sums, columns.size(), counts, stride, rows.size());
      added = 0;
    }
    BitProduct::take_sums(sums, columns.size(), counts, stride, rows.size());
  }

  /// @return whether any row has any of the step's transactions
  bool take_ones(RankRange rows, std::size_t step, std::uint8_t* ones,
                 std::array<std::size_t, BitProduct::rows>& next) const {
    const std::size_t first = step * BitProduct::transactions;
    std::fill_n(ones, BitProduct::transactions * BitProduct::rows, std::uint8_t{0});
    bool any = false;
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
      const auto places = rows_.places(rows.first + r);
      std::size_t& at = next[r];
      for (; at < places.size() && places[at].transaction < first + BitProduct::transactions;
           ++at) {
        ones[(places[at].transaction - first) * BitProduct::rows + r] = 1;
        any = true;
      }
    }
    return any;
  }

  const PairRows& rows_;
  std::size_t columns_;
  AlignedWords bits_;             // [steps][columns][step_bytes], which are read from first to last
  std::vector<Scratch> scratch_;  // [threads]
};

/// By BatMaps.
class BatMapPairCounter final : public PairCounter {
 public:
  BatMapPairCounter(const PairRows& rows, ThreadPool& pool) : maps_(rows, pool) {}

  void count(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
             unsigned) override {
    constexpr std::uint32_t together = 32;
    for (std::uint32_t c = columns.first; c < columns.end; c += together) {
      const RankRange some{c, std::min(c + together, columns.end)};
      count_some(rows, some, counts + (c - columns.first), stride);
    }
  }

 private:
  // Of maps of one width, which most neighbours have, so much of each is compared at a time: that
  // of all rows and columns at hand stays in a near cache.
  static constexpr std::size_t part = 4096;

  void count_some(RankRange rows, RankRange columns, std::uint32_t* counts,
                  std::size_t stride) const {
    const std::size_t size = maps_.of(rows.first).entries.size();
    if (!are_of(size, rows) || !are_of(size, columns)) {
      return for_each_pair(rows, columns, counts, stride, [&](const auto& a, const auto& b) {
        return count_common(maps_.layout(), a, b);
      });
    }
    for_each_pair(rows, columns, counts, stride, [&](const auto& a, const auto& b) {
      return count_common_aside(maps_.layout(), a, b);
    });
    for (std::size_t first = 0; first < size; first += part) {
      const std::size_t here = std::min(part, size - first);
      for (std::uint32_t r = rows.first; r < rows.end; ++r) {
        const auto row = maps_.of(r).entries.subspan(first, here);
        std::uint32_t* const to = counts + (r - rows.first) * stride;
        for (std::uint32_t c = columns.first; c < columns.end; ++c) {
          to[c - columns.first] += static_cast<std::uint32_t>(
              count_common(row, maps_.of(c).entries.subspan(first, here)));
        }
      }
    }
  }

  bool are_of(std::size_t size, RankRange items) const noexcept {
    for (std::uint32_t r = items.first; r < items.end; ++r) {
      if (maps_.of(r).entries.size() != size) return false;
    }
    return true;
  }

  template <typename Count>
  void for_each_pair(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
                     const Count& count) const {
    for (std::uint32_t r = rows.first; r < rows.end; ++r) {
      const BatMapView row = maps_.of(r);
      for (std::uint32_t c = columns.first; c < columns.end; ++c) {
        counts[(r - rows.first) * stride + (c - columns.first)] =
            static_cast<std::uint32_t>(count(row, maps_.of(c)));
      }
    }
  }

  BatMaps maps_;
};

}  // namespace

std::unique_ptr<PairCounter> make_reference_pair_counter(const PairRows& rows) {
  return std::make_unique<ReferencePairCounter>(rows);
}

std::unique_ptr<PairCounter> make_pair_counter(PairForm form, const PairRows& rows,
                                               std::uint32_t columns, ThreadPool& pool) {
  switch (form) {
    case PairForm::batmap:
      return std::make_unique<BatMapPairCounter>(rows, pool);
    case PairForm::bitmap:
      return std::make_unique<BitPairCounter>(rows, columns, pool.threads());
    case PairForm::product:
      return std::make_unique<ProductPairCounter>(rows, columns, pool.threads());
    case PairForm::lists:
      break;
  }
  return nullptr;
}

std::uint64_t counter_bytes(PairForm form, const PairRows& rows, std::uint32_t columns) noexcept {
  switch (form) {
    case PairForm::batmap:
      return BatMaps::bytes(rows);
    case PairForm::bitmap:
    case PairForm::product:
      return ItemBits::bytes(columns, rows.transactions());
    case PairForm::lists:
      break;
  }
  return 0;
}

}  // namespace atl
