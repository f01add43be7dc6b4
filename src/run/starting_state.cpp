#include "src/run/starting_state.hpp"

#include <span>
#include <string>

#include "io/run/run_folder.hpp"
#include "src/core/agreement.hpp"

namespace atl {

std::optional<RunState> state_to_go_on_from(io::CheckpointStore* store,
                                            const Experiment& experiment,
                                            const Fingerprint& dataset, const JobSettings& settings,
                                            const Archipelago& archipelago,
                                            Communicator& communicator) {
  const Bytes bytes = bytes_of_root(communicator, [&]() -> Bytes {
    const Hash128 own = experiment.hash();
    const auto is_own = [&](const RunStateHeader& header) {
      return header.experiment == own && header.dataset == dataset;
    };
    const auto begin_anew = [&]() -> Bytes {
      if (!settings.needs_checkpoint) return {};
      throw BadData(settings.folder,
                    "has no checkpoint any more, and another user has named its data: it cannot "
                    "begin again; mine into a run of your own");
    };
    const auto header = store->latest_header(is_own);
    if (!header) return begin_anew();
    if (header->experiment != own) {
      throw BadData(io::RunPaths(settings.folder).config,
                    "[experiment] is not that of the checkpoints; it must not change");
    }
    if (header->dataset != dataset) {
      throw BadData(settings.dataset, "holds other data than those the run began with");
    }
    const auto state = store->latest([&](const RunState& read) {
      if (!is_own(read.header)) throw BadBytes("it is of another experiment or other data");
      archipelago.expect_restorable(read);
    });
    if (!state) return begin_anew();
    return encode(*state);
  });
  if (bytes.empty()) return std::nullopt;
  return decode_run_state(bytes);
}

}  // namespace atl
