#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "islands/archipelago/island.hpp"
#include "src/config/experiment.hpp"
#include "src/core/busy_seconds.hpp"
#include "src/core/run_state.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

/// The search of a job: makes the islands of a rank and their results. Of its calls only results()
/// and device_seconds() may come from any thread.
class Search {
 public:
  virtual ~Search() = default;

  /// Makes the islands. To be called once. The search must outlive them.
  /// @param numbers  ascending, at least one
  virtual std::vector<std::unique_ptr<Island>> islands(std::span<const std::uint32_t> numbers) = 0;
  virtual std::unique_ptr<Results> results() const = 0;  ///< empty
  /// Looks into the sections of some islands and into all of results.
  /// @throws BadBytes if one is malformed, not of this experiment, or claims what the data deny
  virtual void expect_true(const RunState& run, std::span<const std::uint32_t> islands) = 0;
  /// Seconds for which its device has had work so far; nothing without a device.
  virtual std::optional<BusySeconds> device_seconds() const = 0;
};

/// Looks at the results of a search on its way, at generations that are multiples of `every`.
struct SearchLooks {
  std::uint32_t every = 0;  ///< 0: never
  /// Is the search over? Told the generation.
  std::function<bool(std::uint32_t, const Results&)> done = {};
};

/// Ends after the experiment's generations or its time limit. Blocking.
/// @param dataset  of the state's header
/// @param stop  asked every few generations
/// @param looks  synchronous migration
/// @return the whole state at the end; nothing if it was stopped
std::optional<RunState> search_to_end(const Experiment& experiment, Search& search,
                                      const Fingerprint& dataset, ThreadPool& pool,
                                      const std::function<bool()>& stop,
                                      const SearchLooks& looks = {});

}  // namespace atl
