// Some rules of a batch on their way through the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/count/count_kernel.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/host/device_program.hpp"
#include "cuda/host/rule_order.hpp"
#include "src/eval/batch.hpp"
#include "src/eval/rule_counter.hpp"

namespace atl::cuda {

/// Reusable: what is allocated stays.
class Piece {
 public:
  void compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
               const CountingOptions& options, std::span<const PlanePlace> places,
               std::uint32_t group_terms);
  /// Makes the program, and counters that are zero, ready to be sent.
  /// @param in_stages  how it will be counted
  void fill(bool in_stages);
  /// Sends them. Asynchronous, as what follows.
  void upload(cudaStream_t stream);
  /// The number of pieces, from the first one on, that are to be counted together. A piece whose
  /// terms leave room for fewer warps goes alone.
  static std::size_t together(std::span<Piece* const> pieces, const DeviceLimits& limits);
  /// Adds what holds on the rows to the counters of all of them, by the fused path.
  /// @param scratch  grows to hold the terms if need be; nothing else uses it meanwhile
  static void count(std::span<Piece* const> pieces, const DeviceRows& rows,
                    const DeviceLimits& limits, DeviceBuffer<uint4>& scratch, cudaStream_t stream);
  /// Counts stage by stage.
  /// @param words  grows to hold what covers the rows; nothing else uses it meanwhile
  void count_in_stages(const DeviceRows& rows, const DeviceLimits& limits,
                       DeviceBuffer<uint4>& scratch, DeviceBuffer<uint4>& words,
                       cudaStream_t stream);
  void download(cudaStream_t stream);

  /// Takes the time of counting from now on, or no more; of the first one of several.
  void time(bool on) noexcept { timed_ = on; }
  /// Seconds of all counting since the upload, by the device's clock. @pre the counting is done
  KernelSeconds seconds(bool in_stages) const;

  const Batch& batch() const noexcept { return batch_; }
  const DeviceProgram& program() const noexcept { return program_; }
  /// The counters. @pre the download is done
  const DeviceCounters& counts() const noexcept { return host_counters_; }

 private:
  struct Span {
    Event begin, covered, end;
  };
  /// Places of the counters of each kind, in words.
  struct Places {
    std::size_t rules, supports, hashes, sums, squares;
  };

  void lay_out();
  DeviceCounters counters_at(std::byte* memory) const;
  ProgramOnDevice program_on_device() const;
  Span* next_span();

  RuleOrder order_;
  Batch batch_;
  DeviceProgram program_;
  Places places_ = {};
  std::size_t counter_bytes_ = 0;
  std::size_t bytes_ = 0;           // of all that is sent
  PinnedBuffer<std::byte> host_;    // counters, the program; in stages, places of the present sets
  DeviceBuffer<std::byte> device_;  // likewise
  DeviceCounters host_counters_;
  bool timed_ = false;
  std::vector<std::unique_ptr<Span>> spans_;  // of each count()
  std::size_t counted_ = 0;
};

}  // namespace atl::cuda
