#include "src/core/time_line.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <fmt/format.h>

namespace atl {
namespace {

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::uint64_t peak_memory() {
  rusage usage = {};
  (void)::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

double now(clockid_t clock) {
  timespec time = {};
  (void)::clock_gettime(clock, &time);
  return seconds(time);
}

/// When the process began, by CLOCK_BOOTTIME, to a hundredth of a second; now, where the system
/// does not tell.
double process_start() {
  // Fields of proc(5) count from 1; the name, which is the second, may have blanks.
  constexpr int start_field = 22;
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return now(CLOCK_BOOTTIME);
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int at = 3; at < start_field; ++at) fields >> skipped;
  double ticks = 0;
  if (!(fields >> ticks)) return now(CLOCK_BOOTTIME);
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

TimeLine::TimeLine() : nodes_(1) {}

Spent TimeLine::spent() {
  static const double start = process_start();
  return {now(CLOCK_BOOTTIME) - start, now(CLOCK_PROCESS_CPUTIME_ID)};
}

/// Finds the phase of that name within the open one, or makes it. @return its node
std::size_t TimeLine::child(std::string_view name) {
  const std::size_t parent = open_.empty() ? 0 : open_.back().node;
  const auto& children = nodes_[parent].children;
  const auto known = std::find_if(children.begin(), children.end(),
                                  [&](std::size_t one) { return nodes_[one].name == name; });
  if (known != children.end()) return *known;
  const std::size_t node = nodes_.size();
  nodes_[parent].children.push_back(node);
  nodes_.push_back({.name = std::string(name), .parent = parent});
  return node;
}

void TimeLine::enter(std::string_view name, const Spent& since) {
  if (!is_own_thread()) return;
  const std::size_t node = child(name);
  ++nodes_[node].times;
  open_.push_back({node, since});
}

void TimeLine::add(std::string_view name, double wall) {
  if (!is_own_thread()) return;
  Node& node = nodes_[child(name)];
  ++node.times;
  node.spent.wall += wall;
}

void TimeLine::leave() {
  if (!is_own_thread() || open_.empty()) return;
  const Spent end = spent();
  Spent& all = nodes_[open_.back().node].spent;
  all.wall += end.wall - open_.back().since.wall;
  all.processor += end.processor - open_.back().since.processor;
  nodes_[open_.back().node].peak = peak_memory();
  open_.pop_back();
}

void TimeLine::add_bytes(std::uint64_t bytes) {
  if (is_own_thread() && !open_.empty()) nodes_[open_.back().node].bytes += bytes;
}

std::vector<PhaseTime> TimeLine::phases() const {
  std::vector<PhaseTime> phases;
  for (const std::size_t child : nodes_[0].children) list(child, 0, phases);
  return phases;
}

void TimeLine::list(std::size_t node, std::size_t depth, std::vector<PhaseTime>& phases) const {
  const Node& its = nodes_[node];
  PhaseTime& phase =
      phases.emplace_back(PhaseTime{its.name, depth, its.times, its.spent, its.bytes, its.peak});
  for (const Open& open : open_) {
    if (open.node != node) continue;
    const Spent end = spent();
    phase.peak = peak_memory();
    phase.spent.wall += end.wall - open.since.wall;
    phase.spent.processor += end.processor - open.since.processor;
  }
  for (const std::size_t child : its.children) list(child, depth + 1, phases);
}

TimeLine& time_line() {
  static TimeLine line;
  return line;
}

std::string timings_table(const std::vector<PhaseTime>& phases, const Spent& whole) {
  constexpr double megabyte = 1e6;
  std::string table = fmt::format("{:<26}{:>9}{:>8}{:>11}{:>6}{:>9}{:>10}\n", "phase", "seconds",
                                  "share", "processor", "busy", "MB", "peak MB");
  const auto line = [&](const std::string& name, const Spent& spent, std::uint64_t bytes,
                        std::uint64_t peak) {
    const bool known = spent.processor > 0;
    const double busy = spent.wall > 0 ? spent.processor / spent.wall : 0;
    const double share = whole.wall > 0 ? spent.wall / whole.wall : 0;
    const auto of_bytes = [&](std::uint64_t its) {
      return its == 0 ? "" : fmt::format("{:.1f}", static_cast<double>(its) / megabyte);
    };
    table += fmt::format("{:<26}{:>9.3f}{:>7.1f}%{:>11}{:>6}{:>9}{:>10}\n", name, spent.wall,
                         100 * share, known ? fmt::format("{:.3f}", spent.processor) : "",
                         known ? fmt::format("{:.1f}", busy) : "", of_bytes(bytes), of_bytes(peak));
  };
  Spent named;
  for (const PhaseTime& phase : phases) {
    line(std::string(2 * phase.depth, ' ') + phase.name, phase.spent, phase.bytes, phase.peak);
    if (phase.depth > 0) continue;
    named.wall += phase.spent.wall;
    named.processor += phase.spent.processor;
  }
  line("without a name", {whole.wall - named.wall, whole.processor - named.processor}, 0, 0);
  line("whole", whole, 0, peak_memory());
  return table;
}

}  // namespace atl
