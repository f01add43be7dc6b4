// Stands in for the CUDA backend in a program of its own, so that everything around devices is
// tested where there is none. Linked before the libraries, it goes before what they have; so it has
// to define all that their files of these functions do. What there is the environment says:
//   PRETEND_GPUS    UUIDs separated by commas; PRETEND_GPUS_2: what rank 2 sees instead
//   PRETEND_FAULT_2 what goes wrong on rank 2: open, memory, memory-later for all evaluators but
//                   the first, the number of the batch at which its device fails, or progress: it
//                   fails while the others wait for this rank's
#include <cstdlib>
#include <mutex>
#include <sstream>

#include "cuda/count/evaluator.hpp"
#include "cuda/count/fitness.hpp"
#include "cuda/device/device_rates.hpp"
#include "cuda/device/devices.hpp"
#include "cuda/host/reasons.hpp"

namespace atl::cuda {

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

std::string variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::string of_this_rank(const std::string& name) {
  const std::string rank = variable("OMPI_COMM_WORLD_RANK");
  return name + "_" + (rank.empty() ? "0" : rank);
}

std::string fault() {
  return variable(of_this_rank("PRETEND_FAULT"));
}

class PretendingEvaluator final : public Evaluator {
 public:
  explicit PretendingEvaluator(const Dataset& dataset)
      : pool_(1), counts_(make_cpu_evaluator(dataset, pool_)) {}
  ~PretendingEvaluator() override { finish_batches(); }

  std::unique_ptr<EvaluatorBatch> make_batch() override {
    return std::make_unique<Batch>(counts_->make_batch(), *this);
  }
  std::string name() const override { return "cuda"; }
  std::optional<double> device_seconds() override {
    if (fault() == "progress") throw DeviceFailed("cuda", "it does not answer");
    return finished_ > 0 ? 0.001 : 0;
  }

 private:
  struct Batch final : EvaluatorBatch {
    Batch(std::unique_ptr<EvaluatorBatch> counting, PretendingEvaluator& of)
        : batch(std::move(counting)), evaluator(of) {}
    void prepare(std::span<const Rule> rules, const EvaluateOptions& options) override {
      batch->prepare(rules, options);
    }
    void start() override { batch->start(); }
    void finish() override {
      const std::scoped_lock lock(evaluator.mutex_);  // a pool of one is for one thread
      batch->finish();
      if (std::to_string(++evaluator.finished_) == fault()) {
        throw DeviceFailed("cuda", "an uncorrectable error");
      }
    }
    void read(std::span<RuleCounts> out) override { batch->read(out); }
    std::unique_ptr<EvaluatorBatch> batch;
    PretendingEvaluator& evaluator;
  };

  ThreadPool pool_;
  std::unique_ptr<Evaluator> counts_;
  std::mutex mutex_;
  int finished_ = 0;
};

}  // namespace

std::vector<Device> visible_devices() {
  const std::string own = of_this_rank("PRETEND_GPUS");
  const bool alone = std::getenv(own.c_str()) != nullptr;
  std::istringstream uuids(variable(alone ? own : "PRETEND_GPUS"));
  std::vector<Device> devices;
  for (std::string uuid; std::getline(uuids, uuid, ',');) {
    const int number = static_cast<int>(devices.size());
    devices.push_back({number, "Pretender", uuid, "none", 8 * gib, "9.0", "13.2", "13.0"});
  }
  if (devices.empty()) throw BackendUnavailable("cuda", no_device_reason(nullptr));
  return devices;
}

void open_device(const Device& device) {
  if (fault() == "open") throw BackendUnavailable("cuda", device.uuid + " is busy");
}

std::uint64_t free_memory() {
  return 6 * gib;
}

std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset, const DeviceOptions&) {
  static bool later = false;
  const bool lacks = fault() == "memory" || (later && fault() == "memory-later");
  later = true;
  if (lacks) throw BackendUnavailable("cuda", memory_reason(7 * gib, gib, 8 * gib));
  return std::make_unique<PretendingEvaluator>(dataset);
}

void time_batches(Evaluator&, bool) {}
std::optional<DeviceSeconds> last_device_seconds(const Evaluator&) {
  return std::nullopt;
}
DeviceRates measure_device_rates() {
  return {};
}
std::vector<double> fitness(std::span<const Measure>, std::span<const ContingencyTable>) {
  return {};
}

}  // namespace atl::cuda
