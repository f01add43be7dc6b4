#include "src/backend/itemset_levels.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cuda/itemsets/apriori_counter.hpp"
#include "src/backend/choice.hpp"
#include "src/config/experiment.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/levels/apriori.hpp"
#include "src/exhaustive/levels/level_task.hpp"

namespace atl {

namespace {

/// The counter of a choice, and what is to be said of it.
struct ChosenCounter {
  std::unique_ptr<CandidateCounter> counter;
  std::string name;
};

ChosenCounter choose_counter(const ItemBitmaps& bitmaps, std::uint64_t rows, const Machine& machine,
                             ThreadPool& pool) {
  LocalCommunicator alone;
  BackendChoice choice = choose_backend(machine, {rows}, alone);
  if (choice.name == "reference") return {make_reference_candidate_counter(bitmaps), "reference"};
  auto on_device = choice.on_gpu([&](const cuda::DeviceOptions& options) {
    return std::unique_ptr<CandidateCounter>(cuda::make_apriori_counter(bitmaps, options));
  });
  if (on_device) return {std::move(on_device), choice.device->name};
  std::string name = "the CPU, " + counted(pool.threads(), "thread");
  if (choice.automatic) name += ": " + choice.reason;
  return {make_cpu_candidate_counter(bitmaps, pool), name};
}

}  // namespace

std::unique_ptr<CandidateCounter> candidate_counter(const ItemBitmaps& bitmaps,
                                                    const Machine& machine, ThreadPool& pool,
                                                    const Report& report) {
  ChosenCounter chosen = choose_counter(bitmaps, bitmaps.transactions, machine, pool);
  report(Severity::info, "apriori on " + chosen.name);
  return std::move(chosen.counter);
}

ItemsetLevels search_levels(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const Machine& machine, const MemoryLimit& memory, ThreadPool& pool,
                            const Report& report) {
  expect_room_for_columns(transactions, limits.min_count, memory);
  const ItemBitmaps bitmaps(transactions, limits.min_count);
  const auto counter = candidate_counter(bitmaps, machine, pool, report);
  return find_levels(bitmaps, limits, *counter, pool, memory.left());
}

}  // namespace atl
