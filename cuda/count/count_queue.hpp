// Batches of all islands on their way through a table: those that wait go together.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cuda/count/piece.hpp"
#include "cuda/device/busy_time.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/device_data.hpp"
#include "cuda/device/handles.hpp"

namespace atl::cuda {

/// Counts batches on the rows of a table, a few flights at a time. Batches that come while all
/// flights are under way wait, and then go together with the next one, in one launch. So a small
/// batch does not leave processors idle, and a table that does not fit passes the device once for
/// all of them. Which batches fly together depends on time; what is counted does not. For any
/// thread.
class CountQueue {
 public:
  /// A batch of a counter. It and its pieces stay where they are from send() to wait().
  class Order {
   public:
    std::span<const std::unique_ptr<Piece>> pieces;  ///< filled
    const TargetPlanes* target = nullptr;            ///< null unless a mean is counted

   private:
    friend CountQueue;
    enum class State { here, waits, flies };
    State state_ = State::here;
    std::size_t flight_ = 0;  // that it flies in
    std::exception_ptr failure_;
  };

  /// All must outlive it.
  CountQueue(const DeviceOptions& options, const DeviceLimits& limits, DeviceData& data,
             BusyTime& busy)
      : options_(options), limits_(limits), data_(data), busy_(busy) {}
  CountQueue(const CountQueue&) = delete;
  CountQueue& operator=(const CountQueue&) = delete;

  /// Does not wait for the device.
  /// @pre the device is the thread's current device, as for what follows
  void send(Order& order);
  /// Would wait() return at once? Does not wait for the device.
  bool ready(const Order& order);
  /// Blocks until it is counted, if it was sent.
  /// @throws what kept it from being counted
  void wait(Order& order);

 private:
  static constexpr std::size_t most_flights = 2;

  struct Flight {
    enum class State { idle, leaves, flies, lands };
    State state = State::idle;
    std::vector<Order*> orders;
    std::vector<Piece*> pieces;  // of these
    Stream stream;
    BusyTime::Span span;
    DeviceBuffer<uint4> scratch, words;  // of one launch at a time
  };
  using Lock = std::unique_lock<std::mutex>;

  Flight* in_the_way_of(const Order& order);
  Flight* idle_flight();
  void fill(Flight& flight);
  void leave(Lock& lock);
  void launch(Flight& flight);
  void count(Flight& flight, const DeviceRows& rows);
  void land(Flight& flight, Lock& lock);
  void unload(Flight& flight, const std::exception_ptr& failure);

  const DeviceOptions& options_;
  const DeviceLimits& limits_;
  DeviceData& data_;
  BusyTime& busy_;
  std::mutex mutex_;  // of all below, but what a flight that leaves or lands has
  std::condition_variable changed_;
  std::vector<Order*> waiting_;
  std::array<Flight, most_flights> flights_;
};

}  // namespace atl::cuda
