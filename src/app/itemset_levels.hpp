// `itemsets --algorithm apriori`: its options, and the search on the backend that they choose.
#pragma once

#include <optional>
#include <string>

#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/data/transaction_set.hpp"
#include "src/exhaustive/itemset_levels.hpp"

namespace CLI {
class App;
}

namespace atl {

/// As they were typed.
struct LevelOptions {
  std::string algorithm;
  std::string backend, threads, device_memory, memory_limit;
};
void add_level_options(CLI::App& command, LevelOptions& options);

struct LevelSettings {
  Machine machine;
  std::uint64_t max_bytes = 0;  ///< of bit columns and sets
};
/// Nothing without --algorithm. @throws UsageError
std::optional<LevelSettings> level_settings(const LevelOptions& options);

/// Says on what it searches. Blocking.
/// @throws UsageError if it takes more memory than it may
/// @throws BackendUnavailable, DeviceFailed
ItemsetLevels search_levels(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const LevelSettings& settings, const Report& report);

}  // namespace atl
