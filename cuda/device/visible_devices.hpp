// The GPUs that a process sees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace atl::cuda {

struct VisibleDevice {
  int number = 0;    ///< among those that this process sees, as CUDA_VISIBLE_DEVICES orders them
  std::string name;  ///< "NVIDIA H200"
  std::string uuid;  ///< "GPU-" and 36 characters, the same for every process
  std::string pci_bus_id;       ///< "0000:1b:00.0", as sysfs writes it
  std::uint64_t memory = 0;     ///< bytes
  std::string capability;       ///< "9.0"
  std::string driver, runtime;  ///< versions of CUDA: the driver's latest, this program's
};

/// The devices that this process sees, at least one. Asks nothing of the devices that would take
/// their memory.
/// @throws BackendUnavailable saying what to do: not built in, no driver or too old a one, no
/// device
std::vector<VisibleDevice> visible_devices();

/// Makes the device the calling thread's, and finds out whether it takes this process and has the
/// code that this program brings.
/// @throws BackendUnavailable
void open_device(const VisibleDevice& device);

/// Bytes of the open device's memory that no process has. @throws BackendUnavailable
std::uint64_t free_memory();

}  // namespace atl::cuda
