// Some rules of a batch on their way through the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/count_kernel.hpp"
#include "cuda/device_program.hpp"
#include "cuda/evaluator.hpp"
#include "cuda/handles.hpp"
#include "src/core/thread_pool.hpp"
#include "src/eval/batch.hpp"

namespace atl::cuda {

/// Reusable: what is allocated stays.
class Piece {
 public:
  /// Rules that are compiled together.
  struct Part {
    Batch batch;
    DeviceProgram program;
    std::size_t first_rule = 0;  ///< in the piece
    std::size_t place = 0;       ///< of its words among those of all parts
  };

  /// By the pool's threads if there is enough to do.
  void compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
               const EvaluateOptions& options, std::span<const PlanePlace> places,
               std::uint32_t group_terms, ThreadPool& pool);
  /// Sends the program, and counters that are zero. Asynchronous, as what follows.
  void upload(cudaStream_t stream);
  /// Adds what holds on the rows to the counters, by the fused path.
  void count(const DeviceRows& rows, const DeviceLimits& limits, cudaStream_t stream);
  /// Likewise, stage by stage.
  /// @param words  grows to hold what covers the rows; nothing else uses it meanwhile
  void count_in_stages(const DeviceRows& rows, const DeviceLimits& limits,
                       DeviceBuffer<uint4>& words, cudaStream_t stream);
  void download(cudaStream_t stream);

  /// Takes the time of count() from now on, or no more.
  void time(bool on) noexcept { timed_ = on; }
  /// Of all counting since the upload, on the device. @pre it is done
  DeviceSeconds seconds(bool in_stages) const;

  std::span<const Part> parts() const noexcept { return {parts_.data(), used_}; }
  /// The counters, of all parts. @pre the download is done
  const DeviceCounters& counts() const noexcept { return host_counters_; }

 private:
  struct Span {
    Event begin, covered, end;
  };
  /// Of the counters of each kind, in words.
  struct Places {
    std::size_t rules, supports, hashes, sums, squares;
  };

  void lay_out();
  DeviceCounters counters_at(std::byte* memory) const;
  ProgramOnDevice program_on_device() const;
  Span* next_span();

  EvaluateOptions options_;
  std::vector<Part> parts_;
  std::size_t used_ = 0;  // of the parts
  std::size_t rules_ = 0;
  std::size_t comparisons_ = 0;  // of all rules, shared or not
  std::uint32_t groups_ = 0;
  std::uint32_t terms_ = 0;
  Places places_ = {};
  std::size_t counter_bytes_ = 0, group_bytes_ = 0, word_bytes_ = 0;
  // Counters, places of groups, words of all parts, places of the rules' present sets.
  PinnedBuffer<std::byte> host_;
  DeviceBuffer<std::byte> device_;
  DeviceBuffer<uint4> scratch_;
  DeviceCounters host_counters_;
  bool timed_ = false;
  std::vector<std::unique_ptr<Span>> spans_;  // of each count()
  std::size_t counted_ = 0;
};

}  // namespace atl::cuda
