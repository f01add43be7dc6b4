#include "src/app/starting_state.hpp"

#include <span>
#include <string>

#include "io/run_folder.hpp"
#include "src/app/outcome.hpp"

namespace atl {

std::optional<RunState> state_to_go_on_from(io::CheckpointStore* store,
                                            const Experiment& experiment,
                                            const IslandGrammars& grammars,
                                            const Fingerprint& dataset, const JobSettings& settings,
                                            Communicator& communicator) {
  const std::string bytes = on_root(communicator, [&]() -> std::string {
    const auto header = store->latest_header();
    if (!header) return {};
    if (header->experiment != experiment.hash()) {
      throw BadData(io::RunPaths(settings.folder).config,
                    "[experiment] is not that of the checkpoints; it must not change");
    }
    if (header->dataset != dataset) {
      throw BadData(settings.dataset, "holds other data than those the run began with");
    }
    const auto state = store->latest(grammars);
    if (!state) return {};
    const Bytes encoded = encode(*state);
    return {reinterpret_cast<const char*>(encoded.data()), encoded.size()};
  });
  if (bytes.empty()) return std::nullopt;
  return decode_run_state(std::as_bytes(std::span(bytes.data(), bytes.size())), grammars);
}

}  // namespace atl
