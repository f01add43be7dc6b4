#include "src/bench/record.hpp"

#include <fstream>

#include <fmt/format.h>

#include "src/core/thread_pool.hpp"

namespace atl {

double operations_of(const BenchRecord& record) noexcept {
  return static_cast<double>(record.symbols) * static_cast<double>(record.rules) *
         static_cast<double>(record.rows);
}

std::string machine_description(const BenchRecord& record) {
  std::ifstream cpus("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(cpus, line);) {
    const std::size_t value = line.find(": ");
    if (line.rfind("model name", 0) != 0 || value == std::string::npos) continue;
    name = line.substr(value + 2);
    break;
  }
  const std::string cores = fmt::format("{}, {} processors to use", name, available_cpus());
  if (!record.device) return cores;
  const cuda::VisibleDevice& device = *record.device;
  return fmt::format("{}, CUDA driver {}, runtime {}; {}", device.name, device.driver,
                     device.runtime, cores);
}

}  // namespace atl
