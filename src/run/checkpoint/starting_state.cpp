#include "src/run/checkpoint/starting_state.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/agreement.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {
namespace {

/// The islands of a part of a checkpoint.
struct Range {
  std::uint32_t first = 0, end = 0;
  bool meets(const Range& other) const noexcept { return first < other.end && other.first < end; }
  bool has(std::uint32_t island) const noexcept { return first <= island && island < end; }
};

/// Shares of a checkpoint that the ranks of a job take up.
class Shares {
 public:
  /// @param manifest  without sections but on rank 0
  /// @param team_size  ranks with the same islands, which are neighbours
  Shares(const io::CheckpointManifest& manifest, std::uint32_t islands, int ranks, int team_size)
      : manifest_(manifest), placement_{islands, ranks / team_size}, team_size_(team_size) {}

  /// @throws BadBytes, IoError
  RunState of(int rank, const io::Folder& run) const {
    const int team = rank / team_size_;
    const Range wanted{placement_.first_island(team), placement_.first_island(team + 1)};
    RunState share;
    share.header = manifest_.own.header;
    if (islands_of(0).meets(wanted)) {
      if (manifest_.own.sections.empty()) {
        add(share, io::read_manifest(run, share.header.generation).own, islands_of(0), wanted);
      } else {
        add(share, manifest_.own, islands_of(0), wanted);
      }
    }
    for (std::size_t i = 0; i < manifest_.parts.size(); ++i) {
      const Range its = islands_of(i + 1);
      if (!its.meets(wanted)) continue;
      add(share, io::read_part(run, share.header.generation, manifest_.parts[i]), its, wanted);
    }
    return share;
  }

 private:
  // File 0 is the checkpoint's own.
  Range islands_of(std::size_t file) const {
    const auto& parts = manifest_.parts;
    const std::uint32_t first = file == 0 ? 0 : parts[file - 1].first_island;
    return {first, file == parts.size() ? placement_.islands : parts[file].first_island};
  }

  // Adds a rank's sections. Only one rank takes each section of results; a state of a former
  // version goes to all as it is.
  static void add(RunState& share, const RunState& part, const Range& its, const Range& wanted) {
    for (const Section& section : part.sections) {
      if (is_results_section(section.name) && !has_history(part) && !wanted.has(its.first))
        continue;
      if (const auto island = island_of_section(section.name); island && !has_history(part)) {
        if (!wanted.has(*island)) continue;
      }
      share.sections.push_back(section);
    }
  }

  const io::CheckpointManifest& manifest_;
  Placement placement_;
  int team_size_;
};

constexpr auto damaged = ExitStatus::bad_data;

/// Tries a checkpoint that rank 0 has found.
class Attempt {
 public:
  Attempt(const JobSettings& settings, const RunView& view, const Archipelago& archipelago,
          int team_size, Communicator& communicator)
      : settings_(settings),
        view_(view),
        archipelago_(archipelago),
        team_size_(team_size),
        communicator_(communicator) {}

  /// Collective. @return this rank's share. @throws on all ranks: BadBytes if some rank finds it
  /// damaged, AgreedError
  RunState operator()(const io::CheckpointManifest& manifest) {
    const auto islands = settings_.configuration.experiment.islands;
    const Shares shares(manifest, islands, communicator_.size(), team_size_);
    std::optional<RunState> share;
    agree([&] { share = read(shares); });
    agree([&] { archipelago_.expect_restorable(*share); });  // a team counts together
    return std::move(*share);
  }

 private:
  void agree(const std::function<void()>& step) {
    const Outcome own = outcome_of([&] {
      try {
        step();
        return ExitStatus::done;
      } catch (const BadBytes& error) {
        throw Error(damaged, error.what());
      }
    });
    std::vector<Outcome> all = all_outcomes(own, communicator_);
    if (std::any_of(all.begin(), all.end(), failed_itself)) {  // it says by what
      for (Outcome& its : all) its.failed = failed_itself(its);
    }
    std::optional<BadBytes> bad;
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      const Outcome& its = all[static_cast<std::size_t>(rank)];
      if (!its.failed) continue;
      if (its.status != damaged) throw AgreedError(its.status, with_rank(rank, its.message));
      if (!bad) bad.emplace(its.message);
    }
    if (bad) throw *bad;
  }

  RunState read(const Shares& shares) {
    if (communicator_.rank() == 0) {
      send_to_the_blind(shares);
      return shares.of(0, settings_.lock->folder());
    }
    if (view_.folder) return shares.of(communicator_.rank(), *view_.folder);
    std::optional<Message> message;
    while (!(message = communicator_.poll(Channel::checkpoint))) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (message->bytes.empty()) throw BadBytes("rank 0 cannot read it");
    return decode_run_state(message->bytes);
  }

  // Whoever waits is answered, with nothing if there is nothing for it.
  void send_to_the_blind(const Shares& shares) {
    std::exception_ptr failure;
    for (int rank = 1; rank < communicator_.size(); ++rank) {
      if (view_.sees[static_cast<std::size_t>(rank)]) continue;
      Bytes bytes;
      try {
        if (!failure) bytes = encode(shares.of(rank, settings_.lock->folder()));
      } catch (...) {
        failure = std::current_exception();
      }
      communicator_.post(Channel::checkpoint, {rank, std::move(bytes)});
    }
    if (failure) std::rethrow_exception(failure);
  }

