#include "src/app/starting_state.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "io/run_folder.hpp"
#include "src/app/outcome.hpp"

namespace atl {

namespace {

/// Where a checkpoint of another run was put among them, one before it may be the run's own.
bool has_own(const io::CheckpointStore& store, const Hash128& experiment,
             const Fingerprint& dataset) {
  const auto files = store.look();
  return std::any_of(files.begin(), files.end(), [&](const io::CheckpointFile& file) {
    return file.header && file.header->experiment == experiment && file.header->dataset == dataset;
  });
}

}  // namespace

std::optional<RunState> state_to_go_on_from(io::CheckpointStore* store,
                                            const Experiment& experiment,
                                            const IslandGrammars& grammars,
                                            const Fingerprint& dataset, const JobSettings& settings,
                                            const Archipelago& archipelago,
                                            Communicator& communicator) {
  const std::string bytes = on_root(communicator, [&]() -> std::string {
    const auto header = store->latest_header();
    if (!header) return {};
    const Hash128 own = experiment.hash();
    if (header->experiment != own && !has_own(*store, own, dataset)) {
      throw BadData(io::RunPaths(settings.folder).config,
                    "[experiment] is not that of the checkpoints; it must not change");
    }
    if (header->dataset != dataset && !has_own(*store, own, dataset)) {
      throw BadData(settings.dataset, "holds other data than those the run began with");
    }
    const auto state = store->latest(grammars, [&](const RunState& read) {
      if (read.header.experiment != own || read.header.dataset != dataset)
        throw BadBytes("it is of another experiment or other data");
      archipelago.expect_restorable(read);
      archipelago.expect_true(read);
    });
    if (!state) return {};
    const Bytes encoded = encode(*state);
    return {reinterpret_cast<const char*>(encoded.data()), encoded.size()};
  });
  if (bytes.empty()) return std::nullopt;
  return decode_run_state(std::as_bytes(std::span(bytes.data(), bytes.size())), grammars);
}

}  // namespace atl
