// Decides which sets are frequent with a probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/transactions/uncertain_sink.hpp"
#include "src/exhaustive/uncertain/cover_sums.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"
#include "src/exhaustive/uncertain/uncertain_columns.hpp"

namespace atl {

/// What is asked of a set: P(support >= min_count) >= min_probability.
struct UncertainLimits {
  std::uint64_t min_count = 1;
  double min_probability = 0.5;  ///< in (0, 1]
  /// Probabilities are wanted, with 9 decimals; otherwise only which sets are frequent.
  bool probabilities = true;
  /// Use all bounds, and not only those of Sun et al. 2010, which prune by counts and expected
  /// supports. Without them more distributions are computed, with the same outcome.
  bool bounds = true;
};

/// How sets were decided.
struct JudgedSets {
  std::uint64_t counted = 0;        ///< all of them
  std::uint64_t by_count = 0;       ///< not frequent, as too few transactions have them
  std::uint64_t by_bounds = 0;      ///< not frequent, as a bound proves
  std::uint64_t proved = 0;         ///< frequent, as a bound proves
  std::uint64_t distributions = 0;  ///< computed
  std::uint64_t shared = 0;         ///< distributions that an earlier set of the same cover has
  std::uint64_t carefully = 0;      ///< decided by the last digits

  void add(const JudgedSets& other) noexcept;
};

/// A set's support, and whether the set is frequent.
struct Verdict {
  bool frequent = false;
  UncertainSupport support;
};

/// For one thread at a time.
class TailJudge {
 public:
  /// All arguments must outlive it.
  TailJudge(const UncertainColumns& columns, SupportMeter& meter, ThreadPool& pool,
            const UncertainLimits& limits)
      : columns_(columns), meter_(meter), pool_(pool), limits_(limits) {}

  /// Blocking. @param counts  [sets] transactions that have all items of each
  /// @return [sets] @throws DeviceFailed
  std::vector<Verdict> judge(const RankedSets& sets, std::span<const std::uint32_t> counts);
  /// How sets were decided since the last call.
  JudgedSets take_judged() noexcept;

 private:
  struct Open;

  std::vector<CoverSums> sum(const RankedSets& sets, std::span<const std::uint32_t> counts);
  void find_tails(const RankedSets& sets, std::vector<Open>& open);
  void decide_carefully(const RankedSets& sets, std::vector<Open>& open);

  /// What a distribution is of: a cover, and how many of its uncertain transactions are needed.
  struct Cover {
    CoverHash hash;
    std::uint32_t least;
    friend bool operator==(const Cover&, const Cover&) = default;
  };
  struct HashOfCover {
    std::size_t operator()(const Cover& cover) const noexcept {
      return static_cast<std::size_t>(cover.hash.low ^ cover.least);
    }
  };

  const UncertainColumns& columns_;
  SupportMeter& meter_;
  ThreadPool& pool_;
  UncertainLimits limits_;
  JudgedSets judged_;
  std::unordered_map<Cover, double, HashOfCover> known_;  // only looked up
};

/// What bounds prove of a set. With `none` its distribution is needed. Where probabilities are
/// wanted, `frequent` also means that the probability rounds to 1 at 9 decimals.
enum class Proof { none, infrequent, frequent };
Proof prove(const CoverSums& sums, const UncertainLimits& limits) noexcept;

}  // namespace atl
