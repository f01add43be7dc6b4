// An archipelago's state: given away in parts, taken up as a whole.
#include <algorithm>
#include <utility>
#include <vector>

#include "islands/archipelago_state.hpp"
#include "islands/run_sections.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

void Archipelago::State::expect_whole(const RunState& run, const History& history) const {
  if (run.sections.size() != std::size_t{experiment.islands} + 2) {  // results and history
    throw BadBytes("the number of islands is not that of the experiment");
  }
  const std::size_t measures = results->best().size();
  if (history.last.size() != experiment.islands) {
    throw BadBytes("the history lacks the last row of an island");
  }
  std::vector<std::uint64_t> kept(experiment.islands, 0);
  for (const HistoryRow& row : history.kept) {
    if (row.island >= experiment.islands) throw BadBytes("a history row of no island");
    if (row.best.size() != measures) throw BadBytes("a history row has wrong measures");
    if (row.generation > history.last[row.island].generation) {
      throw BadBytes("a history row is of a generation to come");
    }
    if (thinning.keeps(row.generation)) ++kept[row.island];
  }
  // Where islands do not wait for each other, some are ahead.
  const bool synchronous = experiment.migration == Migration::synchronous;
  for (std::uint32_t i = 0; i < experiment.islands; ++i) {
    const HistoryRow& last = history.last[i];
    if (last.island != i || last.best.size() != measures ||
        (synchronous ? last.generation != run.header.generation
                     : last.generation < run.header.generation) ||
        kept[i] != thinning.kept_up_to(last.generation)) {
      throw BadBytes("the history of an island has gaps");
    }
  }
}

void Archipelago::expect_restorable(const RunState& run) const {
  state_->expect_whole(run, history_of(run));
  state_->search.expect_true(run);
}

void Archipelago::restore(const RunState& run) {
  State& state = *state_;
  History history = history_of(run);
  state.expect_whole(run, history);
  const std::uint32_t first = state.members.front().number;
  for (HistoryRow& row : history.kept) {
    if (state.placement.rank_of(row.island) != state.communicator.rank()) continue;
    Member& member = state.members[row.island - first];
    member.best.improves(row);
    member.kept.push_back(std::move(row));
  }
  for (Member& member : state.members) {
    ByteReader in(run.section(island_section(member.number), member.island->version()));
    member.last = history.last[member.number];
    member.island->load(in, *member.last);
    in.expect_end();
    member.gathered = member.kept.size();
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
  History history;
  for (Member& member : members) {
    run.sections.push_back(section_of(member.number, *member.island));
    const auto first = member.kept.begin() + static_cast<std::ptrdiff_t>(member.gathered);
    history.kept.insert(history.kept.end(), first, member.kept.end());
    history.last.push_back(*member.last);
    member.gathered = member.kept.size();
  }
  std::sort(history.kept.begin(), history.kept.end(), precedes);
  run.sections.push_back(section_of(*results));
  run.sections.push_back(history_section(history));
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
