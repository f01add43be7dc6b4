#include "src/run/machine/teams.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {
namespace {

constexpr std::size_t trials = 9;
/// About the numbers of 16 islands of 200 rules.
constexpr std::size_t usual_numbers = 16000;

/// Rows from which a team gains, about; docs/how-to/teams.md has them, too. docs/notes/scaling.md
/// has what they are estimated from.
constexpr std::uint64_t rows_on_gpus = 5'000'000, rows_on_cores = 1'000'000;

}  // namespace

void add_up(Reducer& reducer, std::vector<std::uint64_t>& numbers) {
  reducer.begin(std::move(numbers));
  while (true) {
    if (auto sums = reducer.poll()) {
      numbers = std::move(*sums);
      return;
    }
    std::this_thread::yield();
  }
}

double adding_seconds(Reducer& reducer, std::size_t numbers, Communicator& members) {
  std::vector<std::uint64_t> nanoseconds(static_cast<std::size_t>(members.size()));
  std::vector<std::uint64_t> zeros(numbers);
  add_up(reducer, zeros);  // what is made at first
  std::vector<double> all;
  for (std::size_t i = 0; i < trials; ++i) {
    members.barrier();
    const auto start = std::chrono::steady_clock::now();
    add_up(reducer, zeros);
    all.push_back(seconds_since(start));
  }
  std::nth_element(all.begin(), all.begin() + trials / 2, all.end());
  nanoseconds[static_cast<std::size_t>(members.rank())] =
      static_cast<std::uint64_t>(1e9 * all[trials / 2]);
  members.all_reduce_sum(nanoseconds);
  return 1e-9 * static_cast<double>(*std::max_element(nanoseconds.begin(), nanoseconds.end()));
}

void put_fastest_first(std::vector<std::unique_ptr<Reducer>>& reducers, Communicator& members) {
  std::size_t fastest = 0;
  double least = 0;
  for (std::size_t i = 0; i < reducers.size() && reducers.size() > 1; ++i) {
    const double seconds = adding_seconds(*reducers[i], usual_numbers, members);
    if (i != 0 && seconds >= least) continue;
    least = seconds;
    fastest = i;
  }
  std::rotate(reducers.begin(), reducers.begin() + static_cast<std::ptrdiff_t>(fastest),
              reducers.begin() + static_cast<std::ptrdiff_t>(fastest) + 1);
}

int team_size(const RunConfiguration& configuration, int ranks) {
  const std::uint32_t size = configuration.machine.team.value_or(1);
  if (size == 1) return 1;
  const std::string option = "--team " + std::to_string(size) + ": ";
  const Experiment& experiment = configuration.experiment;
  if (!experiment.kind().teams) {
    throw UsageError(option + "decision lists are learnt by each rank alone");
  }
  if (experiment.migration == Migration::asynchronous) {
    throw UsageError(option +
                     "the ranks of a team go on in step, which --migration asynchronous does not");
  }
  if (static_cast<std::uint32_t>(ranks) % size != 0) {
    throw UsageError(option + std::to_string(ranks) + (ranks == 1 ? " rank does" : " ranks do") +
                     " not form such teams: start a multiple of " + std::to_string(size) +
                     ", or with --team 1");
  }
  const std::uint32_t teams = static_cast<std::uint32_t>(ranks) / size;
  if (teams > experiment.islands) {
    throw UsageError(option + std::to_string(ranks) + " ranks are " + std::to_string(teams) +
                     " teams, which cannot share " + counted(experiment.islands, "island") +
                     ": start at most " + std::to_string(experiment.islands * size) +
                     ", or mine with more --islands");
  }
  return static_cast<int>(size);
}

Teams::Teams(const RunConfiguration& configuration, Communicator& ranks) : ranks_(ranks) {
  const int size = team_size(configuration, ranks.size());
  if (size == 1) return;
  members_ = ranks.split(ranks.rank() / size);
  lane_ = ranks.split(ranks.rank() % size);
  counting_.emplace(*members_, configuration.machine.split);
}

bool failed_itself(const Outcome& outcome) {
  return outcome.failed && outcome.message != CountingTeam::other_failed;
}

void leave_unfit_team(RunConfiguration& configuration, int ranks, const Report& report) {
  const std::uint32_t size = configuration.machine.team.value_or(1);
  const auto all = static_cast<std::uint32_t>(ranks);
  const std::uint32_t islands = configuration.experiment.islands;
  if (size == 1 || all > islands || (all % size == 0 && all / size <= islands)) return;
  configuration.machine.team.reset();
  report(Severity::info, "the run's teams of " + std::to_string(size) + " do not fit " +
                             counted(all, "rank") + ": in this job each counts alone");
}

void tell_of_small_tables(const Teams& teams, std::uint32_t islands, std::uint64_t rows,
                          bool on_gpu, const Report& report) {
  const std::uint64_t least = on_gpu ? rows_on_gpus : rows_on_cores;
  if (teams.size() == 1 || rows >= least) return;
  report(Severity::info, "--team " + std::to_string(teams.size()) + ": " + std::to_string(rows) +
                             " rows are fewer than the " + std::to_string(least) +
                             " from which a team gains; " +
                             (static_cast<std::uint32_t>(teams.size() * teams.teams()) <= islands
                                  ? "ranks with islands of their own are faster"
                                  : "fewer ranks are as fast"));
}

}  // namespace atl
