#include <cstddef>
#include <vector>

#include "src/exhaustive/uncertain/support_meter.hpp"
#include "src/exhaustive/uncertain/tails.hpp"

namespace atl {
namespace {

class ReferenceMeter final : public SupportMeter {
 public:
  explicit ReferenceMeter(const UncertainColumns& columns) : columns_(columns) {}

  void sum(const RankedSets& sets, std::span<CoverSums> sums) override {
    for (std::size_t s = 0; s < sets.size(); ++s) sums[s] = sum_of(sets[s]);
  }

  void find_tails(const RankedSets& sets, std::span<const std::uint32_t> least,
                  std::span<double> tails) override {
    std::vector<double> probabilities;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      find_probabilities(columns_, sets[s], probabilities);
      tails[s] = reference_tail(probabilities, least[s]);
    }
  }

 private:
  bool has_all(std::span<const std::uint32_t> set, std::size_t bit) const {
    for (const std::uint32_t rank : set) {
      if (!columns_.bitmaps.has(rank, bit)) return false;
    }
    return true;
  }

  CoverSums sum_of(std::span<const std::uint32_t> set) const {
    CoverSums sums;
    const std::size_t uncertain = columns_.certain_word * 64;
    std::vector<std::uint64_t> words(columns_.certain_word, 0);
    for (std::size_t bit = 0; bit < columns_.bitmaps.transactions; ++bit) {
      if (!has_all(set, bit)) continue;
      ++sums.rows;
      if (bit >= uncertain) {
        ++sums.certain;
        continue;
      }
      const double p = columns_.probabilities[bit];
      sums.mean.add(FixedSum::fixed(p));
      sums.variance.add(FixedSum::fixed(p * (1 - p)));
      words[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    for (std::size_t w = 0; w < words.size(); ++w) {
      sums.cover.add(w, words[w]);
    }
    return sums;
  }

  const UncertainColumns& columns_;
};

}  // namespace

double reference_tail(std::span<const double> probabilities, std::uint32_t least) {
  // [k] the probability that k transactions exist so far; the last stands for `least` or more
  std::vector<double> exist(std::size_t{least} + 1, 0);
  exist[0] = 1;
  std::size_t rows = 0;
  for (const double p : probabilities) {
    std::size_t k = rows + 1 < least ? rows + 1 : least;
    if (k == least) {
      exist[k] += exist[k - 1] * p;
      --k;
    }
    for (; k > 0; --k) exist[k] = exist[k] * (1 - p) + exist[k - 1] * p;
    exist[0] *= 1 - p;
    ++rows;
  }
  return exist[least];
}

std::unique_ptr<SupportMeter> make_reference_support_meter(const UncertainColumns& columns) {
  return std::make_unique<ReferenceMeter>(columns);
}

}  // namespace atl
