#include "src/core/memory_limit.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <sys/resource.h>
#include <utility>

namespace atl {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number behind a key at the beginning of a line, or at the beginning of the file.
std::optional<std::uint64_t> number_in(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (key.empty()) {
    if (file >> value) return value;
    return std::nullopt;
  }
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    try {
      return std::stoull(line.substr(key.size()));
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Names of the files of one version of control groups.
struct GroupFiles {
  std::string_view limit, used, cached;
};
constexpr GroupFiles version_1{"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr GroupFiles version_2{"/memory.max", "/memory.current", "inactive_file"};

/// The memory that a group and those above it have left.
std::uint64_t left_in(const std::string& mount, std::string path, const GroupFiles& files) {
  std::uint64_t left = unlimited;
  while (true) {
    const std::string group = mount + path;
    const auto limit = number_in(group + std::string(files.limit), {});
    const auto used = number_in(group + std::string(files.used), {});
    if (limit && used) {
      const std::uint64_t kept =
          *used - std::min(*used, number_in(group + "/memory.stat", files.cached).value_or(0));
      left = std::min(left, *limit - std::min(*limit, kept));
    }
    if (path.empty()) return left;
    path.resize(path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/'));
  }
}

std::uint64_t left_in_groups() {
  std::uint64_t left = unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // number:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) left = std::min(left, left_in("/sys/fs/cgroup", path, version_2));
    if (controllers == "memory") {
      left = std::min(left, left_in("/sys/fs/cgroup/memory", path, version_1));
    }
  }
  return left;
}

/// @param key  VmData: all that this process may have written to, or VmSize: all of it
std::optional<std::uint64_t> memory_taken(std::string_view key = "VmData:") {
  const auto kibibytes = number_in("/proc/self/status", key);
  if (!kibibytes) return std::nullopt;
  return *kibibytes * 1024;
}

/// The memory that the limits of this process (ulimit -v, -d) leave.
std::uint64_t left_of_limits() {
  std::uint64_t left = unlimited;
  rlimit limit{};
  for (const auto& [resource, key] : {std::pair{RLIMIT_AS, "VmSize:"}, {RLIMIT_DATA, "VmData:"}}) {
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
    const std::uint64_t taken = memory_taken(key).value_or(0);
    left = std::min<std::uint64_t>(left, limit.rlim_cur - std::min(limit.rlim_cur, taken));
  }
  return left;
}

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1U << 20) - 1) >> 20) + " MiB";
}

}  // namespace

std::uint64_t memory_left() noexcept {
  try {
    const auto kibibytes = number_in("/proc/meminfo", "MemAvailable:");
    return std::min(
        {kibibytes ? *kibibytes * 1024 : unlimited, left_in_groups(), left_of_limits()});
  } catch (const std::exception&) {
    return unlimited;
  }
}

void throw_too_much(const std::string& what, const std::string& instead,
                    const MemoryLimit& memory) {
  throw UsageError(what + " more than the memory limit of " + std::to_string(memory.bytes() >> 20) +
                   " MiB: take " + instead + "a greater --memory-limit");
}

void expect_memory_for(std::uint64_t bytes, const std::string& what, const std::string& instead) {
  const std::uint64_t left = memory_left();
  if (bytes <= left) return;
  throw MemoryShortage(what + " take " + mebibytes(bytes) + " of memory, and " + mebibytes(left) +
                       " are left" + (instead.empty() ? "" : ": take " + instead));
}

MemoryLimit::MemoryLimit(std::uint64_t bytes) noexcept : bytes_(bytes) {
  try {
    const auto taken = memory_taken();
    rlimit limit{};
    if (!taken || bytes >= unlimited - *taken || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
    before_ = limit.rlim_cur;
    limit.rlim_cur = std::min<std::uint64_t>(before_, *taken + bytes);
    if (::setrlimit(RLIMIT_DATA, &limit) == 0) end_ = limit.rlim_cur;
  } catch (const std::exception&) {  // there is none, then
  }
}

MemoryLimit::~MemoryLimit() {
  rlimit limit{};
  if (end_ == 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = before_;
  ::setrlimit(RLIMIT_DATA, &limit);
}

std::uint64_t MemoryLimit::left() const noexcept {
  try {
    const auto taken = memory_taken();
    return end_ == 0 || !taken ? bytes_ : end_ - std::min(end_, *taken);
  } catch (const std::exception&) {
    return 0;
  }
}

}  // namespace atl
