#include "cuda/device/busy_time.hpp"

#include <algorithm>
#include <utility>

namespace atl::cuda {
namespace {

constexpr std::chrono::seconds origin_lasts{10};
constexpr std::size_t most_pending = 1024;

}  // namespace

void BusyTime::begin(Span& span, cudaStream_t stream) {
  {
    const std::scoped_lock lock(mutex_);
    if (origin_ == nullptr || Clock::now() - origin_recorded_ > origin_lasts) {
      auto origin = std::make_shared<Origin>();
      origin->event.record(stream);
      origin->before = std::move(origin_);
      origin_ = std::move(origin);
      origin_recorded_ = Clock::now();
    }
    span.origin_ = origin_;
  }
  span.begin_.record(stream);
}

double BusyTime::offset_of(Origin& origin) {
  if (const auto before = std::exchange(origin.before, nullptr)) {
    before->event.wait();
    origin.offset = offset_of(*before) + origin.event.seconds_since(before->event);
  }
  return origin.offset;
}

void BusyTime::add(Span& span, double BusySeconds::*kind) {
  // This waits without the lock, which the threads of all islands would wait for.
  Origin& origin = *span.origin_;
  origin.event.wait();  // of another stream
  const double begin = span.begin_.seconds_since(origin.event);
  const double end = span.end_.seconds_since(origin.event);
  const std::scoped_lock lock(mutex_);
  const double offset = offset_of(origin);
  for (std::size_t i = 0; i < busy_kinds.size(); ++i) {
    if (busy_kinds[i] == kind || busy_kinds[i] == &BusySeconds::all)
      covers_[i].add({offset + begin, offset + end});
  }
}

BusySeconds BusyTime::seconds() {
  const std::scoped_lock lock(mutex_);
  BusySeconds all;
  for (std::size_t i = 0; i < busy_kinds.size(); ++i) all.*busy_kinds[i] = covers_[i].seconds();
  return all;
}

void BusyTime::Cover::add(const Interval& interval) {
  pending_.push_back(interval);
  if (pending_.size() >= most_pending) seconds();
}

double BusyTime::Cover::seconds() {
  std::sort(pending_.begin(), pending_.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  for (const Interval& interval : pending_) {
    sum_ += std::max(interval.end - std::max(interval.begin, summed_until_), 0.0);
    summed_until_ = std::max(summed_until_, interval.end);
  }
  pending_.clear();
  return sum_;
}

}  // namespace atl::cuda
