#include "cuda/pairs/pair_counter.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <vector>

#include "cuda/device/handles.hpp"
#include "cuda/pairs/pair_kernels.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/pairs/batmaps.hpp"

namespace atl::cuda {
namespace {

/// Rectangles that are on the device at a time: while one is counted, others are copied.
constexpr std::size_t lanes = 4;

/// What a rectangle needs.
struct Lane {
  Stream stream;
  Event begun, counted, copied;
  DeviceBuffer<std::uint32_t> row_bits, counts;
  PinnedBuffer<std::uint32_t> host_counts;
};

template <typename T>
void upload(const std::vector<T>& from, DeviceBuffer<T>& to) {
  to.reserve(std::max<std::size_t>(from.size(), 1));
  check(cudaMemcpy(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
}

/// Has a rectangle counted and copied back, by what derived classes launch.
class Counter : public DevicePairCounter {
 public:
  explicit Counter(const DeviceOptions& options) : device_(options.device) {
    check(cudaSetDevice(device_));
    for (Lane& lane : lanes_) free_.push_back(&lane);
  }

  void count(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
             unsigned) override {
    if (rows.size() == 0 || columns.size() == 0) return;
    check(cudaSetDevice(device_));  // the thread may have used another one
    const Held held(*this);
    Lane& lane = held.lane;
    const std::size_t pairs = std::size_t{rows.size()} * columns.size();
    lane.counts.reserve(pairs);
    lane.host_counts.reserve(pairs);
    lane.begun.record(lane.stream);
    launch({rows.first, rows.size(), columns.first, columns.size(), lane.counts.data(),
            columns.size()},
           lane);
    lane.counted.record(lane.stream);
    check(cudaMemcpyAsync(lane.host_counts.data(), lane.counts.data(),
                          pairs * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, lane.stream));
    lane.copied.record(lane.stream);
    check(cudaStreamSynchronize(lane.stream));
    kernel_seconds_ = lane.counted.seconds_since(lane.begun);
    copy_seconds_ = lane.copied.seconds_since(lane.counted);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::memcpy(counts + r * stride, lane.host_counts.data() + r * columns.size(),
                  columns.size() * sizeof(std::uint32_t));
    }
    add_rest(rows, columns, counts, stride);
  }

  std::uint32_t rows_at_once() const noexcept override { return 256; }
  double kernel_seconds() const override { return kernel_seconds_; }
  double copy_seconds() const override { return copy_seconds_; }

 private:
  /// A lane that no other thread has.
  struct Held {
    explicit Held(Counter& all) : counter(all), lane(all.take()) {}
    ~Held() { counter.give_back(lane); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    Counter& counter;
    Lane& lane;
  };

  virtual void launch(const PairRectangle& rectangle, Lane& lane) = 0;
  /// Adds what the device does not know of.
  virtual void add_rest(RankRange, RankRange, std::uint32_t*, std::size_t) const {}

  Lane& take() {
    std::unique_lock lock(mutex_);
    given_back_.wait(lock, [&] { return !free_.empty(); });
    Lane* const lane = free_.back();
    free_.pop_back();
    return *lane;
  }
  void give_back(Lane& lane) noexcept {
    const std::scoped_lock lock(mutex_);
    free_.push_back(&lane);  // there is room
    given_back_.notify_one();
  }

  int device_;
  std::array<Lane, lanes> lanes_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::vector<Lane*> free_;
  std::atomic<double> kernel_seconds_ = 0, copy_seconds_ = 0;
};

class BitCounter final : public Counter {
 public:
  BitCounter(PairForm form, const PairRows& rows, std::uint32_t columns,
             const DeviceOptions& options)
      : Counter(options),
        form_(form),
        columns_(columns),
        words_((rows.transactions() + 32 * slab_words - 1) / (32 * slab_words) * slab_words) {
    const std::size_t bytes = std::size_t{columns_} * words_ * sizeof(std::uint32_t);
    if (options.memory != 0 && bytes > options.memory) refuse_for_memory(bytes);
    std::vector<std::uint64_t> starts{0};
    for (std::uint32_t r = 0; r < rows.items(); ++r) {
      starts.push_back(starts.back() + rows.places(r).size());
    }
    std::vector<std::uint32_t> transactions;
    transactions.reserve(starts.back());
    for (std::uint32_t r = 0; r < rows.items(); ++r) {
      for (const PairRows::Place& place : rows.places(r)) {
        transactions.push_back(place.transaction);
      }
    }
    upload(starts, starts_);
    upload(transactions, transactions_);
    items_ = {starts_.data(), transactions_.data()};
    bits_.reserve(std::max<std::size_t>(std::size_t{columns_} * words_, 1));
    check(cudaMemset(bits_.data(), 0, bytes));
    launch_set_bits(items_, 0, columns_, words_, bits_.data(), nullptr);
    check(cudaDeviceSynchronize());
  }

 private:
  void launch(const PairRectangle& rectangle, Lane& lane) override {
    PairBits bits{bits_.data() + std::size_t{rectangle.first_row} * words_,
                  bits_.data() + std::size_t{rectangle.first_column} * words_, words_};
    if (rectangle.first_row + rectangle.rows > columns_) bits.rows = own_bits(rectangle, lane);
    if (form_ == PairForm::product) {
      launch_bit_product(bits, rectangle, lane.stream);
    } else {
      launch_common_bits(bits, rectangle, lane.stream);
    }
  }

  /// Bits of rows that are no columns.
  const std::uint32_t* own_bits(const PairRectangle& rectangle, Lane& lane) const {
    const std::size_t words = std::size_t{rectangle.rows} * words_;
    lane.row_bits.reserve(words);
    check(cudaMemsetAsync(lane.row_bits.data(), 0, words * sizeof(std::uint32_t), lane.stream));
    launch_set_bits(items_, rectangle.first_row, rectangle.rows, words_, lane.row_bits.data(),
                    lane.stream);
    return lane.row_bits.data();
  }

  PairForm form_;
  std::uint32_t columns_;
  std::uint32_t words_;  // of an item
  DeviceBuffer<std::uint64_t> starts_;
  DeviceBuffer<std::uint32_t> transactions_;
  ItemTransactions items_;
  DeviceBuffer<std::uint32_t> bits_;  // [columns_][words_]
};

class BatMapCounter final : public Counter {
 public:
  BatMapCounter(const PairRows& rows, ThreadPool& pool, const DeviceOptions& options,
                unsigned moves)
      : Counter(options), maps_(rows, pool, moves) {
    const std::uint64_t bytes = BatMaps::bytes(rows);
    if (options.memory != 0 && bytes > options.memory) refuse_for_memory(bytes);
    std::vector<std::uint64_t> first;
    std::vector<std::uint32_t> pieces;
    for (std::uint32_t r = 0; r < rows.items(); ++r) {
      const std::size_t words = maps_.of(r).entries.size() / 4;
      first.push_back(maps_.first(r) / 4);
      pieces.push_back(static_cast<std::uint32_t>(words / map_piece_words));
    }
    upload(first, first_);
    upload(pieces, pieces_);
    words_.reserve(std::max<std::size_t>(bytes / 4, 1));
    check(cudaMemcpy(words_.data(), maps_.entries(), bytes, cudaMemcpyHostToDevice));
    there_ = {words_.data(), first_.data(), pieces_.data()};
    check(cudaDeviceSynchronize());
  }

 private:
  void launch(const PairRectangle& rectangle, Lane& lane) override {
    launch_common_entries(there_, rectangle, lane.stream);
  }
  void add_rest(RankRange rows, RankRange columns, std::uint32_t* counts,
                std::size_t stride) const override {
    if (maps_.elements_aside() == 0) return;
    for (std::uint32_t r = rows.first; r < rows.end; ++r) {
      const BatMapView row = maps_.of(r);
      for (std::uint32_t c = columns.first; c < columns.end; ++c) {
        const BatMapView column = maps_.of(c);
        if (row.aside.empty() && column.aside.empty()) continue;
        counts[(r - rows.first) * stride + (c - columns.first)] +=
            static_cast<std::uint32_t>(count_common_aside(maps_.layout(), row, column));
      }
    }
  }

  BatMaps maps_;
  DeviceBuffer<std::uint32_t> words_;
  DeviceBuffer<std::uint64_t> first_;
  DeviceBuffer<std::uint32_t> pieces_;
  DeviceBatMaps there_;
};

}  // namespace

std::unique_ptr<DevicePairCounter> make_pair_counter(PairForm form, const PairRows& rows,
                                                     std::uint32_t columns, ThreadPool& pool,
                                                     const DeviceOptions& options, unsigned moves) {
  switch (form) {
    case PairForm::batmap:
      return std::make_unique<BatMapCounter>(rows, pool, options, moves);
    case PairForm::bitmap:
    case PairForm::product:
      return std::make_unique<BitCounter>(form, rows, columns, options);
    case PairForm::lists:
      break;
  }
  return nullptr;
}

}  // namespace atl::cuda
