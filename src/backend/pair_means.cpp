#include "src/backend/pair_means.hpp"

#include <memory>
#include <utility>

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

/// Is it over before a GPU is open? A form that was asked for is the user's own measure.
bool is_short(const Machine& machine, std::optional<PairForm> form, const PairRows& rows) {
  if (form) return false;
  const auto threads =
      static_cast<double>(machine.threads != 0 ? machine.threads : allowed_cpus().size());
  const PairPlan plan(rows, form, PairMeans{}.band_rows);
  return plan.seconds() < least_seconds_of_cores * threads;
}

PairMeans chosen(const Machine& machine, std::optional<PairForm> form, const PairRows& rows,
                 const Context& context) {
  expect_backend(machine.backend);
  if (machine.backend == "reference") return by_reference();
  PairMeans means;
  means.form = form;
  const bool automatic = machine.backend == "auto";
  if (form == PairForm::lists || (automatic && is_short(machine, form, rows))) return means;
  auto choice = std::make_shared<BackendChoice>(choose_backend(
      machine, {.rows = rows.transactions(), .is_large = true}, context.communicator));
  if (!choice->device) return means;
  context.report(Severity::info, "counting pairs on " + choice->device->name);
  means.band_rows = 256;
  means.costs = gpu_costs;
  means.make_counter = [choice](PairForm its, const PairRows& all, std::uint32_t columns,
                                ThreadPool& pool) -> std::unique_ptr<PairCounter> {
    auto counter = choice->on_gpu([&](const cuda::DeviceOptions& options) {
      return std::unique_ptr<PairCounter>(
          cuda::make_pair_counter(its, all, columns, pool, options));
    });
    return counter ? std::move(counter) : make_pair_counter(its, all, columns, pool);
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
