// The extraction of probabilistic frequent itemsets of Kozawa 2016, section 3.3.3, to measure ours
// against; docs/notes/uncertain.md says what was mended.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuda/device/device.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/uncertain/uncertain_columns.hpp"

namespace atl::cuda {

/// How the first levels of the tree are joined in shared memory.
enum class ThesisShared : std::uint8_t { none, scatter, gather };

/// What the thesis measures each step with; as it stands, the fastest by its measurements.
struct ThesisOptions {
  bool host_singles = true;   ///< the host looks for single items, else the device scans for them
  bool and_parents = true;    ///< of longer sets, else the device scans
  bool find_bits = true;      ///< decodes by Algorithm 3, else by a loop over 32 bits
  bool distributions = true;  ///< else stops after pruning
  bool filter = true;         ///< transactions that have the set, else all
  ThesisShared shared = ThesisShared::gather;
  std::uint32_t shared_levels = 8;  ///< m1, up to 9; 7 for scatter in the thesis
  bool several = true;  ///< sets of the same rank at once (Algorithm 4), else each alone
};

/// Seconds of the steps: by the device's events, and what the host does by its clock.
struct ThesisSeconds {
  double inclusion = 0;  ///< with the host's pruning of single items, and the way to the device
  double pruning = 0;
  double filtering = 0;
  double distributions = 0;
  double plans = 0;  ///< making plans of transforms, and getting memory; of the host
  double wall = 0;   ///< in all, of the host
};

/// Of the candidates of a level.
struct ThesisSupports {
  std::vector<std::uint32_t> counts;  ///< [candidates]
  std::vector<double> expected;       ///< [candidates] supports
  /// [candidates] that the support is at least the least; none if the candidate was pruned, or
  /// distributions were not asked for
  std::vector<std::optional<double>> probabilities;
  std::vector<bool> pruned;  ///< [candidates] by count or expected support
  ThesisSeconds seconds;
};

/// What candidates have to reach.
struct ThesisLeast {
  std::uint32_t support = 1;  ///< minsup, from 1 on
  double probability = 0.5;   ///< minprob, above 0
};

/// Can no set with this count and expected support be frequent with the least probability? By the
/// count, and by Chernoff's bounds of the upper tail, as Sun et al. 2010 prune.
inline bool thesis_prunes(std::uint32_t count, double expected, const ThesisLeast& least) noexcept {
  if (count < least.support) return true;
  if (expected <= 0) return true;
  const double beyond = (least.support - 1 - expected) / expected;
  if (beyond <= 0) return false;
  constexpr double far = 2 * std::numbers::e - 1;
  const double bound = beyond < far ? std::exp(-beyond * beyond * expected / 4)
                                    : std::exp2(-(1 + beyond) * expected);
  return bound < least.probability;
}

/// The rank of a distribution: the number of transactions is at most two to it.
constexpr std::uint32_t thesis_rank(std::uint32_t transactions) noexcept {
  return transactions <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(transactions - 1));
}

/// Holds an uncertain database on the device. For one thread.
class ThesisPipeline {
 public:
  virtual ~ThesisPipeline() = default;
  /// Extracts what is frequent of a level. Blocking. Sets of `length` 2 and more by AND need those
  /// of one item less to have been candidates of the call before, and not pruned.
  /// @param candidates  ranks index the items that the pipeline was made with
  /// @throws BackendUnavailable if cuFFT is missing (fft_missing()), a transaction is too long to
  ///         be scanned in shared memory, or memory does not suffice; InternalError for a set
  ///         without parents
  virtual ThesisSupports extract(const RankedSets& candidates, const ThesisLeast& least,
                                 const ThesisOptions& options) = 0;
};

/// Why distributions of more than 2^shared_levels transactions cannot be made; none if they can.
std::optional<std::string> fft_missing();

/// Makes a pipeline. Copies what it needs; the pool's threads look for single items, and it must
/// outlive the pipeline, as must the transactions.
/// @param transactions  without probabilities all are certain
/// @param items  [items] by rank
/// @throws BackendUnavailable if this program was built without CUDA, the device does not answer,
///         or its memory does not suffice
std::unique_ptr<ThesisPipeline> make_thesis_pipeline(const TransactionSet& transactions,
                                                     std::span<const std::uint32_t> items,
                                                     ThreadPool& pool,
                                                     const DeviceOptions& options = {});

}  // namespace atl::cuda
