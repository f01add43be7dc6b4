#include "cuda/uncertain/device_support_meter.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "cuda/device/handles.hpp"
#include "cuda/device/part_times.hpp"
#include "cuda/uncertain/tail_batch.hpp"
#include "cuda/uncertain/uncertain_kernels.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

/// Sets on the device at a time.
constexpr std::size_t sets_of_part = std::size_t{1} << 17;
/// Bytes of the tiles' first words at a time.
constexpr std::size_t bytes_of_starts = std::size_t{1} << 28;

struct KernelSeconds {
  double kernels = 0;
};

/// The columns, on the device.
class ColumnsThere {
 public:
  ColumnsThere(const UncertainColumns& columns, const DeviceOptions& options) {
    const AlignedWords& bits = columns.bitmaps.bits;
    const std::size_t rows = columns.probabilities.size();
    const std::size_t needed =
        bits.size() * sizeof(std::uint64_t) + rows * (sizeof(ulonglong2) + sizeof(double));
    if (options.memory != 0) {
      if (needed > options.memory) refuse_for_memory(needed);
      left_ = options.memory - needed;
    }
    std::vector<ulonglong2> fixed(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const double p = columns.probabilities[r];
      fixed[r] = {FixedSum::fixed(p), FixedSum::fixed(p * (1 - p))};
    }
    copy(bits.data(), bits.size(), bits_);
    copy(fixed.data(), rows, fixed_);
    copy(columns.probabilities.data(), rows, probabilities_);
    check(cudaDeviceSynchronize());  // with copies, which no stream of ours waits for
    columns_ = {bits_.data(), static_cast<std::uint32_t>(columns.bitmaps.words),
                static_cast<std::uint32_t>(columns.certain_word), fixed_.data(),
                probabilities_.data()};
  }
  const DeviceColumns& columns() const noexcept { return columns_; }
  /// Bytes of memory that may be used beside them.
  std::uint64_t left() const noexcept { return left_; }

 private:
  template <typename T>
  static void copy(const T* from, std::size_t count, DeviceBuffer<T>& to) {
    if (count == 0) return;
    to.reserve(count);
    check(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyHostToDevice));
  }

  DeviceBuffer<std::uint64_t> bits_;
  DeviceBuffer<ulonglong2> fixed_;
  DeviceBuffer<double> probabilities_;
  DeviceColumns columns_;
  std::uint64_t left_ = std::numeric_limits<std::uint64_t>::max();
};

/// Consecutive sets of a part that have all items but the last in common.
/// @return the number of tasks
std::uint32_t pack_tasks(const RankedSets& sets, std::size_t first, std::size_t count,
                         PinnedBuffer<SumTask>& out) {
  out.reserve(count);
  std::uint32_t tasks = 0;
  for (std::size_t s = 0; s < count; ++s) {
    const auto set = sets[first + s];
    if (tasks > 0) {
      SumTask& open = out.data()[tasks - 1];
      const auto other = sets[first + open.first];
      if (open.sets < most_sets_of_task && std::equal(set.begin(), set.end() - 1, other.begin())) {
        ++open.sets;
        continue;
      }
    }
    out.data()[tasks++] = {static_cast<std::uint32_t>(s), 1};
  }
  return tasks;
}

CoverSums sums_of(const DeviceSums& there) {
  CoverSums sums;
  sums.rows = there.rows;
  sums.certain = there.certain;
  sums.mean = FixedSum::of_parts(there.mean_high, there.mean_low);
  sums.variance = FixedSum::of_parts(there.variance_high, there.variance_low);
  sums.cover = {there.hash_low, there.hash_high};
  return sums;
}

class Meter final : public DeviceSupportMeter {
 public:
  Meter(const UncertainColumns& columns, const DeviceOptions& options)
      : device_(options.device),
        columns_(columns, options),
        starts_stride_(static_cast<std::uint32_t>(columns.probabilities.size() / tile_row_step) +
                       2),
        tails_(columns.probabilities.size(), columns_.left()) {}

  void sum(const RankedSets& sets, std::span<CoverSums> sums) override {
    check(cudaSetDevice(device_));  // others may have used another one meanwhile
    times_.restart(true);
    if (columns_.columns().words == 0) {
      std::fill(sums.begin(), sums.end(), CoverSums{});
      return;
    }
    for (std::size_t first = 0; first < sets.size(); first += sets_of_part) {
      const std::size_t count = std::min(sets_of_part, sets.size() - first);
      sum_part(sets, first, sums.subspan(first, count));
    }
  }

