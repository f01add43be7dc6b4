#include "src/app/itemset_levels.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cuda/itemsets/apriori_counter.hpp"
#include "src/app/backend.hpp"
#include "src/config/experiment.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/levels/apriori.hpp"

namespace atl {

namespace {

/// @throws UsageError if the columns alone take more
void expect_room(const TransactionSet& transactions, const ItemsetLimits& limits,
                 const MemoryLimit& memory) {
  const auto items = static_cast<std::uint64_t>(std::ranges::count_if(
      transactions.supports(), [&](std::uint32_t support) { return support >= limits.min_count; }));
  const std::uint64_t bytes = ItemBitmaps::bytes(items, transactions.size());
  const std::uint64_t left = memory.left();
  if (bytes <= left) return;
  throw UsageError(fmt::format(
      "apriori needs {} MiB for the bit columns of {}, beyond what --memory-limit leaves ({} MiB): "
      "take a greater support, or the default algorithm",
      (bytes >> 20) + 1, counted(items, "frequent item"), left >> 20));
}

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

bool is_apriori(const std::string& algorithm) {
  if (algorithm.empty()) return false;
  if (algorithm == "apriori") return true;
  throw UsageError("--algorithm: '" + printable(algorithm) + "', expected apriori");
}

ItemsetLevels search_levels(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const Machine& machine, const MemoryLimit& memory, ThreadPool& pool,
                            const Report& report) {
  expect_room(transactions, limits, memory);
  const ItemBitmaps bitmaps(transactions, limits.min_count);
  const ChosenCounter chosen = choose_counter(bitmaps, transactions.size(), machine, pool);
  report(Severity::info, "apriori on " + chosen.name);
  return find_levels(bitmaps, limits, *chosen.counter, pool, memory.left());
}

}  // namespace atl
