#pragma once

#include <string>
#include <thread>

#include "src/config/experiment.hpp"

namespace atl {

/// Has CUDA begin on a thread of its own, while data are read: its driver takes a quarter of a
/// second to answer. A process that sees a single GPU opens it, too; of several, choose_backend()
/// knows which is whose. What fails here fails there again, with a word.
class EarlyDevice {
 public:
  /// Does nothing unless the job is asked to have a GPU, or the file is so large that it may well
  /// be chosen.
  /// @param data  path; "-" or one that this rank does not see: as if it were small
  EarlyDevice(const Machine& machine, const std::string& data);
  /// Waits for the driver.
  ~EarlyDevice();
  EarlyDevice(const EarlyDevice&) = delete;
  EarlyDevice& operator=(const EarlyDevice&) = delete;

 private:
  std::thread begins_;
};

}  // namespace atl
