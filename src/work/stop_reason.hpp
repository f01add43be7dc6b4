#pragma once

#include <cstddef>
#include <cstdint>

namespace atl {

/// Why the generations of a job end. The numbers travel between ranks.
enum class StopReason : std::uint64_t { none, finished, time_limit, stop_after, stop_file, signal };

inline const char* to_string(StopReason reason) noexcept {
  constexpr const char* names[] = {"none",       "finished",  "time limit",
                                   "stop after", "stop file", "signal"};
  return names[static_cast<std::size_t>(reason)];
}

/// Is the run over with it? Else a job can go on.
constexpr bool ends_run(StopReason reason) noexcept {
  return reason == StopReason::finished || reason == StopReason::time_limit;
}

}  // namespace atl
