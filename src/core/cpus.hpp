// CPUs of this machine and which of them threads may run on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

/// Numbers of CPUs, ascending, none twice.
using CpuList = std::vector<unsigned>;

/// Linux's form: "0-3,8,10-11"; "" is none. Nothing for other text.
std::optional<CpuList> parse_cpus(std::string_view text);
std::string cpus_text(const CpuList& cpus);

CpuList intersection(const CpuList& a, const CpuList& b);

/// The calling thread's affinity mask; empty if the system does not tell it.
CpuList allowed_cpus();

/// Binds the calling thread and the threads that it starts from now on.
/// @return false if the system refuses, and nothing is bound
bool bind_to(const CpuList& cpus);

/// The CPUs of the NUMA node that a PCI device is attached to; empty if the system does not tell.
/// @param pci_bus_id  "0000:1b:00.0"
/// @param devices  where sysfs has the devices of the bus
CpuList cpus_near(const std::string& pci_bus_id,
                  const std::string& devices = "/sys/bus/pci/devices");

}  // namespace atl
