#include "cuda/itemsets/apriori_counter.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "cuda/device/handles.hpp"
#include "cuda/device/part_times.hpp"
#include "cuda/itemsets/apriori_kernels.hpp"

namespace atl::cuda {
namespace {

/// Pairs of a task at most, so that blocks have about as much to do.
constexpr std::uint32_t pairs_of_task = 256;
/// Pairs on their way at a time, at least those of one piece.
constexpr std::size_t pairs_of_part = std::size_t{1} << 21;

struct KernelSeconds {
  double kernels = 0;
};

/// Pieces that go to the device together.
struct Part {
  Stream stream;
  Event done;
  std::span<Candidates> pieces = {};
  std::size_t pairs = 0;
  PinnedBuffer<AprioriPair> host_pairs;
  PinnedBuffer<std::uint32_t> host_prefixes, host_supports;
  PinnedBuffer<AprioriTask> host_tasks;
  DeviceBuffer<AprioriPair> pairs_there;
  DeviceBuffer<std::uint32_t> prefixes_there, supports_there;
  DeviceBuffer<AprioriTask> tasks_there;
};

template <typename T>
void upload(const PinnedBuffer<T>& from, DeviceBuffer<T>& to, std::size_t count,
            cudaStream_t stream) {
  check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyHostToDevice, stream));
}

class Counter final : public AprioriCounter {
 public:
  Counter(const ItemBitmaps& bitmaps, const DeviceOptions& options) : device_(options.device) {
    if (bitmaps.words == 0) return;
    const std::size_t bytes = bitmaps.bits.size() * sizeof(std::uint64_t);
    if (options.memory != 0 && bytes > options.memory) refuse_for_memory(bytes);
    columns_there_.reserve(bitmaps.bits.size() / 2);
    check(cudaMemcpy(columns_there_.data(), bitmaps.bits.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());  // with the copy, which no stream of ours waits for
    columns_.units = columns_there_.data();
    columns_.stride = static_cast<std::uint32_t>(bitmaps.words / 2);
    columns_.items = bitmaps.items();
  }

  void count_pairs(std::uint32_t first, std::uint32_t last,
                   std::span<std::uint32_t> supports) override {
    check(cudaSetDevice(device_));  // others may have used another one meanwhile
    times_.restart(true);
    if (columns_.stride == 0) {
      std::fill(supports.begin(), supports.end(), 0U);
      return;
    }
    const Stream& stream = parts_[0].stream;
    DeviceBuffer<std::uint32_t>& there = parts_[0].supports_there;
    there.reserve(supports.size());
    check(cudaMemsetAsync(there.data(), 0, supports.size_bytes(), stream));
    times_.begin(&KernelSeconds::kernels, stream);
    launch_pair_supports(columns_, first, last, there.data(), stream);
    times_.end(stream);
    check(cudaMemcpyAsync(supports.data(), there.data(), supports.size_bytes(),
                          cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
  }

  void count(std::span<Candidates> candidates) override {
    check(cudaSetDevice(device_));
    times_.restart(true);
    std::size_t next = 0;  // part
    while (!candidates.empty()) {
      std::size_t pieces = 0, pairs = 0;
      do {
        pairs += candidates[pieces++].pairs.size();
      } while (pieces < candidates.size() &&
               pairs + candidates[pieces].pairs.size() <= pairs_of_part);
      Part& part = parts_[next++ % parts_.size()];
      finish(part);
      part.pieces = candidates.first(pieces);
      part.pairs = pairs;
      start(part);
      candidates = candidates.subspan(pieces);
    }
    for (Part& part : parts_) finish(part);
  }

  double kernel_seconds() const override { return times_.seconds().kernels; }

 private:
  void start(Part& part) {
    if (part.pairs == 0) return;
    const std::size_t tasks = pack(part);
    part.supports_there.reserve(part.pairs);
    part.host_supports.reserve(part.pairs);
    times_.begin(&KernelSeconds::kernels, part.stream);
    launch_candidate_supports(columns_, part.tasks_there.data(), static_cast<std::uint32_t>(tasks),
                              part.prefixes_there.data(), part.pieces[0].prefix_length,
                              part.pairs_there.data(), part.supports_there.data(), part.stream);
    times_.end(part.stream);
    check(cudaMemcpyAsync(part.host_supports.data(), part.supports_there.data(),
                          part.pairs * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, part.stream));
    part.done.record(part.stream);
  }

  /// @return the number of tasks
  static std::size_t pack(Part& part) {
    std::size_t prefixes = 0, classes = 0;
    for (const Candidates& piece : part.pieces) {
      prefixes += piece.prefixes.size();
      classes += piece.classes.size();
    }
    const std::size_t most_tasks = classes + part.pairs / pairs_of_task;
    part.host_pairs.reserve(part.pairs);
    part.host_prefixes.reserve(prefixes);
    part.host_tasks.reserve(most_tasks);
    std::uint32_t prefix = 0, pair = 0;
    std::size_t tasks = 0;
    for (const Candidates& piece : part.pieces) {
      static_assert(sizeof(AprioriPair) == sizeof(ItemPair));
      std::memcpy(part.host_pairs.data() + pair, piece.pairs.data(),
                  piece.pairs.size() * sizeof(ItemPair));
      std::copy(piece.prefixes.begin(), piece.prefixes.end(), part.host_prefixes.data() + prefix);
      std::uint32_t begin = 0;
      for (const Candidates::Class& of : piece.classes) {
        for (; begin < of.end; begin = std::min(of.end, begin + pairs_of_task)) {
          part.host_tasks.data()[tasks++] = {prefix + of.prefix, pair + begin,
                                             pair + std::min(of.end, begin + pairs_of_task)};
        }
      }
      prefix += static_cast<std::uint32_t>(piece.prefixes.size());
      pair += static_cast<std::uint32_t>(piece.pairs.size());
    }
    part.pairs_there.reserve(part.pairs);
    part.prefixes_there.reserve(prefixes);
    part.tasks_there.reserve(most_tasks);
    upload(part.host_pairs, part.pairs_there, part.pairs, part.stream);
    upload(part.host_prefixes, part.prefixes_there, prefixes, part.stream);
    upload(part.host_tasks, part.tasks_there, tasks, part.stream);
    return tasks;
  }

  /// Waits for a part that was started, and hands its supports over.
  static void finish(Part& part) {
    if (part.pieces.empty()) return;
    if (part.pairs > 0) part.done.wait();
    const std::uint32_t* support = part.host_supports.data();
    for (Candidates& piece : part.pieces) {
      piece.supports.assign(support, support + piece.pairs.size());
      support += piece.pairs.size();
    }
    part.pieces = {};
  }

  int device_;
  DeviceBuffer<uint4> columns_there_;
  AprioriColumns columns_;
  std::array<Part, 2> parts_;  // while one is counted, the other is packed
  PartTimes<KernelSeconds> times_;
};

}  // namespace

std::unique_ptr<AprioriCounter> make_apriori_counter(const ItemBitmaps& bitmaps,
                                                     const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<Counter>(bitmaps, options);
}

}  // namespace atl::cuda
