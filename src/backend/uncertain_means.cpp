#include "src/backend/uncertain_means.hpp"

#include <memory>
#include <string>

#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/uncertain/device_support_meter.hpp"
#include "src/backend/choice.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

/// Each takes it a millisecond or more.
constexpr std::uint64_t candidates_of_reference = 256;

UncertainMeans reference_means(const UncertainColumns& columns) {
  return {make_reference_candidate_counter(columns.bitmaps), make_reference_support_meter(columns)};
}

UncertainMeans means_of_cores(const UncertainColumns& columns, ThreadPool& pool) {
  return {make_cpu_candidate_counter(columns.bitmaps, pool), make_cpu_support_meter(columns, pool)};
}

UncertainMeans means_of_device(const UncertainColumns& columns,
                               const cuda::DeviceOptions& options) {
  UncertainMeans means;
  means.counter = cuda::make_apriori_counter(columns.bitmaps, options);
  means.meter = cuda::make_device_support_meter(columns, options);
  return means;
}

/// A GPU takes a quarter of a second to open, in which 16 cores are done with a million of them.
constexpr std::uint64_t transactions_of_gpu = 5'000'000;

}  // namespace

ChooseUncertainMeans uncertain_means(const Machine& machine, const Context& context) {
  return [&machine, &context](std::uint64_t transactions, Worker& worker) -> MakeUncertainMeans {
    expect_backend(machine.backend);
    ThreadPool* const pool = &worker.pool;
    Machine wanted = machine;
    if (wanted.backend == "auto" && transactions < transactions_of_gpu) wanted.backend = "cpu";
    const auto choice = std::make_shared<BackendChoice>(
        choose_backend(wanted, {transactions}, context.communicator));
    std::string name = choice->name;
    if (choice->device) name = choice->device->name;
    if (choice->name == "cpu") name = "the CPU, " + counted(pool->threads(), "thread");
    context.report(Severity::info, "probabilistic itemsets on " + name);
    if (choice->name == "reference") return reference_means;
    return [choice, pool, &context](const UncertainColumns& columns) {
      if (!choice->device) return means_of_cores(columns, *pool);
      auto means = choice->on_gpu([&](const cuda::DeviceOptions& options) {
        return std::make_unique<UncertainMeans>(means_of_device(columns, options));
      });
      if (means) return std::move(*means);
      context.report(Severity::info, "the cores search instead: " + choice->reason);
      return means_of_cores(columns, *pool);
    };
  };
}

}  // namespace atl
