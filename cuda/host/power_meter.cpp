#include "cuda/host/power_meter.hpp"

#include <dlfcn.h>

namespace atl::cuda {
namespace {

struct Close {
  void operator()(void* library) const noexcept { dlclose(library); }
};

/// Types as NVML's interface has them; its header is not everywhere that CUDA is.
using Handle = struct nvmlDevice_st*;
using Start = int (*)();
using FindByUuid = int (*)(const char*, Handle*);
using ReadEnergy = int (*)(Handle, unsigned long long*);

template <typename Function>
Function function(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

struct PowerMeter::Nvml {
  std::unique_ptr<void, Close> library;
  Start stop = nullptr;  // set once it has been started
  ReadEnergy read = nullptr;
  Handle device = nullptr;

  ~Nvml() {
    if (stop != nullptr) stop();
  }
};

PowerMeter::PowerMeter(const std::string& uuid) {
  auto nvml = std::make_unique<Nvml>();
  nvml->library.reset(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
  void* const library = nvml->library.get();
  if (library == nullptr) return;
  const auto start = function<Start>(library, "nvmlInit_v2");
  const auto stop = function<Start>(library, "nvmlShutdown");
  const auto find = function<FindByUuid>(library, "nvmlDeviceGetHandleByUUID");
  nvml->read = function<ReadEnergy>(library, "nvmlDeviceGetTotalEnergyConsumption");
  if (start == nullptr || stop == nullptr || find == nullptr || nvml->read == nullptr) return;
  if (start() != 0) return;
  nvml->stop = stop;
  if (find(uuid.c_str(), &nvml->device) == 0) nvml_ = std::move(nvml);
}

PowerMeter::~PowerMeter() = default;

std::optional<double> PowerMeter::joules() const {
  unsigned long long millijoules = 0;
  if (nvml_ == nullptr || nvml_->read(nvml_->device, &millijoules) != 0) return std::nullopt;
  return static_cast<double>(millijoules) * 1e-3;
}

}  // namespace atl::cuda
