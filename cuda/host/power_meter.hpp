// A GPU's own reading of the energy that it takes. Host code; needs no CUDA.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace atl::cuda {

/// Asks NVML, which the driver brings; it is looked for when the program runs.
class PowerMeter {
 public:
  /// @param uuid  of the GPU (VisibleDevice)
  explicit PowerMeter(const std::string& uuid);
  ~PowerMeter();
  PowerMeter(const PowerMeter&) = delete;
  PowerMeter& operator=(const PowerMeter&) = delete;

  /// The energy spent since the driver was loaded. Nothing where there is no NVML or the GPU has no
  /// such counter.
  std::optional<double> joules() const;

 private:
  struct Nvml;
  std::unique_ptr<Nvml> nvml_;  // null if there is none
};

}  // namespace atl::cuda
