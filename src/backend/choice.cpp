#include "src/backend/choice.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cuda/host/assignment.hpp"
#include "cuda/reduce/reducer.hpp"
#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/core/context.hpp"
#include "src/core/text/near_names.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;

/// The values of all ranks, on rank 0.
std::vector<Json> gathered(const Json& mine, Communicator& communicator) {
  const std::string text = mine.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::vector<Json> records;
  for (const Bytes& bytes :
       communicator.gather(std::as_bytes(std::span(text.data(), text.size())), 0)) {
    const auto* const first = reinterpret_cast<const char*>(bytes.data());
    records.push_back(Json::parse(first, first + bytes.size()));
  }
  return records;
}

void tell_choice(const std::vector<Json>& records, const Report& report) {
  std::set<std::string> gpus, names;
  std::vector<std::string> without;
  std::string reason_with, reason_without;
  for (const Json& record : records) {
    std::string& reason = record.contains("uuid") ? reason_with : reason_without;
    if (reason.empty()) reason = record["reason"];
    if (record.contains("uuid")) {
      gpus.insert(record["uuid"]);
      names.insert(record["gpu"]);
    } else {
      without.push_back(std::to_string(record["rank"].get<int>()));
    }
  }
  if (gpus.empty()) {
    report(Severity::info, "counting on the CPU: " + reason_without);
    return;
  }
  report(Severity::info, fmt::format("counting on {} ({}): {}", counted(gpus.size(), "GPU"),
                                     listed({names.begin(), names.end()}), reason_with));
  if (without.empty()) return;
  report(Severity::warning,
         fmt::format("{} {} on the CPU: {}",
                     (without.size() == 1 ? "rank " : "ranks ") + listed(without),
                     without.size() == 1 ? "counts" : "count", reason_without));
}

void warn_of_sharing(const std::vector<Json>& records, const Report& report) {
  std::set<std::string> gpus;
  std::uint64_t ranks = 0;
  for (const Json& record : records) {
    if (!record.contains("uuid")) continue;
    ++ranks;
    gpus.insert(record["uuid"]);
  }
  if (ranks == gpus.size()) return;
  report(Severity::warning,
         fmt::format("{} ranks share {}; a rank for each GPU is as fast, and has its memory for "
                     "itself",
                     ranks, counted(gpus.size(), "GPU")));
}

/// Collective. @param device  the rank's GPU, with at least its name ("gpu") and "uuid"; or empty
/// @param name     of the backend
/// @param reason   why it was chosen; empty if it was asked for
/// @param threads  of this rank
/// @param log      on rank 0
void report_backends(const Json& device, const std::string& name, const std::string& reason,
                     unsigned threads, const Context& context, RunLog* log) {
  Communicator& communicator = context.communicator;
  char host[256] = "";
  (void)::gethostname(host, sizeof host - 1);
  Json mine = {{"rank", communicator.rank()}, {"host", host}, {"backend", name}};
  if (!reason.empty()) mine["reason"] = reason;
  mine.update(device);
  mine["threads"] = threads;
  mine["cores"] = cpus_text(allowed_cpus());
  const auto records = gathered(mine, communicator);
  on_root(communicator, [&] {
    for (const Json& record : records) log->write("device", record);
    if (!reason.empty()) tell_choice(records, context.report);
    warn_of_sharing(records, context.report);
  });
}

/// Rows from which a GPU gains over the cores of a host; docs/how-to/gpu.md has them, too. To grow
/// rules of lists takes more work for each row than to count rules.
constexpr std::uint64_t gpu_rows = 50'000, gpu_rows_of_lists = 4'000;

/// Why not even a device would help; empty if it would.
std::string unfit(const BackendWork& work, bool automatic) {
  const std::uint64_t least = work.lists ? gpu_rows_of_lists : gpu_rows;
  if (!automatic || work.is_large || work.rows >= least) return {};
  return std::to_string(work.rows) + " rows are fewer than the " + std::to_string(least) +
         " from which a GPU gains";
}

/// What it throws, if it does, without the words that say which backend.
std::string problem_of(const std::function<void()>& action) {
  try {
    action();
    return {};
  } catch (const BackendUnavailable& error) {
    return error.reason;
  } catch (const Error& error) {
    return error.what();
  }
}

cuda::Assignment assign(const std::vector<cuda::VisibleDevice>& devices,
                        Communicator& communicator) {
  ByteWriter mine;
  for (const cuda::VisibleDevice& device : devices) mine.put_text(device.uuid);
  std::vector<std::vector<std::string>> uuids;
  for (const Bytes& bytes : communicator.all_gather(mine.bytes())) {
    ByteReader reader(bytes);
    auto& seen = uuids.emplace_back();
    while (reader.left() != 0) seen.push_back(reader.get_text());
  }
  return cuda::assign_devices(uuids)[static_cast<std::size_t>(communicator.rank())];
}

