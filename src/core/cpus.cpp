#include "src/core/cpus.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sched.h>

namespace atl {
namespace {

constexpr unsigned most_cpus = 1U << 18;

std::optional<unsigned> parse_cpu(std::string_view text) {
  unsigned cpu = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (error != std::errc() || end != text.data() + text.size() || cpu >= most_cpus) return {};
  return cpu;
}

// The kernel refuses masks shorter than its own.
constexpr std::size_t least_words = 16;
constexpr std::size_t most_words = most_cpus / (8 * sizeof(unsigned long));

cpu_set_t* as_set(std::vector<unsigned long>& mask) {
  return reinterpret_cast<cpu_set_t*>(mask.data());
}

}  // namespace

std::optional<CpuList> parse_cpus(std::string_view text) {
  CpuList cpus;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    const auto first = parse_cpu(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_cpu(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string cpus_text(const CpuList& cpus) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < cpus.size(); first = next) {
    next = first + 1;
    while (next < cpus.size() && cpus[next] == cpus[next - 1] + 1) ++next;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[first]);
    if (next - first > 1) text.append("-").append(std::to_string(cpus[next - 1]));
  }
  return text;
}

CpuList intersection(const CpuList& a, const CpuList& b) {
  CpuList both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

CpuList allowed_cpus() {
  for (std::size_t words = least_words; words <= most_words; words *= 2) {
    std::vector<unsigned long> mask(words);
    const std::size_t bytes = words * sizeof(unsigned long);
    if (sched_getaffinity(0, bytes, as_set(mask)) != 0) continue;
    CpuList cpus;
    for (unsigned cpu = 0; cpu < bytes * 8; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, as_set(mask))) cpus.push_back(cpu);
    }
    return cpus;
  }
  return {};
}

bool bind_to(const CpuList& cpus) {
  std::vector<unsigned long> mask(most_words);
  const std::size_t bytes = mask.size() * sizeof(unsigned long);
  for (const unsigned cpu : cpus) CPU_SET_S(cpu, bytes, as_set(mask));
  return sched_setaffinity(0, bytes, as_set(mask)) == 0;
}

CpuList cpus_near(const std::string& pci_bus_id, const std::string& devices) {
  std::ifstream file(devices + "/" + pci_bus_id + "/local_cpulist");
  std::string line;
  std::getline(file, line);
  return parse_cpus(line).value_or(CpuList());
}

}  // namespace atl
