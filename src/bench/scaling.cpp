#include "src/bench/scaling.hpp"

#include <algorithm>
#include <array>
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
#include "islands/archipelago.hpp"
#include "islands/rule_search.hpp"
#include "islands/run_sections.hpp"
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

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.back()};
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

/// What epochs took on one rank.
struct Epochs {
  std::vector<double> communication, bytes;
  double seconds = 0;
  double idle = 0;
};

// As a job does it, but for a barrier that tells waiting from communicating.
Epochs run_epochs(Archipelago& archipelago, std::uint32_t generations,
                  MeteredCommunicator& communicator) {
  Epochs all;
  const Stopwatch watch(all.seconds);
  for (std::uint32_t epoch = 1; epoch <= epochs; ++epoch) {
    archipelago.advance(epoch * generations);
    {
      const Stopwatch waiting(all.idle);
      communicator.barrier();
    }
    const std::uint64_t before = communicator.bytes_sent();
    double seconds = 0;
    {
      const Stopwatch communicating(seconds);
      std::array<std::uint64_t, 5> votes{};
      communicator.all_reduce_sum(votes);
      on_all(communicator, [] {});
      archipelago.exchange();
    }
    all.communication.push_back(seconds);
    all.bytes.push_back(static_cast<double>(communicator.bytes_sent() - before));
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
  on_all(communicator, [&] { archipelago.initialise(); });
  record.prepare_seconds = greatest({seconds_since(start)}, world).front();

  const double before = sum(static_cast<double>(archipelago.progress().evaluated), world);
  const Epochs mine = run_epochs(archipelago, experiment.migrate_every, communicator);
  const double after = sum(static_cast<double>(archipelago.progress().evaluated), world);
  const double seconds = greatest({mine.seconds}, world).front();
  record.backend = resident->device().name();
  record.ranks = world.size();
  record.threads = pool.threads();
  record.rows = dataset.rows();
  record.islands = islands;
  record.population = experiment.population;
  record.generations = experiment.migrate_every;
  record.epochs = epochs;
  record.rules_per_second = (after - before) / seconds;
  record.idle = sum(mine.idle, world) / (seconds * static_cast<double>(world.size()));
  record.communication = spread_of(greatest(mine.communication, world));
  record.bytes = spread_of(greatest(mine.bytes, world));

  world.barrier();
  const Clock::time_point gathering = Clock::now();
  auto parts = archipelago.gather();
  record.hand_in_seconds = seconds_since(gathering);
  if (parts) {
    const Clock::time_point assembling = Clock::now();
    const RunState state = StateAssembler(search, {}).assemble(std::move(*parts));
    record.state_bytes = encode(state).size();
    record.assemble_seconds = seconds_since(assembling);
    record.history_bytes = history_section(history_of(state)).bytes.size();
  }
  return record;
}

std::string scaling_table(const ScalingRecord& r) {
  return fmt::format(
      "{} rank{}, {} thread{} each, {}; {} rows; {} islands of {} a rank\n"
      "start-up        {:.2f} s to MPI, {:.2f} s to the end of generation 0\n"
      "mining          {:.4g} rules/s, {:.4g} a rank; waiting for others {:.1f}%\n"
      "communication   {:.0f} us an epoch of {} generations (most {:.0f}), {:.0f} bytes of a rank "
      "(most {:.0f})\n"
      "checkpoint      mining waits {:.4f} s; {} bytes, {} of them history, assembled in {:.4f} "
      "s\n",
      r.ranks, r.ranks == 1 ? "" : "s", r.threads, r.threads == 1 ? "" : "s", r.backend, r.rows,
      r.islands, r.population, r.launch_seconds, r.prepare_seconds, r.rules_per_second,
      r.rules_per_second / r.ranks, 100 * r.idle, r.communication.median * 1e6, r.generations,
      r.communication.most * 1e6, r.bytes.median, r.bytes.most, r.hand_in_seconds, r.state_bytes,
      r.history_bytes, r.assemble_seconds);
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
                                       {"communication_seconds", r.communication.median},
                                       {"most_communication_seconds", r.communication.most},
                                       {"bytes_per_rank", r.bytes.median},
                                       {"most_bytes_per_rank", r.bytes.most},
                                       {"hand_in_seconds", r.hand_in_seconds},
                                       {"assemble_seconds", r.assemble_seconds},
                                       {"state_bytes", r.state_bytes},
                                       {"history_bytes", r.history_bytes}};
  return nlohmann::ordered_json::array({json}).dump(2) + "\n";
}

}  // namespace atl
