#pragma once

#include <chrono>
#include <string>

namespace atl {

/// Shows how far work is on standard error: on a terminal in place, else a plain line every 10 s.
class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();  ///< clears the line
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const std::string& line);

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace atl
