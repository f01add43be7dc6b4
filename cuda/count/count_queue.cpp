#include "cuda/count/count_queue.hpp"

#include <algorithm>

namespace atl::cuda {
namespace {

/// Rules times rows that keep the device busy for some 2 ms. What more would fly with them is here
/// later, and so is what they were sent for.
constexpr std::uint64_t enough_work = 13'000'000'000;

}  // namespace

void CountQueue::send(Order& order) {
  Lock lock(mutex_);
  order.failure_ = nullptr;
  order.state_ = Order::State::waits;
  waiting_.push_back(&order);
  for (Flight& flight : flights_) {  // perhaps nobody waits for those that are done
    if (flight.state == Flight::State::flies && cudaStreamQuery(flight.stream) == cudaSuccess) {
      land(flight, lock);
    }
  }
  leave(lock);
}

bool CountQueue::ready(const Order& order) {
  const Lock lock(mutex_);
  if (order.state_ != Order::State::flies) return order.state_ == Order::State::here;
  const Flight& flight = flights_[order.flight_];
  return flight.state == Flight::State::flies &&
         cudaStreamQuery(flight.stream) != cudaErrorNotReady;
}

// Whoever waits moves on what is in its way: there is no thread that only waits for the device.
void CountQueue::wait(Order& order) {
  Lock lock(mutex_);
  while (order.state_ != Order::State::here) {
    leave(lock);
    if (Flight* const flight = in_the_way_of(order)) {
      land(*flight, lock);
    } else if (order.state_ != Order::State::here) {
      changed_.wait(lock);
    }
  }
  if (order.failure_) std::rethrow_exception(order.failure_);
}

/// The flight in the way of an order; null if another thread sees to it, or it is counted.
CountQueue::Flight* CountQueue::in_the_way_of(const Order& order) {
  for (Flight& flight : flights_) {
    if (flight.state != Flight::State::flies) continue;
    if (order.state_ == Order::State::waits) return &flight;
    if (order.state_ == Order::State::flies && &flight == &flights_[order.flight_]) return &flight;
  }
  return nullptr;
}

/// An idle flight; null if there is none.
CountQueue::Flight* CountQueue::idle_flight() {
  // A table that passes the device does so for all that waits, not for two halves of it in turns.
  const bool in_turns = !data_.stays();
  Flight* idle = nullptr;
  for (Flight& flight : flights_) {
    if (flight.state == Flight::State::idle) {
      idle = &flight;
    } else if (in_turns) {
      return nullptr;
    }
  }
  return idle;
}

/// Fills a flight with what can go with the one that has waited longest: enough of it, or all if
/// the table passes the device for it.
void CountQueue::fill(Flight& flight) {
  const TargetPlanes* const target = waiting_.front()->target;
  const auto number = static_cast<std::size_t>(&flight - flights_.data());
  const bool takes_all = !data_.stays();
  std::uint64_t work = 0;
  const auto stay =
      std::stable_partition(waiting_.begin(), waiting_.end(), [&](const Order* order) {
        if (order->target != target || (!takes_all && work >= enough_work)) return false;
        for (const auto& piece : order->pieces) {
          work += piece->batch().rules().size() * data_.part_rows();
        }
        return true;
      });
  flight.orders.assign(waiting_.begin(), stay);
  waiting_.erase(waiting_.begin(), stay);
  for (Order* const order : flight.orders) {
    order->state_ = Order::State::flies;
    order->flight_ = number;
  }
}

/// Sends off what waits, as far as flights are idle.
void CountQueue::leave(Lock& lock) {
  while (!waiting_.empty()) {
    Flight* const flight = idle_flight();
    if (flight == nullptr) return;
    fill(*flight);
    flight->state = Flight::State::leaves;
    lock.unlock();
    std::exception_ptr failure;
    try {
      launch(*flight);
    } catch (...) {
      failure = std::current_exception();
      cudaStreamSynchronize(flight->stream);  // what is on its way must not find its memory reused
    }
    lock.lock();
    flight->state = Flight::State::flies;
    if (failure) unload(*flight, failure);
    changed_.notify_all();
  }
}

void CountQueue::launch(Flight& flight) {
  const cudaStream_t stream = flight.stream;
  auto& pieces = flight.pieces;
  pieces.clear();
  for (const Order* const order : flight.orders) {
    for (const auto& piece : order->pieces) pieces.push_back(piece.get());
  }
  busy_.begin(flight.span, stream);
  for (Piece* const piece : pieces) piece->upload(stream);
  data_.for_each_part(stream, flight.orders.front()->target,
                      [&](const DeviceRows& rows) { count(flight, rows); });
  for (Piece* const piece : pieces) piece->download(stream);
  busy_.end(flight.span, stream);
}

void CountQueue::count(Flight& flight, const DeviceRows& rows) {
  std::span<Piece* const> pieces = flight.pieces;
  if (options_.in_stages) {
    for (Piece* const piece : pieces) {
      piece->count_in_stages(rows, limits_, flight.scratch, flight.words, flight.stream);
    }
    return;
  }
  while (!pieces.empty()) {
    const std::size_t together = Piece::together(pieces, limits_);
    Piece::count(pieces.first(together), rows, limits_, flight.scratch, flight.stream);
    pieces = pieces.subspan(together);
  }
}

/// Blocks until its orders are counted. @pre it flies
void CountQueue::land(Flight& flight, Lock& lock) {
  flight.state = Flight::State::lands;
  lock.unlock();
  std::exception_ptr failure;
  try {
    check(cudaStreamSynchronize(flight.stream));
    busy_.add(flight.span, &BusySeconds::counts);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  unload(flight, failure);
  leave(lock);
  changed_.notify_all();
}

void CountQueue::unload(Flight& flight, const std::exception_ptr& failure) {
  for (Order* const order : flight.orders) {
    order->failure_ = failure;
    order->state_ = Order::State::here;
  }
  flight.orders.clear();
  flight.state = Flight::State::idle;
}

}  // namespace atl::cuda
