#include "src/run/loop/mining_parts.hpp"

#include "src/core/agreement.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/time_line.hpp"
#include "src/grammar/aim.hpp"
#include "src/work/rank_place.hpp"

namespace atl {
namespace {

std::unique_ptr<Backend> open_backend(const JobSettings& settings, std::uint64_t rows,
                                      Communicator& communicator) {
  const TimedPhase phase("open the device");
  const bool lists = !settings.configuration.experiment.kind().single_rules;
  return settings.choose_backend(settings.configuration.machine, {rows, lists}, communicator);
}

std::shared_ptr<Resident> load_on_gpu(const Dataset& dataset, Backend& backend,
                                      Communicator& communicator) {
  const TimedPhase phase("copy to the device");
  std::shared_ptr<Resident> loaded;
  on_all(communicator, [&] { loaded = backend.load_on_gpu(dataset); });
  if (loaded) time_line().add_bytes(dataset.bytes_held());
  return loaded;
}

std::unique_ptr<Reducer> fastest_reducer(const Teams& teams, Backend& backend) {
  if (teams.members() == nullptr) return nullptr;
  return std::move(backend.make_reducers(*teams.members()).front());
}

std::map<std::uint32_t, BoundGrammar> grammars_of(const JobSettings& settings,
                                                  std::span<const Attribute> attributes) {
  const Experiment& experiment = settings.configuration.experiment;
  if (!experiment.kind().single_rules) return {};
  return bind_grammars(experiment, attributes, settings.grammar);
}

}  // namespace

MiningParts::MiningParts(const Context& context, const JobSettings& settings)
    : teams(settings.configuration, context.communicator),
      rows(timed(load_seconds,
                 [&] {
                   const TimedPhase phase("rows");
                   const Experiment& experiment = settings.configuration.experiment;
                   JobRows loaded =
                       load_rows(settings, search_bins(experiment), context.communicator, &teams);
                   keep_sampled_rows(loaded, experiment, context.communicator);
                   return loaded;
                 })),
      bound(grammars_of(settings, dataset().attributes())),
      grammars(bound),
      backend(open_backend(settings, dataset().rows(), context.communicator)),
      on_gpu(timed(device_seconds,
                   [&] { return load_on_gpu(dataset(), *backend, context.communicator); })),
      pool(threads_of(settings.configuration.machine.threads, context.communicator)),
      resident(on_gpu ? on_gpu : backend->load(dataset(), pool)),
      reducer(fastest_reducer(teams, *backend)),
      tables(
          rows,
          [this, &settings] {
            return load_exact_rows(settings, rows, teams.size() > 1 ? &teams : nullptr);
          },
          *backend, resident, pool, context.report, &teams) {}

}  // namespace atl
