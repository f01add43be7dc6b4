#include "src/sampling/literal_balances.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/sampling/common_bits.hpp"

namespace atl {
namespace {

/// Calls with the position of each bit of a word.
template <typename Take>
void each_bit(std::size_t word, std::uint64_t bits, const Take& take) {
  for (; bits != 0; bits &= bits - 1) {
    take(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }
}

}  // namespace

void LiteralBalances::look_at(const std::uint64_t* mask, const SampleWindow& window,
                              std::span<const WordRun> runs, std::span<const double> weights) {
  mask_ = mask;
  words_ = window.end() - window.first();
  rows_ = 0;
  listed_ = false;
  runs_.clear();
  weights_.clear();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::uint64_t* const its = mask + runs[r].first;
    const std::uint64_t rows = common_bits(its, its, runs[r].end - runs[r].first);
    if (rows == 0) continue;
    rows_ += rows;
    runs_.push_back(runs[r]);
    weights_.push_back(weights[r]);
  }
  run_mask_.set(mask, runs_);
}

void LiteralBalances::count(std::uint32_t attribute) {
  const std::size_t literals = sample_.literals_of(attribute);
  const std::span<const std::uint16_t> codes = sample_.codes(attribute);
  if (stride(attribute) > 1) {
    count_coarsely(attribute);
  } else if (!codes.empty() && rows_ <= literals * (words_ / 8 + 1)) {
    count_codes(codes, literals);
  } else {
    count_sets(attribute, 0, 1, literals);
  }
}

void LiteralBalances::count_coarsely(std::uint32_t attribute) {
  const std::size_t stride = sample_.stride(attribute);
  const std::size_t literals = sample_.literals_of(attribute);
  const std::span<const std::uint64_t> coarse = sample_.coarse_bits(attribute);
  if (coarse.empty()) {
    count_sets(attribute, stride / 2, stride, literals);
    return;
  }
  number_literals(stride / 2, stride, literals);
  run_mask_.count_interleaved(coarse.data(), sample_.words(), numbers_.size(), counts_.data());
  count_present(attribute);
}

void LiteralBalances::number_literals(std::size_t first, std::size_t stride, std::size_t end) {
  numbers_.clear();
  for (std::size_t i = first; i < end; i += stride) {
    numbers_.push_back(static_cast<std::uint32_t>(i));
  }
  counts_.resize((numbers_.size() + 1) * runs_.size());
}

void LiteralBalances::count_sets(std::uint32_t attribute, std::size_t first, std::size_t stride,
                                 std::size_t end) {
  number_literals(first, stride, end);
  run_mask_.count_common(sample_.bits(sample_.first_literal(attribute) + first),
                         sample_.words() * stride, numbers_.size(), counts_.data());
  count_present(attribute);
}

void LiteralBalances::count_present(std::uint32_t attribute) {
  if (!sample_.attributes()[attribute].has_missing) return;
  run_mask_.count_common(sample_.present(attribute), sample_.words(), 1,
                         counts_.data() + numbers_.size() * runs_.size());
}

void LiteralBalances::list_positions() {
  if (listed_) return;
  listed_ = true;
  positions_.clear();
  position_begins_.assign(1, 0);
  for (const WordRun& run : runs_) {
    for (std::size_t w = run.first; w < run.end; ++w) {
      each_bit(w, mask_[w], [&](std::size_t position) {
        positions_.push_back(static_cast<std::uint32_t>(position));
      });
    }
    position_begins_.push_back(positions_.size());
  }
}

void LiteralBalances::make_room_for_codes(std::size_t codes) {
  of_code_.resize(std::max(of_code_.size(), codes * runs_.size()), 0);
  codes_seen_.resize(std::max(codes_seen_.size(), codes / 64 + 1), 0);
}

void LiteralBalances::count_codes(std::span<const std::uint16_t> codes, std::size_t literals) {
  list_positions();
  make_room_for_codes(literals + 1);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (std::size_t i = position_begins_[r]; i < position_begins_[r + 1]; ++i) {
      const std::uint16_t code = codes[positions_[i]];
      if (code != ClassSample::no_code) add_code(code, r);
    }
  }
  counts_.assign(runs_.size(), 0);
  sum_codes(0, literals);
}

// The literals lie between two others, so that the codes of few rows are to be counted.
void LiteralBalances::count(std::uint32_t attribute, std::size_t first, std::size_t end) {
  const std::span<const std::uint16_t> codes = sample_.codes(attribute);
  if (codes.empty()) {
    count_sets(attribute, first, 1, end);
    return;
  }
  const std::uint64_t* const with = sample_.bits(sample_.first_literal(attribute) + end - 1);
  const std::uint64_t* const without =
      first == 0 ? nullptr : with - (end - first) * sample_.words();
  make_room_for_codes(end);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    for (std::size_t w = runs_[r].first; w < runs_[r].end; ++w) {
      const std::uint64_t between = mask_[w] & with[w] & (without == nullptr ? ~0ULL : ~without[w]);
      each_bit(w, between, [&](std::size_t position) { add_code(codes[position], r); });
    }
  }
  counts_.assign(runs_.size(), 0);
  if (without != nullptr) run_mask_.count_common(without, sample_.words(), 1, counts_.data());
  sum_codes(first, end);
  count_present(attribute);
}

/// Sums the rows of codes from those of the lowest on, which counts_ begins with. Leaves behind the
/// last literal the rows of all codes. A literal of a code without rows is as good as the one
/// before, so not better than the best.
void LiteralBalances::sum_codes(std::size_t first, std::size_t end) {
  const std::size_t runs = runs_.size();
  numbers_.clear();
  if (first == 0 && (codes_seen_[0] & 1) == 0) {  // on its other side are the rows with a value
    numbers_.push_back(0);
    counts_.resize(2 * runs, 0);
  }
  for (std::size_t w = first / 64; w <= end / 64 && w < codes_seen_.size(); ++w) {
    each_bit(w, std::exchange(codes_seen_[w], 0), [&](std::size_t code) {
      std::uint32_t* const its = of_code_.data() + code * runs;
      const std::size_t last = counts_.size() - runs;
      for (std::size_t r = 0; r < runs; ++r) counts_[last + r] += std::exchange(its[r], 0);
      if (code == end) return;  // the attribute's last code has no literal
      numbers_.push_back(static_cast<std::uint32_t>(code));
      counts_.resize(counts_.size() + runs);
      std::copy_n(counts_.data() + last, runs, counts_.data() + last + runs);
    });
  }
}

}  // namespace atl
