// The settings of a job: its run, its data, and what it runs on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "io/run/run_folder.hpp"
#include "src/config/experiment.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

struct JobSettings {
  std::string folder;  ///< RUN, locked by rank 0
  RunConfiguration configuration;
  std::string dataset;            ///< file to read
  bool needs_checkpoint = false;  ///< the run may not begin (again)
  std::string grammar;            ///< what messages call the grammar
  std::set<std::string> items;    ///< of transactions, kept beside those that are frequent enough
  double stop_after = 0;          ///< seconds since `start`, 0 = never
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  RunLog* log = nullptr;              ///< on rank 0
  const io::RunLock* lock = nullptr;  ///< likewise
  ChooseBackend choose_backend;       ///< on every rank
  std::function<void()> on_begun;  ///< on rank 0, once every rank has its generation to start from
  /// Of a repeat: the run that it repeats, whose user does not know of it, and its number, from 1.
  const JobSettings* repeats = nullptr;
  std::uint32_t number = 0;

  /// The settings of the run that the user goes on with, or tells to stop.
  const JobSettings& of_user() const noexcept { return repeats != nullptr ? *repeats : *this; }
};

}  // namespace atl
