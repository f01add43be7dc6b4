#include "src/backend/early_device.hpp"

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "cuda/device/visible_devices.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

/// A table of fewer bytes is mined in less time than a GPU takes to open, or nearly.
constexpr std::uintmax_t large_file = std::uintmax_t{1} << 20;

bool may_have_gpu(const Machine& machine, const std::string& data) {
  if (machine.backend != "auto") return machine.backend == "cuda";
  std::error_code unseen;
  const std::uintmax_t size = std::filesystem::file_size(data, unseen);
  return !unseen && size >= large_file;
}

void open_only_device() {
  try {
    const auto devices = cuda::visible_devices();
    if (devices.size() == 1) cuda::open_device(devices.front());
  } catch (const Error&) {
    // choose_backend() meets it, too, and says what to do.
  }
}

}  // namespace

EarlyDevice::EarlyDevice(const Machine& machine, const std::string& data) {
  if (!may_have_gpu(machine, data)) return;
  try {
    begins_ = std::thread(open_only_device);
  } catch (const std::system_error&) {
    // Without a thread to spare, CUDA begins when it is asked for.
  }
}

EarlyDevice::~EarlyDevice() {
  if (begins_.joinable()) begins_.join();
}

}  // namespace atl
