#include "src/app/itemset_levels.hpp"

#include <algorithm>
#include <memory>
#include <unistd.h>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cuda/itemsets/apriori_counter.hpp"
#include "src/app/backend.hpp"
#include "src/app/command_line.hpp"
#include "src/app/option_values.hpp"
#include "src/core/near_names.hpp"
#include "src/exhaustive/apriori.hpp"

namespace atl {

namespace {

std::uint64_t half_of_memory() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

/// @throws UsageError if the columns alone take more
void expect_room(const TransactionSet& transactions, const ItemsetLimits& limits,
                 std::uint64_t max_bytes) {
  const auto items = static_cast<std::uint64_t>(std::ranges::count_if(
      transactions.supports(), [&](std::uint32_t support) { return support >= limits.min_count; }));
  const std::uint64_t bytes = ItemBitmaps::bytes(items, transactions.size());
  if (bytes <= max_bytes) return;
  throw UsageError(fmt::format(
      "apriori needs {} MiB for the bit columns of {}, beyond --memory-limit ({} MiB): take a "
      "greater support, or the default algorithm",
      (bytes >> 20) + 1, counted(items, "frequent item"), max_bytes >> 20));
}

/// The counter of a choice, and what is to be said of it.
struct ChosenCounter {
  std::unique_ptr<CandidateCounter> counter;
  std::string name;
};

ChosenCounter choose_counter(const ItemBitmaps& bitmaps, std::uint64_t rows, const Machine& machine,
                             ThreadPool& pool) {
  LocalCommunicator alone;
  BackendChoice choice = choose_backend(machine, {rows}, alone);
  if (choice.name == "reference") return {make_reference_candidate_counter(bitmaps), "reference"};
  if (choice.device) {
    try {
      return {cuda::make_apriori_counter(bitmaps, choice.options), choice.device->name};
    } catch (const BackendUnavailable& error) {
      if (!choice.automatic) throw;
      bind_to(choice.cpus_before);
      choice.reason = error.reason;
    }
  }
  std::string name = "the CPU, " + counted(pool.threads(), "thread");
  if (choice.automatic) name += ": " + choice.reason;
  return {make_cpu_candidate_counter(bitmaps, pool), name};
}

}  // namespace

void add_level_options(CLI::App& command, LevelOptions& options) {
  add_text(command, "--algorithm", options.algorithm, "NAME",
           "apriori: level by level, with the same output; without it the fastest search, depth "
           "first");
  add_text(command, "--backend", options.backend, "NAME",
           "of apriori: what counts: reference, cpu, cuda, or auto: cuda if it gains [auto]");
  add_text(command, "--threads", options.threads, "N",
           "of apriori: threads; 0: as many as the CPU affinity allows [0]");
  add_text(command, "--device-memory", options.device_memory, "SIZE",
           "of apriori: of a GPU's memory, at most so much, such as 4GiB; 0: what is free [0]");
  add_text(command, "--memory-limit", options.memory_limit, "SIZE",
           "of apriori: for bit columns and sets, at most so much [half of the memory]");
}

std::optional<LevelSettings> level_settings(const LevelOptions& options) {
  if (options.algorithm.empty()) {
    for (const auto& [name, text] : {std::pair{"--backend", &options.backend},
                                     {"--threads", &options.threads},
                                     {"--device-memory", &options.device_memory},
                                     {"--memory-limit", &options.memory_limit}}) {
      if (text->empty()) continue;
      throw UsageError(std::string(name) + " is of --algorithm apriori, which is missing");
    }
    return {};
  }
  if (options.algorithm != "apriori") {
    throw UsageError("--algorithm: '" + printable(options.algorithm) + "', expected apriori");
  }
  LevelSettings settings;
  if (!options.backend.empty()) settings.machine.backend = options.backend;
  expect_backend(settings.machine.backend);
  if (!options.threads.empty()) {
    settings.machine.threads = static_cast<std::uint32_t>(
        whole_number_option("--threads", options.threads, 0, max_threads));
  }
  if (!options.device_memory.empty()) {
    settings.machine.device_memory = device_memory_option(options.device_memory);
  }
  settings.max_bytes = options.memory_limit.empty()
                           ? half_of_memory()
                           : bytes_option("--memory-limit", options.memory_limit);
  return settings;
}

ItemsetLevels search_levels(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const LevelSettings& settings, const Report& report) {
  expect_room(transactions, limits, settings.max_bytes);
  const ItemBitmaps bitmaps(transactions, limits.min_count);
  ThreadPool pool(settings.machine.threads != 0 ? settings.machine.threads : available_cpus());
  const ChosenCounter chosen = choose_counter(bitmaps, transactions.size(), settings.machine, pool);
  report(Severity::info, "apriori on " + chosen.name);
  return find_levels(bitmaps, limits, *chosen.counter, pool, settings.max_bytes);
}

}  // namespace atl
