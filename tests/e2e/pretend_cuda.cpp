// Stands in for the CUDA backend in a program of its own, so that everything around devices is
// tested where there is none. Linked before the libraries, it goes before what they have; so it has
// to define all that their files of these functions do. What there is the environment says:
//   PRETEND_GPUS    UUIDs separated by commas; PRETEND_GPUS_2: what rank 2 sees instead
//   PRETEND_FAULT_2 what goes wrong on rank 2: open, memory, memory-later for all tables but the
//                   first, the number of the batch at which its device fails, or progress: it
//                   fails while the others wait for this rank's
//   PRETEND_HANG    if set: its ItemsetCounter is never ready
// Its ItemsetCounter counts nothing: it says that there are 42 sets, of one item each; in a part of
// the sets one of each item.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sstream>

#include "cuda/count/fitness.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/device_rates.hpp"
#include "cuda/device/visible_devices.hpp"
#include "cuda/host/reasons.hpp"
#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/itemsets/itemset_counter.hpp"
#include "cuda/reduce/reducer.hpp"

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

class PretendingDevice final : public Device {
 public:
  PretendingDevice() : pool_(1), counts_(make_cpu_device(pool_)) {}

  std::shared_ptr<Resident> load(const Dataset& dataset) override;
  std::string name() const override { return "cuda"; }
  std::optional<BusySeconds> busy_seconds() override {
    if (fault() == "progress") throw DeviceFailed("cuda", "it does not answer");
    return finished_ > 0 ? BusySeconds{0.001, 0.001, 0} : BusySeconds{};
  }

  /// Finishes a counter's batch, unless the device fails at it.
  void finish(RuleCounter& counter) {
    const std::scoped_lock lock(mutex_);  // a pool of one is for one thread
    counter.finish();
    if (std::to_string(++finished_) == fault()) {
      throw DeviceFailed("cuda", "an uncorrectable error");
    }
  }
  std::shared_ptr<Resident> count_on(const Dataset& dataset) { return counts_->load(dataset); }

 private:
  ThreadPool pool_;
  std::shared_ptr<Device> counts_;
  std::mutex mutex_;
  std::atomic<int> finished_ = 0;
};

class PretendingResident final : public Resident {
 public:
  PretendingResident(const std::shared_ptr<PretendingDevice>& device, const Dataset& dataset)
      : Resident(device, dataset), device_(*device), counts_(device->count_on(dataset)) {}
  std::unique_ptr<RuleCounter> rule_counter() override {
    return std::make_unique<Counter>(counts_->rule_counter(), device_);
  }

 private:
  struct Counter final : RuleCounter {
    Counter(std::unique_ptr<RuleCounter> counting, PretendingDevice& of)
        : counter(std::move(counting)), device(of) {}
    void prepare(std::span<const Rule> rules, const CountingOptions& options) override {
      counter->prepare(rules, options);
    }
    void start() override { counter->start(); }
    void finish() override { device.finish(*counter); }
    void read(std::span<RuleCounts> out) override { counter->read(out); }
    std::unique_ptr<RuleCounter> counter;
    PretendingDevice& device;
  };

  PretendingDevice& device_;
  std::shared_ptr<Resident> counts_;
};

class PretendingItemsetCounter final : public ItemsetCounter {
 public:
  void prepare(const ItemsetLimits&) override {
    if (fault() == "memory") throw BackendUnavailable("cuda", memory_reason(7 * gib, gib, 8 * gib));
  }
  void start() override {
    counts_ = {.sets = {0, 42}, .tally = {}};
    counts_.tally.add(0, 1, 42);
  }
  void start_part(std::uint32_t first, std::uint32_t end) override {
    counts_ = {};
    counts_.tally.add(0, 1, end - first);
  }
  void cancel() override {}
  bool ready() const override { return variable("PRETEND_HANG").empty(); }
  void finish() override {
    if (fault() == "1") throw DeviceFailed("cuda", "an uncorrectable error");
  }
  ItemsetCounts read() override { return counts_; }

 private:
  ItemsetCounts counts_;
};

std::shared_ptr<Resident> PretendingDevice::load(const Dataset& dataset) {
  static bool later = false;
  const bool lacks = fault() == "memory" || (later && fault() == "memory-later");
  later = true;
  if (lacks) throw BackendUnavailable("cuda", memory_reason(7 * gib, gib, 8 * gib));
  return std::make_shared<PretendingResident>(
      std::static_pointer_cast<PretendingDevice>(shared_from_this()), dataset);
}

}  // namespace

std::vector<VisibleDevice> visible_devices() {
  const std::string own = of_this_rank("PRETEND_GPUS");
  const bool alone = std::getenv(own.c_str()) != nullptr;
  std::istringstream uuids(variable(alone ? own : "PRETEND_GPUS"));
  std::vector<VisibleDevice> devices;
  for (std::string uuid; std::getline(uuids, uuid, ',');) {
    const int number = static_cast<int>(devices.size());
    devices.push_back({number, "Pretender", uuid, "none", 8 * gib, "9.0", "13.2", "13.0"});
  }
  if (devices.empty()) throw BackendUnavailable("cuda", no_device_reason(nullptr));
  return devices;
}

void open_device(const VisibleDevice& device) {
  if (fault() == "open") throw BackendUnavailable("cuda", device.uuid + " is busy");
}

std::uint64_t free_memory() {
  return 6 * gib;
}

std::shared_ptr<Device> make_device(const DeviceOptions&) {
  return std::make_shared<PretendingDevice>();
}

TeamReducer make_nccl_reducer(Communicator&, const VisibleDevice*) {
  return {nullptr, "these GPUs are pretended", false};
}

std::unique_ptr<ItemsetCounter> make_itemset_counter(const TransactionSet&, const DeviceOptions&) {
  return std::make_unique<PretendingItemsetCounter>();
}
std::unique_ptr<AprioriCounter> make_apriori_counter(const ItemBitmaps&, const DeviceOptions&) {
  throw BackendUnavailable("cuda", "the pretending device counts no candidates");
}
DeviceRates measure_device_rates() {
  return {};
}
std::vector<double> fitness(std::span<const Measure>, std::span<const ContingencyTable>) {
  return {};
}

}  // namespace atl::cuda
