#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <stop_token>
#include <utility>
#include <vector>

#include "src/exhaustive/itemsets/itemset_tally.hpp"
#include "src/exhaustive/itemsets/shared_search.hpp"

namespace atl {

/// Of a run: what it has left, if it was stopped, and what it has found.
struct SearchFindings {
  std::vector<SearchRest> rest;
  ItemsetTally tally;      ///< counted
  std::uint64_t sets = 0;  ///< listed
};

/// A run on a thread of its own, so that its rank can talk to others meanwhile. Ends with it.
class SearchTask {
 public:
  using Work = std::function<SearchFindings(const std::stop_token&)>;

  SearchTask() = default;
  ~SearchTask() { stop(); }  // then the future waits
  SearchTask(const SearchTask&) = delete;
  SearchTask& operator=(const SearchTask&) = delete;

  /// @pre it is not busy. Where the system allows no further thread, returns when all is done.
  void start(Work work);
  /// From start() to take().
  bool is_busy() const noexcept { return findings_.valid(); }
  /// Waits for it, but not longer.
  bool is_done(std::chrono::duration<double> within = {}) const {
    return is_busy() && findings_.wait_for(within) == std::future_status::ready;
  }
  void stop() { stop_.request_stop(); }
  /// @throws what the work threw
  SearchFindings take() { return findings_.get(); }

 private:
  std::stop_source stop_;
  std::future<SearchFindings> findings_;
};

}  // namespace atl