/// To the CPUs of the device's NUMA node, if the threads asked for have room there.
void bind_near(BackendChoice& backend, unsigned threads) {
  backend.cpus_before = allowed_cpus();
  const CpuList near = intersection(backend.cpus_before, cpus_near(backend.device->pci_bus_id));
  if (!near.empty() && threads <= near.size()) bind_to(near);
}

/// Finds the rank's device and opens it. Collective; what is wrong is told by the result.
std::string take_device(const Machine& machine, BackendChoice& backend,
                        Communicator& communicator) {
  std::vector<cuda::VisibleDevice> devices;
  std::string problem = problem_of([&] { devices = cuda::visible_devices(); });
  const cuda::Assignment assignment = assign(devices, communicator);
  if (problem.empty()) {
    backend.device = devices[static_cast<std::size_t>(assignment.device)];
    backend.sharing = assignment.sharing;
    backend.options = {backend.device->number, machine.device_memory};
    problem = problem_of([&] { cuda::open_device(*backend.device); });
  }
  // Those that share it find it as it is once all have opened it and none has taken more.
  communicator.barrier();
  if (problem.empty() && backend.sharing > 1 && machine.device_memory == 0) {
    problem = problem_of([&] {
      const auto ranks = static_cast<std::uint64_t>(backend.sharing);
      backend.options.memory = std::max<std::uint64_t>(1, cuda::free_memory() / ranks);
    });
  }
  communicator.barrier();
  return problem;
}

}  // namespace

void expect_backend(const std::string& name) {
  if (name == "auto" || name == "reference" || name == "cpu" || name == "cuda") return;
  throw UsageError("--backend: '" + printable(name) + "', expected auto, reference, cpu or cuda");
}

BackendChoice choose_backend(const Machine& machine, const BackendWork& work,
                             Communicator& communicator) {
  expect_backend(machine.backend);
  if (machine.backend == "reference" || machine.backend == "cpu") return {machine.backend};
  const bool automatic = machine.backend == "auto";
  BackendChoice backend{"cuda", automatic, std::to_string(work.rows) + " rows are enough to gain"};
  std::string problem = unfit(work, automatic);
  if (problem.empty()) problem = take_device(machine, backend, communicator);
  if (!automatic) {
    on_all(communicator, [&] {
      if (!problem.empty()) throw BackendUnavailable("cuda", problem + "; or use --backend cpu");
    });
  }
  if (!problem.empty()) return {"cpu", automatic, problem};
  bind_near(backend, machine.threads);
  return backend;
}

std::shared_ptr<Resident> ChosenBackend::load_on_gpu(const Dataset& dataset) {
  return choice_.on_gpu([&](const cuda::DeviceOptions& options) {
    if (!gpu_) gpu_ = cuda::make_device(options);
    return gpu_->load(dataset);
  });
}

std::shared_ptr<Resident> ChosenBackend::load(const Dataset& dataset, ThreadPool& pool) {
  if (auto on_gpu = load_on_gpu(dataset)) return on_gpu;
  if (choice_.name == "reference") return make_reference_device()->load(dataset);
  return make_cpu_device(pool)->load(dataset);
}

void ChosenBackend::report(unsigned threads, const Context& context, RunLog* log) const {
  nlohmann::ordered_json device = nlohmann::ordered_json::object();
  if (choice_.device) {
    const cuda::VisibleDevice& gpu = *choice_.device;
    device = {{"gpu", gpu.name},
              {"uuid", gpu.uuid},
              {"pci_bus_id", gpu.pci_bus_id},
              {"number", gpu.number},
              {"capability", gpu.capability},
              {"memory", gpu.memory},
              {"memory_limit", choice_.options.memory},
              {"ranks_sharing", choice_.sharing},
              {"cuda_driver", gpu.driver},
              {"cuda_runtime", gpu.runtime}};
  }
  const std::string reason = choice_.automatic ? choice_.reason : std::string();
  report_backends(device, choice_.name, reason, threads, context, log);
}

std::vector<std::unique_ptr<Reducer>> ChosenBackend::make_reducers(Communicator& members) {
  const auto* const device = choice_.device ? &*choice_.device : nullptr;
  cuda::TeamReducer by_nccl = cuda::make_nccl_reducer(members, device);
  std::vector<std::unique_ptr<Reducer>> reducers;
  if (by_nccl.reducer) reducers.push_back(std::move(by_nccl.reducer));
  reducers.push_back(std::make_unique<MessageReducer>(
      members, device != nullptr ? by_nccl.reason : std::string()));
  if (!by_nccl.chosen) put_fastest_first(reducers, members);
  return reducers;
}

std::unique_ptr<Backend> make_backend(const Machine& machine, const BackendWork& work,
                                      Communicator& communicator) {
  return std::make_unique<ChosenBackend>(choose_backend(machine, work, communicator));
}

}  // namespace atl
