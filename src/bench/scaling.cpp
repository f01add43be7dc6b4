#include "src/bench/scaling.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <time.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "islands/algorithms.hpp"
#include "islands/archipelago/archipelago.hpp"
#include "islands/rule_search.hpp"
#include "src/bench/metered_communicator.hpp"
#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t epochs = 20;

/// Since the process began, to about 10 ms. 0 where the system does not tell.
double process_age() {
  std::ifstream in("/proc/self/stat");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 0; i < 19; ++i) fields >> skipped;  // state is the third, starttime the 22nd
  double ticks = 0;
  timespec now{};
  if (!(fields >> ticks) || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  const double since_boot =
      static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  return since_boot - ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

Experiment experiment_of(std::uint32_t islands) {
  Experiment experiment = Experiment::defaults(algorithms().front());
  experiment.islands = islands;
  experiment.grammar = Grammar::builtin("association");
  return experiment;
}

/// Greatest of all ranks, of each.
std::vector<double> greatest(const std::vector<double>& mine, Communicator& communicator) {
  std::vector<double> most = mine;
  for (const Bytes& bytes : communicator.all_gather(std::as_bytes(std::span(mine)))) {
    ByteReader in(bytes);
    for (double& value : most) value = std::max(value, in.get<double>());
  }
  return most;
}

double sum(double mine, Communicator& communicator) {
  double all = 0;
  for (const Bytes& bytes : communicator.all_gather(std::as_bytes(std::span(&mine, 1)))) {
    all += ByteReader(bytes).get<double>();
  }
  return all;
}

}  // namespace

ScalingRecord bench_scaling(const Machine& machine, const Workload& workload, std::uint32_t islands,
                            const ChooseBackend& choose_backend, Communicator& world) {
  ScalingRecord record;
  record.launch_seconds = greatest({process_age()}, world).front();
  const Clock::time_point start = Clock::now();
  MeteredCommunicator communicator(world);
  const Experiment experiment =
      experiment_of(islands * static_cast<std::uint32_t>(communicator.size()));
  const Dataset dataset = workload_data(workload);
  const BoundGrammar grammar(Grammar::parse(experiment.grammar, "association"),
                             dataset.attributes(), experiment.max_length);
  const auto backend = choose_backend(machine, {dataset.rows()}, communicator);
  std::shared_ptr<Resident> resident;
  on_all(communicator, [&] { resident = backend->load_on_gpu(dataset); });
  ThreadPool pool(machine.threads != 0 ? machine.threads : available_cpus());
  if (!resident) resident = backend->load(dataset, pool);
  const IslandGrammars grammars(grammar);
  RuleSearch search(experiment, grammars, *resident);
  Archipelago archipelago(experiment, search, dataset.fingerprint(), pool, communicator);
  on_all(communicator, [&] { archipelago.advance(0); });
  record.prepare_seconds = greatest({seconds_since(start)}, world).front();

  const double before = sum(static_cast<double>(archipelago.progress().evaluated), world);
  const PhaseTimes earlier = archipelago.progress().times;
  const std::uint64_t messages = communicator.messages_sent(), bytes = communicator.bytes_sent();
  const Clock::time_point mining = Clock::now();
  archipelago.advance(epochs * experiment.migrate_every);
  const double own_seconds = seconds_since(mining);
  world.barrier();
  const double seconds = greatest({seconds_since(mining)}, world).front();
  const PhaseTimes times = archipelago.progress().times;
  const double waited = times.idle - earlier.idle + seconds - own_seconds;
  const auto most = greatest({times.exchange - earlier.exchange,
                              static_cast<double>(communicator.messages_sent() - messages),
                              static_cast<double>(communicator.bytes_sent() - bytes)},
                             world);
  const double after = sum(static_cast<double>(archipelago.progress().evaluated), world);
  record.backend = resident->device().name();
  record.ranks = world.size();
  record.threads = pool.threads();
  record.rows = dataset.rows();
  record.islands = islands;
  record.population = experiment.population;
  record.generations = experiment.migrate_every;
  record.epochs = epochs;
  record.rules_per_second = (after - before) / seconds;
  record.idle = sum(waited, world) / (seconds * static_cast<double>(world.size()));
  record.exchange_seconds = most[0] / epochs;
  record.messages = most[1] / epochs;
  record.bytes = most[2] / epochs;

  world.barrier();
  const Clock::time_point handing_in = Clock::now();
  const PartialState part = archipelago.part();
  record.hand_in_seconds = greatest({seconds_since(handing_in)}, world).front();
  const auto size = static_cast<double>(encode(part.state).size());
  record.state_bytes = static_cast<std::uint64_t>(sum(size, world));
  record.part_bytes = static_cast<std::uint64_t>(greatest({size}, world).front());
  return record;
}

std::string scaling_table(const ScalingRecord& r) {
  return fmt::format(
      "{} rank{}, {} thread{} each, {}; {} rows; {} islands of {} a rank\n"
      "start-up        {:.2f} s to MPI, {:.2f} s to the end of generation 0\n"
      "mining          {:.4g} rules/s, {:.4g} a rank; waiting for others {:.1f}%\n"
      "an epoch        {:.0f} us of migration, {:.1f} messages and {:.0f} bytes of a rank; {} "
      "generations\n"
      "checkpoint      mining waits {:.4f} s; {} bytes, {} in the largest part\n",
      r.ranks, r.ranks == 1 ? "" : "s", r.threads, r.threads == 1 ? "" : "s", r.backend, r.rows,
      r.islands, r.population, r.launch_seconds, r.prepare_seconds, r.rules_per_second,
      r.rules_per_second / r.ranks, 100 * r.idle, r.exchange_seconds * 1e6, r.messages, r.bytes,
      r.generations, r.hand_in_seconds, r.state_bytes, r.part_bytes);
}

std::string scaling_json(const ScalingRecord& r) {
  const nlohmann::ordered_json json = {{"bench", "scaling"},
                                       {"backend", r.backend},
                                       {"ranks", r.ranks},
                                       {"threads", r.threads},
                                       {"rows", r.rows},
                                       {"islands_per_rank", r.islands},
                                       {"population", r.population},
                                       {"generations_per_epoch", r.generations},
                                       {"epochs", r.epochs},
                                       {"launch_seconds", r.launch_seconds},
                                       {"prepare_seconds", r.prepare_seconds},
                                       {"rules_per_s", r.rules_per_second},
                                       {"idle_share", r.idle},
                                       {"exchange_seconds", r.exchange_seconds},
                                       {"messages_per_rank", r.messages},
                                       {"bytes_per_rank", r.bytes},
                                       {"hand_in_seconds", r.hand_in_seconds},
                                       {"state_bytes", r.state_bytes},
                                       {"part_bytes", r.part_bytes}};
  return nlohmann::ordered_json::array({json}).dump(2) + "\n";
}

}  // namespace atl
