// An archipelago's state: given away in parts, taken up as a whole.
#include <algorithm>
#include <utility>
#include <vector>

#include "islands/archipelago_state.hpp"
#include "islands/run_sections.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

void Archipelago::State::expect_whole(const RunState& run,
                                      std::span<const HistoryRow> history) const {
  if (run.sections.size() != std::size_t{experiment.islands} + 2) {  // results and history
    throw BadBytes("the number of islands is not that of the experiment");
  }
  const std::size_t measures = results->best().size();
  std::vector<std::size_t> generations(experiment.islands, 0);
  for (const HistoryRow& row : history) {
    if (row.island >= generations.size()) throw BadBytes("a history row of no island");
    if (row.generation != generations[row.island]++)
      throw BadBytes("the history of an island has gaps");
    if (row.best.size() != measures) throw BadBytes("a history row has wrong measures");
  }
  // Where islands do not wait for each other, some are ahead.
  const std::size_t least = std::size_t{run.header.generation} + 1;
  const bool synchronous = experiment.migration == Migration::synchronous;
  for (const std::size_t its : generations) {
    if (synchronous ? its != least : its < least)
      throw BadBytes("the history of an island has gaps");
  }
}

void Archipelago::expect_restorable(const RunState& run) const {
  state_->expect_whole(run, history_of(run));
  state_->search.expect_true(run);
}

void Archipelago::restore(const RunState& run) {
  State& state = *state_;
  std::vector<HistoryRow> history = history_of(run);
  state.expect_whole(run, history);
  const std::uint32_t first = state.members.front().number;
  for (HistoryRow& row : history) {
    if (state.placement.rank_of(row.island) != state.communicator.rank()) continue;
    state.members[row.island - first].history.push_back(std::move(row));
  }
  for (Member& member : state.members) {
    ByteReader in(run.section(island_section(member.number), member.island->version()));
    member.island->load(in, member.history.back());
    in.expect_end();
    member.gathered = member.history.size();
    state.note(member);
    state.evaluated_before += member.reached.evaluated;
  }
  ByteReader in(run.section(results_section, state.results->version()));
  state.results->merge(in);
  in.expect_end();
}

std::optional<PartialState> Archipelago::State::gather(std::uint32_t generation) {
  const Stopwatch watch(times.exchange);
  RunState run;
  run.header.experiment = experiment.hash();
  run.header.dataset = dataset;
  run.header.generation = generation;
  std::vector<HistoryRow> rows;
  for (Member& member : members) {
    run.sections.push_back(section_of(member.number, *member.island));
    const auto first = member.history.begin() + static_cast<std::ptrdiff_t>(member.gathered);
    rows.insert(rows.end(), first, member.history.end());
    member.gathered = member.history.size();
  }
  std::sort(rows.begin(), rows.end(), precedes);
  run.sections.push_back(section_of(*results));
  run.sections.push_back(history_section(rows));
  if (communicator.size() == 1) return PartialState{std::move(run), {}};

  auto parts = communicator.gather(encode(run), 0);
  if (communicator.rank() != 0) return std::nullopt;
  parts.erase(parts.begin());
  for (const Bytes& part : parts) {
    run.header.generation = std::min(run.header.generation, decode_header(part).generation);
  }
  return PartialState{std::move(run), std::move(parts)};
}

std::optional<PartialState> Archipelago::gather() {
  return state_->gather(generation());
}

std::optional<RunState> Archipelago::whole_state() {
  std::vector<std::size_t> gathered;
  for (Member& member : state_->members) gathered.push_back(std::exchange(member.gathered, 0));
  auto parts = gather();
  for (std::size_t i = 0; i < gathered.size(); ++i) state_->members[i].gathered = gathered[i];
  if (!parts) return std::nullopt;
  return StateAssembler(state_->search, {}).assemble(std::move(*parts));
}

}  // namespace atl
