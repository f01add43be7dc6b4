#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "islands/algorithms.hpp"
#include "islands/archipelago/archipelago.hpp"
#include "islands/rule_search.hpp"
#include "src/bench/benchmarks.hpp"
#include "src/bench/rule_options.hpp"
#include "src/bench/table.hpp"
#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/thread_pool.hpp"
#include "src/core/time_line.hpp"

namespace atl {
namespace {

/// Counts what this rank hands in to go to other ranks, without what a library adds.
class MeteredCommunicator final : public Communicator {
 public:
  /// @param inner  must outlive it
  explicit MeteredCommunicator(Communicator& inner) : inner_(inner) {}

  std::uint64_t bytes_sent() const noexcept { return bytes_; }
  /// Those that are posted; collective calls are the library's.
  std::uint64_t messages_sent() const noexcept { return messages_; }

  int rank() const noexcept override { return inner_.rank(); }
  int size() const noexcept override { return inner_.size(); }
  void barrier() override { inner_.barrier(); }
  void all_reduce_sum(std::span<std::uint64_t> values) override {
    if (size() > 1) bytes_ += values.size_bytes();
    inner_.all_reduce_sum(values);
  }
  void begin_sum(std::vector<std::uint64_t> values) override {
    if (size() > 1) bytes_ += values.size() * sizeof(std::uint64_t);
    inner_.begin_sum(std::move(values));
  }
  std::optional<std::vector<std::uint64_t>> poll_sum() override { return inner_.poll_sum(); }
  std::vector<Bytes> all_gather(std::span<const std::byte> bytes) override {
    bytes_ += bytes.size() * others();
    return inner_.all_gather(bytes);
  }
  std::vector<Bytes> gather(std::span<const std::byte> bytes, int root) override {
    if (rank() != root) bytes_ += bytes.size();
    return inner_.gather(bytes, root);
  }
  Bytes broadcast(Bytes bytes, int root) override {
    if (rank() == root) bytes_ += bytes.size() * others();
    return inner_.broadcast(std::move(bytes), root);
  }
  void post(Channel channel, Message message) override {
    count(message);
    inner_.post(channel, std::move(message));
  }
  std::size_t unsent(int peer) override { return inner_.unsent(peer); }
  std::optional<Message> poll(Channel channel) override { return inner_.poll(channel); }
  std::vector<Message> drain(Channel channel) override {
    bytes_ += sizeof(std::uint64_t) * others();
    return inner_.drain(channel);
  }
  /// Splits the ranks; what the parts send each other is not counted.
  std::unique_ptr<Communicator> split(int colour) override { return inner_.split(colour); }
  [[noreturn]] void abort(ExitStatus status) noexcept override {
    inner_.abort(status);
    std::_Exit(static_cast<int>(status));
  }

 private:
  std::uint64_t others() const noexcept { return static_cast<std::uint64_t>(size()) - 1; }
  void count(const Message& message) {
    if (message.peer == rank()) return;
    bytes_ += message.bytes.size();
    ++messages_;
  }

