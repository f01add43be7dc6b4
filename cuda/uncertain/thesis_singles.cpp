#include "cuda/uncertain/thesis_singles.hpp"

#include <algorithm>
#include <cstddef>

#include "cuda/uncertain/thesis_kernels.hpp"

namespace atl::cuda {
namespace {

/// So many that sums are the same for any number of threads.
constexpr std::size_t slices = 32;

/// Some words of all inclists, and so all of some transactions.
struct WordRange {
  std::uint32_t first, last;
};

class Scan {
 public:
  Scan(const TransactionSet& transactions, std::span<const std::uint32_t> ranks,
       std::uint32_t items)
      : transactions_(transactions),
        ranks_(ranks),
        items_(items),
        words_((transactions.size() + thesis_word_rows - 1) / thesis_word_rows) {}

  void sum(SingleItems& out, ThreadPool& pool) const {
    std::vector<std::vector<std::uint32_t>> counts(slices);
    std::vector<std::vector<double>> sums(slices);
    pool.wait(pool.submit(slices, [&](std::size_t slice, unsigned) {
      counts[slice].assign(items_, 0);
      sums[slice].assign(items_, 0);
      for_each_entry(slice, [&](std::uint32_t t, std::uint32_t item) {
        ++counts[slice][item];
        sums[slice][item] += probability_of(t);
      });
    }));
    out.counts.assign(items_, 0);
    out.expected.assign(items_, 0);
    for (std::size_t slice = 0; slice < slices; ++slice) {
      for (std::uint32_t i = 0; i < items_; ++i) {
        out.counts[i] += counts[slice][i];
        out.expected[i] += sums[slice][i];
      }
    }
  }

  void write(SingleItems& out, ThreadPool& pool) const {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> places(items_, none);
    for (std::size_t k = 0; k < out.kept.size(); ++k) {
      places[out.kept[k]] = static_cast<std::uint32_t>(k);
    }
    out.bits.assign(out.kept.size() * words_, 0);
    pool.wait(pool.submit(slices, [&](std::size_t slice, unsigned) {
      for_each_entry(slice, [&](std::uint32_t t, std::uint32_t item) {
        if (places[item] == none) return;
        out.bits[std::size_t{places[item]} * words_ + t / thesis_word_rows] |=
            1U << t % thesis_word_rows;
      });
    }));
  }

 private:
  double probability_of(std::uint32_t t) const {
    return transactions_.probabilities().empty() ? 1 : transactions_.probabilities()[t];
  }
  WordRange words_of(std::size_t slice) const {
    return {static_cast<std::uint32_t>(words_ * slice / slices),
            static_cast<std::uint32_t>(words_ * (slice + 1) / slices)};
  }
  template <typename Use>
  void for_each_entry(std::size_t slice, const Use& use) const {
    const WordRange words = words_of(slice);
    const std::uint32_t last = std::min(words.last * thesis_word_rows, transactions_.size());
    for (std::uint32_t t = words.first * thesis_word_rows; t < last; ++t) {
      for (const std::uint32_t name : transactions_.transaction(t)) {
        if (ranks_[name] < items_) use(t, ranks_[name]);
      }
    }
  }

  const TransactionSet& transactions_;
  std::span<const std::uint32_t> ranks_;
  std::uint32_t items_;
  std::size_t words_;
};

}  // namespace

SingleItems find_single_items(const TransactionSet& transactions,
                              std::span<const std::uint32_t> ranks, std::uint32_t items,
                              const ThesisLeast& least, ThreadPool& pool) {
  const Scan scan(transactions, ranks, items);
  SingleItems out;
  scan.sum(out, pool);
  for (std::uint32_t i = 0; i < items; ++i) {
    out.pruned.push_back(thesis_prunes(out.counts[i], out.expected[i], least));
    if (!out.pruned.back()) out.kept.push_back(i);
  }
  scan.write(out, pool);
  return out;
}

}  // namespace atl::cuda
