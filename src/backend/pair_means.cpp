#include "src/backend/pair_means.hpp"

#include <array>
#include <cstdint>
#include <memory>

#include "cuda/pairs/pair_counter.hpp"
#include "src/backend/choice.hpp"
#include "src/core/cpus.hpp"

namespace atl {
namespace {

/// A GPU takes a quarter of a second to open.
constexpr double least_seconds_of_cores = 0.5;

PairMeans by_reference() {
  PairMeans means;
  means.form = PairForm::bitmap;  // of which all pairs are in rectangles
  means.make_counter = [](PairForm, const PairRows& rows, std::uint32_t, ThreadPool&) {
    return make_reference_pair_counter(rows);
  };
  return means;
}

/// Is it over on all ranks before a GPU is open? A form that was asked for is the user's own
/// measure. Collective, as ranks may have different numbers of threads.
bool is_short(const Machine& machine, std::optional<PairForm> form, const PairRows& rows,
              Communicator& ranks) {
  if (form) return false;
  const auto threads =
      static_cast<double>(machine.threads != 0 ? machine.threads : allowed_cpus().size());
  const PairPlan plan(rows, form, PairMeans{}.band_rows);
  std::array<std::uint64_t, 1> long_on = {plan.seconds() < least_seconds_of_cores * threads ? 0U
                                                                                            : 1U};
  ranks.all_reduce_sum(long_on);
  return long_on[0] == 0;
}

PairMeans chosen(const Machine& machine, std::optional<PairForm> form, const PairRows& rows,
                 const Context& context) {
  expect_backend(machine.backend);
  if (machine.backend == "reference") return by_reference();
  PairMeans means;
  means.form = form;
  const bool automatic = machine.backend == "auto";
  if (form == PairForm::lists || (automatic && is_short(machine, form, rows, context.communicator)))
    return means;
  auto choice = std::make_shared<BackendChoice>(choose_backend(
      machine, {.rows = rows.transactions(), .is_large = true}, context.communicator));
  if (!choice->device) return means;
  context.report(Severity::info, "counting pairs on " + choice->device->name);
  means.band_rows = 256;
  means.costs = gpu_costs;
  means.make_counter = [choice, &context](PairForm its, const PairRows& all, std::uint32_t columns,
                                          ThreadPool& pool) -> std::unique_ptr<PairCounter> {
    auto counter = choice->on_gpu([&](const cuda::DeviceOptions& options) {
      return std::unique_ptr<PairCounter>(
          cuda::make_pair_counter(its, all, columns, pool, options));
    });
    if (counter) return counter;
    context.report(Severity::info, "the cores count pairs instead: " + choice->reason);
    return make_pair_counter(its, all, columns, pool);
  };
  return means;
}

}  // namespace

ChoosePairMeans pair_means(const Machine& machine, std::optional<PairForm> form,
                           const Context& context) {
  return [&machine, form, &context](const PairRows& rows) {
    return chosen(machine, form, rows, context);
  };
}

}  // namespace atl
