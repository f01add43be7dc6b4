#include "src/backend/uncertain_means.hpp"

#include <memory>
#include <string>

#include "cuda/uncertain/device_means.hpp"
#include "src/backend/choice.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

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
      if (!choice->device) return means_of_cores(*pool)(columns);
      auto means = choice->on_gpu([&](const cuda::DeviceOptions& options) {
        return std::make_unique<UncertainMeans>(cuda::means_of_device(options)(columns));
      });
      if (means) return std::move(*means);
      context.report(Severity::info, "the cores search instead: " + choice->reason);
      return means_of_cores(*pool)(columns);
    };
  };
}

}  // namespace atl