  void find_tails(const RankedSets& sets, std::span<const std::uint32_t> least,
                  std::span<double> tails) override {
    check(cudaSetDevice(device_));
    times_.restart(true);
    const std::size_t starts_of_set = starts_stride_ * sizeof(std::uint32_t);
    const std::size_t most =
        std::clamp<std::size_t>(bytes_of_starts / starts_of_set, 1, sets_of_part);
    for (std::size_t first = 0; first < sets.size(); first += most) {
      const std::size_t count = std::min(most, sets.size() - first);
      find_tiles(sets, first, static_cast<std::uint32_t>(count));
      for (std::size_t s = 0; s < count;) {
        s += find_some(sets.length, s, count, least.subspan(first), tails.subspan(first));
      }
    }
  }

  double kernel_seconds() const override { return times_.seconds().kernels; }

 private:
  template <typename T>
  void upload(const PinnedBuffer<T>& from, DeviceBuffer<T>& to, std::size_t count) {
    to.reserve(count);
    check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyHostToDevice,
                          stream_));
  }
  template <typename T>
  void download(const DeviceBuffer<T>& from, PinnedBuffer<T>& to, std::size_t count) {
    to.reserve(count);
    check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyDeviceToHost,
                          stream_));
    check(cudaStreamSynchronize(stream_));
  }

  DeviceSets upload_sets(const RankedSets& sets, std::size_t first, std::size_t count) {
    const std::size_t ranks = count * sets.length;
    host_ranks_.reserve(ranks);
    std::copy_n(sets.ranks.data() + first * sets.length, ranks, host_ranks_.data());
    upload(host_ranks_, ranks_, ranks);
    return {ranks_.data(), sets.length};
  }

  void sum_part(const RankedSets& sets, std::size_t first, std::span<CoverSums> sums) {
    const DeviceSets there = upload_sets(sets, first, sums.size());
    const std::uint32_t tasks = pack_tasks(sets, first, sums.size(), host_tasks_);
    upload(host_tasks_, tasks_, tasks);
    sums_.reserve(sums.size());
    times_.begin(&KernelSeconds::kernels, stream_);
    launch_sums(columns_.columns(), there, tasks_.data(), tasks, sums_.data(), stream_);
    times_.end(stream_);
    download(sums_, host_sums_, sums.size());
    std::transform(host_sums_.data(), host_sums_.data() + sums.size(), sums.begin(), sums_of);
  }

  /// Leaves the covers' rows on the host, too.
  void find_tiles(const RankedSets& sets, std::size_t first, std::uint32_t count) {
    const DeviceSets there = upload_sets(sets, first, count);
    rows_.reserve(count);
    starts_.reserve(std::size_t{count} * starts_stride_);
    times_.begin(&KernelSeconds::kernels, stream_);
    launch_tile_starts(columns_.columns(), there, count, rows_.data(), starts_.data(),
                       starts_stride_, stream_);
    times_.end(stream_);
    download(rows_, host_rows_, count);
  }

  /// @param s, count  of the sets whose tiles are found @return how many it took
  std::size_t find_some(std::uint32_t length, std::size_t s, std::size_t count,
                        std::span<const std::uint32_t> least, std::span<double> tails) {
    const std::size_t taken = tails_.plan({host_rows_.data() + s, count - s});
    tails_.upload(least.subspan(s, taken), stream_);
    times_.begin(&KernelSeconds::kernels, stream_);
    tails_.launch(columns_.columns(), {ranks_.data() + s * length, length},
                  {rows_.data() + s, starts_.data() + s * starts_stride_, starts_stride_}, stream_);
    times_.end(stream_);
    tails_.download(tails.subspan(s, taken), stream_);
    return taken;
  }

  int device_;
  Stream stream_;
  ColumnsThere columns_;
  std::uint32_t starts_stride_;
  PinnedBuffer<std::uint32_t> host_ranks_, host_rows_;
  PinnedBuffer<SumTask> host_tasks_;
  PinnedBuffer<DeviceSums> host_sums_;
  DeviceBuffer<std::uint32_t> ranks_, rows_, starts_;
  DeviceBuffer<SumTask> tasks_;
  DeviceBuffer<DeviceSums> sums_;
  TailBatch tails_;
  PartTimes<KernelSeconds> times_;
};

}  // namespace

std::unique_ptr<DeviceSupportMeter> make_device_support_meter(const UncertainColumns& columns,
                                                              const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<Meter>(columns, options);
}

}  // namespace atl::cuda
