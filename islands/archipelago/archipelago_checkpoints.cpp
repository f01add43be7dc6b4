// An archipelago's state: handed out in parts, taken up from the sections that a rank needs.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>
#include <vector>

#include "islands/archipelago/archipelago_state.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {

// Checks an island's last row. Some islands are ahead where they do not wait for each other.
void Archipelago::State::expect_last(const HistoryRow& last, std::uint32_t island,
                                     const RunStateHeader& header) const {
  if (last.island != island || last.best.size() != results->best().size() ||
      (synchronous() ? last.generation != header.generation
                     : last.generation < header.generation)) {
    throw BadBytes("the history of an island has gaps");
  }
}

void Archipelago::State::expect_whole(const RunState& run) const {
  const History history = history_of(run);
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
  for (std::uint32_t i = 0; i < experiment.islands; ++i) {
    expect_last(history.last[i], i, run.header);
    if (kept[i] != thinning.kept_up_to(history.last[i].generation)) {
      throw BadBytes("the history of an island has gaps");
    }
  }
}

std::vector<IslandHistory> Archipelago::State::own_histories(const RunState& run) const {
  std::vector<IslandHistory> own;
  if (has_history(run)) {
    History history = history_of(run);
    for (const Member& member : members)
      own.push_back({std::move(history.last[member.number]), {}});
    for (const HistoryRow& row : history.kept) {
      if (placement.rank_of(row.island) != communicator.rank()) continue;
      own[row.island - members.front().number].best.improves(row);
    }
    return own;
  }
  for (IslandHistory& island : island_histories_of(run)) {
    if (island.last.island >= experiment.islands) throw BadBytes("the history of no island");
    if (placement.rank_of(island.last.island) != communicator.rank()) continue;
    own.push_back(std::move(island));
  }
  if (own.size() != members.size()) throw BadBytes("the history of an island is missing");
  return own;
}

void Archipelago::expect_restorable(const RunState& run) const {
  const State& state = *state_;
  if (has_history(run)) state.expect_whole(run);
  std::vector<std::uint32_t> numbers;
  for (const IslandHistory& island : state.own_histories(run)) {
    numbers.push_back(state.members[numbers.size()].number);
    state.expect_last(island.last, numbers.back(), run.header);
  }
  state.search.expect_true(run, numbers);
}

void Archipelago::restore(const RunState& run) {
  State& state = *state_;
  if (has_history(run)) {
    state.expect_whole(run);
    for (HistoryRow& row : history_of(run).kept) {
      if (state.placement.rank_of(row.island) != state.communicator.rank()) continue;
      state.members[row.island - state.members.front().number].kept.push_back(std::move(row));
    }
  }
  std::vector<IslandHistory> histories = state.own_histories(run);
  for (Member& member : state.members) {
    IslandHistory& history = histories[state.index(member)];
    state.expect_last(history.last, member.number, run.header);
    ByteReader in(run.section(island_section(member.number), member.island->version()));
    member.last = std::move(history.last);
    member.best = std::move(history.best);
    member.island->load(in, *member.last);
    in.expect_end();
    member.handed_out = member.kept.size();
    state.note(member);
    state.evaluated_before += member.reached.evaluated;
  }
  merge_results(run, *state.results);
}

RunStateHeader Archipelago::State::header(std::uint32_t generation) const {
  RunStateHeader header;
  header.experiment = experiment.hash();
  header.dataset = dataset;
  header.generation = generation;
  return header;
}

PartialState Archipelago::part() {
  State& state = *state_;
  const Stopwatch watch(state.times.exchange);
  PartialState part;
  part.first_island = state.members.front().number;
  RunState& run = part.state;
  run.header = state.header(generation());
  std::vector<IslandHistory> histories;
  for (Member& member : state.members) {
    run.sections.push_back(section_of(member.number, *member.island));
    histories.push_back({*member.last, member.best});
    const auto first = member.kept.begin() + static_cast<std::ptrdiff_t>(member.handed_out);
    part.rows.insert(part.rows.end(), first, member.kept.end());
    member.handed_out = member.kept.size();
  }
  std::sort(part.rows.begin(), part.rows.end(), precedes);
  run.sections.push_back(section_of(histories));
  run.sections.push_back(section_of(*state.results, part_results_section(part.first_island)));
  return part;
}

// Ranks hand what they have merged to one half as far, in as many rounds as ranks double.
const Results* Archipelago::merged_results() {
  State& state = *state_;
  Communicator& communicator = state.communicator;
  const int rank = communicator.rank(), ranks = communicator.size();
  if (ranks == 1) return state.results.get();  // as it is: looks at it are many
  std::unique_ptr<Results> merged = state.search.results();
  const auto take_in = [&](const Bytes& bytes) {
    ByteReader in(bytes);
    merged->merge(in);
    in.expect_end();
  };
  take_in(section_of(*state.results).bytes);
  bool ends_here = true;
  for (int far = 1; ends_here && far < ranks; far *= 2) {
    if (rank % (2 * far) != 0) {
      communicator.post(Channel::results, {rank - far, section_of(*merged).bytes});
      ends_here = false;
    } else if (rank + far < ranks) {
      std::optional<Message> message;
      while (!(message = communicator.poll(Channel::results))) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
      take_in(message->bytes);
    }
  }
  communicator.barrier();
  communicator.drain(Channel::results);
  state.merged = std::move(merged);
  return ends_here ? state.merged.get() : nullptr;
}

std::optional<RunState> Archipelago::found(const Results* merged) {
  State& state = *state_;
  std::vector<HistoryRow> last;
  for (const Member& member : state.members) last.push_back(*member.last);
  const auto parts = state.communicator.gather(encode(last), 0);
  if (merged == nullptr) return std::nullopt;
  History history;
  for (const Bytes& part : parts) {  // ranks have runs of neighbouring islands
    for (HistoryRow& row : decode_history_rows(part)) history.last.push_back(std::move(row));
  }
  RunState found;
  found.header = state.header(generation());
  found.sections = {section_of(*merged), history_section(history)};
  return found;
}

std::optional<RunState> Archipelago::whole_state() {
  State& state = *state_;
  RunState own;
  std::vector<HistoryRow> kept;
  for (const Member& member : state.members) {
    own.sections.push_back(section_of(member.number, *member.island));
    kept.insert(kept.end(), member.kept.begin(), member.kept.end());
  }
  own.header.generation = generation();
  const auto states = state.communicator.gather(encode(own), 0);
  const auto rows = state.communicator.gather(encode(kept), 0);
  auto whole = found(merged_results());
  if (!whole) return std::nullopt;
  History history = history_of(*whole);
  RunState run;
  run.header = whole->header;
  for (std::size_t rank = 0; rank < states.size(); ++rank) {
    RunState part = decode_run_state(states[rank]);
    run.header.generation = std::min(run.header.generation, part.header.generation);
    std::move(part.sections.begin(), part.sections.end(), std::back_inserter(run.sections));
    add_to_history(history.kept, decode_history_rows(rows[rank]));
  }
  run.sections.push_back(std::move(whole->sections.front()));
  run.sections.push_back(history_section(history));
  return run;
}

}  // namespace atl
