// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/sampling/literal_counts.hpp"

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/sampling/literal_counts.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Counts the bits of a run's words: `load` and `word` give the w-th of them.
template <typename Load, typename Word>
std::uint32_t count_run(std::size_t first, std::size_t end, const Load& load, const Word& word) {
  const hn::ScalableTag<std::uint64_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t w = first;
  std::uint64_t sum = 0;
  if (first + lanes <= end) {
    auto counts = hn::Zero(tag);
    for (; w + lanes <= end; w += lanes) counts = hn::Add(counts, hn::PopulationCount(load(w)));
    sum = hn::GetLane(hn::SumOfLanes(tag, counts));
  }
  for (; w < end; ++w) sum += hwy::PopCount(word(w));
  return static_cast<std::uint32_t>(sum);
}

void count_dense(const std::uint64_t* sets, std::size_t stride, std::size_t count,
                 const std::uint64_t* mask, const WordRun* runs, std::size_t run_count,
                 std::uint32_t* out) {
  const hn::ScalableTag<std::uint64_t> tag;
  for (std::size_t s = 0; s < count; ++s, sets += stride) {
    for (std::size_t r = 0; r < run_count; ++r) {
      const auto load = [&](std::size_t w) HWY_ATTR {
        return hn::And(hn::LoadU(tag, sets + w), hn::LoadU(tag, mask + w));
      };
      *out++ = count_run(runs[r].first, runs[r].end, load,
                         [&](std::size_t w) { return sets[w] & mask[w]; });
    }
  }
}

void count_sparse(const std::uint64_t* sets, std::size_t stride, std::size_t count,
                  const std::uint64_t* index, const std::uint64_t* value, const WordRun* runs,
                  std::size_t run_count, std::uint32_t* out) {
  const hn::ScalableTag<std::uint64_t> tag;
  const hn::RebindToSigned<decltype(tag)> signed_tag;
  for (std::size_t s = 0; s < count; ++s, sets += stride) {
    for (std::size_t r = 0; r < run_count; ++r) {
      const auto load = [&](std::size_t w) HWY_ATTR {
        const auto at = hn::BitCast(signed_tag, hn::LoadU(tag, index + w));
        return hn::And(hn::GatherIndex(tag, sets, at), hn::LoadU(tag, value + w));
      };
      *out++ = count_run(runs[r].first, runs[r].end, load,
                         [&](std::size_t w) { return sets[index[w]] & value[w]; });
    }
  }
}

void count_interleaved_sets(const std::uint64_t* sets, std::size_t words, std::size_t count,
                            const std::uint64_t* index, const std::uint64_t* value,
                            const WordRun* runs, std::size_t run_count, std::uint32_t* out) {
  const hn::CappedTag<std::uint64_t, interleaved_sets> tag;
  const std::size_t lanes = hn::Lanes(tag);
  HWY_ALIGN std::uint64_t sums[interleaved_sets];
  for (std::size_t s = 0; s < count; s += lanes) {
    const std::uint64_t* const its = sets + interleaved_word(s, 0, words);
    for (std::size_t r = 0; r < run_count; ++r) {
      auto counts = hn::Zero(tag);
      for (std::size_t w = runs[r].first; w < runs[r].end; ++w) {
        const auto with = hn::Load(tag, its + index[w] * interleaved_sets);
        counts = hn::Add(counts, hn::PopulationCount(hn::And(with, hn::Set(tag, value[w]))));
      }
      hn::Store(counts, tag, sums);
      const std::size_t left = count - s < lanes ? count - s : lanes;
      for (std::size_t i = 0; i < left; ++i) {
        out[(s + i) * run_count + r] = static_cast<std::uint32_t>(sums[i]);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {

HWY_EXPORT(count_dense);
HWY_EXPORT(count_sparse);
HWY_EXPORT(count_interleaved_sets);

void RunMask::set(const std::uint64_t* words, std::span<const WordRun> runs) {
  words_ = words;
  index_.clear();
  value_.clear();
  std::size_t all = 0;
  runs_.assign(runs.begin(), runs.end());
  open_runs_.clear();
  for (const WordRun& run : runs) {
    const std::size_t first = index_.size();
    for (std::size_t w = run.first; w < run.end; ++w) {
      if (words[w] == 0) continue;
      index_.push_back(w);
      value_.push_back(words[w]);
    }
    all += run.end - run.first;
    open_runs_.push_back({first, index_.size()});
  }
  // Gathering a word takes about as long as loading several.
  sparse_ = index_.size() * 4 < all;
}

void RunMask::count_common(const std::uint64_t* sets, std::size_t stride, std::size_t count,
                           std::uint32_t* out) const {
  if (sparse_) {
    HWY_DYNAMIC_DISPATCH(count_sparse)
    (sets, stride, count, index_.data(), value_.data(), open_runs_.data(), runs_.size(), out);
  } else {
    HWY_DYNAMIC_DISPATCH(count_dense)
    (sets, stride, count, words_, runs_.data(), runs_.size(), out);
  }
}

void RunMask::count_interleaved(const std::uint64_t* sets, std::size_t words, std::size_t count,
                                std::uint32_t* out) const {
  HWY_DYNAMIC_DISPATCH(count_interleaved_sets)
  (sets, words, count, index_.data(), value_.data(), open_runs_.data(), runs_.size(), out);
}

}  // namespace atl
#endif
