// Searches for itemsets on the backend that is chosen: level by level, or by the cores and a GPU
// side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/exhaustive/levels/candidates.hpp"

namespace atl {

/// Says on what it counts. @throws BackendUnavailable
std::unique_ptr<CandidateCounter> candidate_counter(const ItemBitmaps& bitmaps,
                                                    const Machine& machine, ThreadPool& pool,
                                                    const Report& report);

/// All sets, for rules. Says on what it counts. Blocking.
/// @throws UsageError if bit columns or sets take more than the memory limit leaves
/// @throws BackendUnavailable, DeviceFailed
ItemsetLevels search_levels(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const Machine& machine, const MemoryLimit& memory, ThreadPool& pool,
                            const Report& report);

/// A search of the first GPU beside that of the cores, which begin and go on.
class DeviceRace {
 public:
  /// All must outlive it. @param report  is told what of a GPU was used, and if it fails
  DeviceRace(const Machine& machine, const TransactionSet& transactions,
             const ItemsetLimits& limits, const Report& report);
  ~DeviceRace();

  /// To be called now and then: begins once the cores have had `seconds_of_cores_alone`. Opening
  /// the device blocks. A device that cannot, or that fails, is out of it.
  /// @param unwanted  asked between the steps, each of which may take a tenth of a second or more
  /// @return the counts, as count_itemsets() has them, if they are there
  std::optional<std::vector<std::uint64_t>> poll(const std::function<bool()>& unwanted);

  /// About as long as it takes to open a GPU and to give it the transactions.
  static constexpr double seconds_of_cores_alone = 0.5;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl
