// Measures the supports of sets of items whose transactions exist with a probability.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/uncertain/cover_sums.hpp"
#include "src/exhaustive/uncertain/uncertain_columns.hpp"

namespace atl {

/// For one thread at a time.
class SupportMeter {
 public:
  virtual ~SupportMeter() = default;
  /// Equal on every backend. Blocking.
  /// @param sums  [sets] overwritten
  /// @throws DeviceFailed
  virtual void sum(const RankedSets& sets, std::span<CoverSums> sums) = 0;
  /// The probability of each set that at least so many of its uncertain transactions exist
  /// (Kozawa 2016, equation 3.1). The absolute error is below 1e-12 for up to 10 million uncertain
  /// transactions of a set, and below 1e-9 for 2^32 if it grows on. Equal on a backend, whatever
  /// the number of threads and the other sets are. Blocking.
  /// @param least  [sets] from 1 to the set's number of uncertain transactions
  /// @param tails  [sets] overwritten
  /// @throws DeviceFailed
  virtual void find_tails(const RankedSets& sets, std::span<const std::uint32_t> least,
                          std::span<double> tails) = 0;
};

/// The executable specification: it looks at each transaction of each set, and adds one transaction
/// after the other to the distribution (Sun et al. 2010, dynamic programming).
std::unique_ptr<SupportMeter> make_reference_support_meter(const UncertainColumns& columns);

/// The pool's threads take sets. Both must outlive it.
std::unique_ptr<SupportMeter> make_cpu_support_meter(const UncertainColumns& columns,
                                                     ThreadPool& pool);

}  // namespace atl