  Communicator& inner_;
  std::uint64_t bytes_ = 0, messages_ = 0;
};

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t epochs = 20;

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

/// How long mining waits for a checkpoint, and how large its parts are. Collective.
void add_checkpoint(Record& record, Archipelago& archipelago, Communicator& world) {
  world.barrier();
  const Clock::time_point handing_in = Clock::now();
  const PartialState part = archipelago.part();
  record["hand_in_seconds"] = greatest({seconds_since(handing_in)}, world).front();
  const auto size = static_cast<double>(encode(part.state).size());
  record["state_bytes"] = static_cast<std::uint64_t>(sum(size, world));
  record["part_bytes"] = static_cast<std::uint64_t>(greatest({size}, world).front());
}

/// A run as `mine` does it, on the ranks that there are. Collective.
void run_scaling(const BenchState& state) {
  Communicator& world = state.communicator;
  const Workload workload = workload_of(state);
  const std::uint32_t islands = state.small_number("--islands");
  const double launch_seconds = greatest({TimeLine::spent().wall}, world).front();
  const Clock::time_point start = Clock::now();
  MeteredCommunicator communicator(world);
  const Experiment experiment =
      experiment_of(islands * static_cast<std::uint32_t>(communicator.size()));
  const Dataset dataset = workload_data(workload);
  const BoundGrammar grammar(Grammar::parse(experiment.grammar, "association"),
                             dataset.attributes(), experiment.max_length);
  const auto backend = state.make_backend(state.machine.options, {dataset.rows()}, communicator);
  std::shared_ptr<Resident> resident;
  on_all(communicator, [&] { resident = backend->load_on_gpu(dataset); });
  ThreadPool pool(threads_of(state.machine));
  if (!resident) resident = backend->load(dataset, pool);
  const IslandGrammars grammars(grammar);
  RuleSearch search(experiment, grammars, *resident);
  Archipelago archipelago(experiment, search, dataset.fingerprint(), pool, communicator);
  on_all(communicator, [&] { archipelago.advance(0); });
  const double prepare_seconds = greatest({seconds_since(start)}, world).front();

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
  const double idle = sum(waited, world) / (seconds * static_cast<double>(world.size()));
  Record record = {{"bench", "scaling"},
                   {"backend", resident->device().name()},
                   {"ranks", world.size()},
                   {"threads", pool.threads()},
                   {"rows", dataset.rows()},
                   {"islands_per_rank", islands},
                   {"population", experiment.population},
                   {"generations_per_epoch", experiment.migrate_every},
                   {"epochs", epochs},
                   {"launch_seconds", launch_seconds},
                   {"prepare_seconds", prepare_seconds},
                   {"rules_per_s", (after - before) / seconds},
                   {"idle_share", idle},
                   {"exchange_seconds", most[0] / epochs},
                   {"messages_per_rank", most[1] / epochs},
                   {"bytes_per_rank", most[2] / epochs}};
  add_checkpoint(record, archipelago, world);
  if (world.rank() == 0) state.add(std::move(record));
}

std::vector<Record> scaling_lines(std::span<const Record> records) {
  Record line = records.front();
  line["ranks_text"] = counted(line["ranks"].get<std::uint64_t>(), "rank");
  line["threads_text"] = counted(line["threads"].get<std::uint64_t>(), "thread");
  line["rules_a_rank"] = number_of(line, "rules_per_s") / number_of(line, "ranks");
  return {std::move(line)};
}

Table scaling_table() {
  return {"",
          {{"ranks_text", "", as_it_is, "{}, "},
           {"threads_text", "", as_it_is, "{} each, "},
           {"backend", "", as_it_is, "{}; "},
           {"rows", "", as_it_is, "{} rows; "},
           {"islands_per_rank", "", as_it_is, "{} islands of "},
           {"population", "", as_it_is, "{} a rank\n"},
           {"launch_seconds", "", as_it_is, "start-up        {:.2f} s to MPI, "},
           {"prepare_seconds", "", as_it_is, "{:.2f} s to the end of generation 0\n"},
           {"rules_per_s", "", as_it_is, "mining          {:.4g} rules/s, "},
           {"rules_a_rank", "", as_it_is, "{:.4g} a rank; "},
           {"idle_share", "", in_percent, "waiting for others {:.1f}%\n"},
           {"exchange_seconds", "", in_us, "an epoch        {:.0f} us of migration, "},
           {"messages_per_rank", "", as_it_is, "{:.1f} messages and "},
           {"bytes_per_rank", "", as_it_is, "{:.0f} bytes of a rank; "},
           {"generations_per_epoch", "", as_it_is, "{} generations\n"},
           {"hand_in_seconds", "", as_it_is, "checkpoint      mining waits {:.4f} s; "},
           {"state_bytes", "", as_it_is, "{} bytes, "},
           {"part_bytes", "", as_it_is, "{} in the largest part"}},
          scaling_lines};
}

}  // namespace

Benchmark scaling_benchmark() {
  std::vector<Axis> axes = table_axes("100000");
  axes.push_back({"--islands", "N", "islands of each rank", "4", WholeNumber{1, 10'000}});
  return {.name = "scaling",
          .measures = "start-up, mining and communication on the ranks of mpirun",
          .refuses = "mines, it draws no rules",
          .on_all_ranks = true,
          .axes = std::move(axes),
          .tables = [](const BenchMachine&) { return std::vector<Table>{scaling_table()}; },
          .run = run_scaling};
}

}  // namespace atl
