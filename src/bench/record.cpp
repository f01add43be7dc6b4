#include "src/bench/record.hpp"

#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "src/core/thread_pool.hpp"

namespace atl {

const Record* figure_of(const Record& record, std::string key) {
  const std::size_t dot = key.find('.');
  const auto found = record.find(key.substr(0, dot));
  if (found == record.end()) return nullptr;
  return dot == key.npos ? &*found : figure_of(*found, key.substr(dot + 1));
}

double number_of(const Record& record, std::string key) {
  return figure_of(record, std::move(key))->get<double>();
}

std::string json_of(const std::vector<Record>& records) {
  return Record(records).dump(2) + "\n";
}

std::string machine_description(const std::optional<cuda::VisibleDevice>& device) {
  std::ifstream cpus("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(cpus, line);) {
    const std::size_t value = line.find(": ");
    if (line.rfind("model name", 0) != 0 || value == std::string::npos) continue;
    name = line.substr(value + 2);
    break;
  }
  const std::string cores = fmt::format("{}, {} processors to use", name, available_cpus());
  if (!device) return cores;
  return fmt::format("{}, CUDA driver {}, runtime {}; {}", device->name, device->driver,
                     device->runtime, cores);
}

}  // namespace atl
