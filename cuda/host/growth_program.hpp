// Growth tasks as they are written for the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/growth_format.hpp"
#include "src/sampling/rule_grower.hpp"

namespace atl::cuda {

/// Can a device grow such rules at all?
bool grows_on_device(const ClassSample& sample, const GrowthSettings& settings) noexcept;

/// Lays out a batch.
class GrowthProgram {
 public:
  GrowthProgram(const ClassSample& sample, const GrowthSettings& settings);

  /// Chooses the tasks that a device can do: those of which all rules are conjunctions, or
  /// conjunctions joined by OR.
  /// @param tasks  must stay until write()
  void plan(std::span<const GrowthTask> tasks);
  /// Bytes that write() needs, a multiple of 16.
  std::size_t bytes() const noexcept { return bytes_; }
  /// @param out  [bytes()] first the offset of each task in bytes, then the tasks
  void write(std::byte* out) const;

  /// Numbers of the tasks that are written, and of the others.
  std::span<const std::uint32_t> tasks() const noexcept { return tasks_; }
  std::span<const std::uint32_t> others() const noexcept { return others_; }
  /// Comparisons that a rule may have on the way, at most.
  std::uint32_t most_comparisons() const noexcept { return most_comparisons_; }
  std::size_t result_bytes() const noexcept {
    return sizeof(GrowthResult) + most_comparisons_ * sizeof(GrowthComparison);
  }

  /// @param results  [tasks()] of result_bytes() each
  /// @param out  those of tasks() are overwritten
  void read(const std::byte* results, std::span<std::optional<Grown>> out) const;

 private:
  std::size_t bytes_of(const GrowthTask& task) const noexcept;
  std::byte* write(const GrowthTask& task, std::byte* to) const;
  std::byte* write_rules(std::span<const SharedRule> rules, bool before, std::byte* to) const;

  const ClassSample& sample_;
  const GrowthSettings& settings_;
  std::span<const GrowthTask> all_;
  std::vector<std::uint32_t> tasks_;
  std::vector<std::uint32_t> others_;
  std::vector<std::uint32_t> offsets_;  // [tasks_] bytes
  std::size_t bytes_ = 0;
  std::uint32_t most_comparisons_ = 0;
};

}  // namespace atl::cuda
