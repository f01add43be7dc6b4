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

void BusyTime::add(Span& span) {
  // Without the lock, which the threads of all islands would wait for.
  Origin& origin = *span.origin_;
  origin.event.wait();  // of another stream
  const double begin = span.begin_.seconds_since(origin.event);
  const double end = span.end_.seconds_since(origin.event);
  const std::scoped_lock lock(mutex_);
  const double offset = offset_of(origin);
  pending_.push_back({offset + begin, offset + end});
  if (pending_.size() >= most_pending) sum_up();
}

void BusyTime::sum_up() {
  std::sort(pending_.begin(), pending_.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  for (const Interval& interval : pending_) {
    sum_ += std::max(interval.end - std::max(interval.begin, summed_until_), 0.0);
    summed_until_ = std::max(summed_until_, interval.end);
  }
  pending_.clear();
}

double BusyTime::seconds() {
  const std::scoped_lock lock(mutex_);
  sum_up();
  return sum_;
}

}  // namespace atl::cuda