  const JobSettings& settings_;
  const RunView& view_;
  const Archipelago& archipelago_;
  int team_size_;
  Communicator& communicator_;
};

/// Looks for a checkpoint on rank 0, while the others wait for what it finds.
class Finder {
 public:
  Finder(io::CheckpointStore& store, const JobSettings& settings, const Fingerprint& dataset,
         const Context& context, Attempt& attempt)
      : store_(store),
        settings_(settings),
        dataset_(dataset),
        context_(context),
        attempt_(attempt) {}

  StartingState find() {
    const io::Folder& run = settings_.lock->folder();
    StartingState state;
    if (expect_own()) {
      const bool lost = history_is_lost();
      state = newest(!lost);
      if (lost) {
        context_.report(Severity::warning,
                        "history.csv begins after generation " +
                            std::to_string(state.own->header.generation) +
                            ": what the run has kept of it until then is damaged");
      }
    }
    if (!state.own && settings_.needs_checkpoint) {
      throw BadData(settings_.folder,
                    "has no checkpoint any more, and another user has named its data: it cannot "
                    "begin again; mine into a run of your own");
    }
    if (!state.own && has_kept_history()) {
      context_.report(Severity::warning,
                      "the run has begun checkpoints, but none is whole: it begins again");
    }
    if (!state.history) state.history = std::make_unique<io::HistoryFile>(run, io::HistoryEnd());
    return state;
  }

 private:
  bool is_own(const RunStateHeader& header) const {
    return header.experiment == experiment_ && header.dataset == dataset_;
  }

  /// @return is there a checkpoint? @throws BadData if all are another run's
  bool expect_own() {
    const auto header = store_.latest_header([&](const RunStateHeader& of) { return is_own(of); });
    if (!header) return false;
    if (header->experiment != experiment_) {
      throw BadData(io::RunPaths(settings_.folder).config,
                    "[experiment] is not that of the checkpoints; it must not change");
    }
    if (header->dataset != dataset_) {
      throw BadData(settings_.dataset, "holds other data than those the run began with");
    }
    return true;
  }

  /// Is there a kept history, which only checkpoints write?
  bool has_kept_history() const {
    const auto checkpoints = settings_.lock->folder().folder(io::run_names::checkpoints);
    return checkpoints && checkpoints->has(io::run_names::kept_history);
  }

  /// Is that of all checkpoints damaged?
  bool history_is_lost() const {
    const io::Folder& run = settings_.lock->folder();
    bool lost = false;
    const auto look = [&](const io::CheckpointManifest& found) {
      if (!is_own(found.own.header)) throw BadBytes("it is of another experiment or other data");
      lost = true;
      io::verify_history(run, found.history);
      lost = false;
    };
    try {
      io::CheckpointStore(run, 1, [](Severity, const std::string&) {}).newest(look);
      return false;
    } catch (const BadData&) {
      return lost;
    }
  }

  StartingState newest(bool with_history) {
    const io::Folder& run = settings_.lock->folder();
    StartingState state;
    store_.newest([&](const io::CheckpointManifest& found) {
      if (!is_own(found.own.header)) throw BadBytes("it is of another experiment or other data");
      if (with_history) state.history = std::make_unique<io::HistoryFile>(run, found.history);
      io::CheckpointManifest outline{{found.own.header, {}}, found.parts, found.history};
      context_.communicator.broadcast(io::encode(outline), 0);
      state.own = attempt_(found);
    });
    return state;
  }

  io::CheckpointStore& store_;
  const JobSettings& settings_;
  const Hash128 experiment_ = settings_.configuration.experiment.hash();
  const Fingerprint& dataset_;
  const Context& context_;
  Attempt& attempt_;
};

}  // namespace

StartingState state_to_go_on_from(io::CheckpointStore* store, const Fingerprint& dataset,
                                  const JobSettings& settings, const RunView& view,
                                  const Archipelago& archipelago, int team_size,
                                  const Context& context) {
  Communicator& ranks = context.communicator;
  Attempt attempt(settings, view, archipelago, team_size, ranks);
  StartingState state;
  if (store == nullptr) {
    // Goes on until rank 0 has come to an end, which on_root tells of.
    for (Bytes outline; !(outline = ranks.broadcast({}, 0)).empty();) {
      state.own.reset();
      try {
        state.own = attempt(io::decode_manifest(outline));
      } catch (const BadBytes&) {
      } catch (const AgreedError&) {
      }
    }
    on_root(ranks, [] {});
    return state;
  }
  std::exception_ptr failure;
  try {
    state = Finder(*store, settings, dataset, context, attempt).find();
  } catch (...) {
    failure = std::current_exception();
  }
  ranks.broadcast({}, 0);
  on_root(ranks, [&] {
    if (failure) std::rethrow_exception(failure);
  });
  return state;
}

}  // namespace atl
