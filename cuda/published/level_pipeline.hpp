// A level of the search of Tang and Wang 2014 (Algorithms 1 to 3), to measure ours against;
// docs/concepts/published-pipeline.md says what was mended.
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/device/device.hpp"
#include "cuda/host/apriori_tables.hpp"

namespace atl::cuda {

enum class LevelJoin : std::uint8_t { square, triangular };   ///< Figures 5 and 6
enum class LevelReduction : std::uint8_t { plain, flagged };  ///< Figures 3 and 4

/// Holds the tables of a level on the device, and those of the next. Not thread-safe.
class LevelPipeline {
 public:
  virtual ~LevelPipeline() = default;
  /// Makes the candidates: all sets joined with all others. Blocking.
  /// @return seconds of the kernel by the device's events
  virtual double join(LevelJoin how) = 0;
  /// Counts the candidates that were made last. Blocking.
  /// @param supports  [joins] overwritten, as join_all() numbers them
  /// @return seconds of the kernel
  virtual double count(LevelReduction how, std::vector<std::uint32_t>& supports) = 0;
  /// The candidates, with their supports if they were counted.
  virtual AprioriTables candidates() const = 0;
};

/// Makes a pipeline for the calling thread, which alone may use it.
/// @throws BackendUnavailable if this program was built without CUDA, the device does not answer,
///         its memory does not suffice, or a row has more than 1024 words or there are more than
///         65535 sets
std::unique_ptr<LevelPipeline> make_level_pipeline(const AprioriTables& sets,
                                                   const DeviceOptions& options = {});

}  // namespace atl::cuda
