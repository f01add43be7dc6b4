#include "cuda/piece.hpp"

#include <cstring>

namespace atl::cuda {

namespace {

constexpr std::size_t absent = ~std::size_t{0};

}  // namespace

void Piece::compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
                    const EvaluateOptions& options, std::span<const PlanePlace> places,
                    std::uint32_t group_terms) {
  batch_.compile(rules, attributes, options, group_terms);
  program_.build(batch_, places);
}

std::size_t Piece::lay_out() {
  const EvaluateOptions& options = batch_.options();
  const std::size_t rules = batch_.rules().size();
  std::size_t words = 0;
  const auto take = [&](bool wanted, std::size_t count) {
    const std::size_t begin = wanted ? words : absent;
    if (wanted) words += count;
    return begin;
  };
  places_.rules = take(true, rules * 3);
  places_.supports = take(options.comparison_supports, batch_.comparisons().size());
  places_.hashes = take(options.coverage_hashes, rules * 2);
  places_.sums = take(options.mean.has_value(), rules);
  places_.squares = take(options.mean && options.mean->deviations, rules * 2);
  return words * sizeof(unsigned long long);
}

DeviceCounters Piece::counters_at(std::byte* memory) const {
  const auto at = [&](std::size_t place) {
    return place == absent ? nullptr : reinterpret_cast<unsigned long long*>(memory) + place;
  };
  return {at(places_.rules), at(places_.supports), at(places_.hashes), at(places_.sums),
          at(places_.squares)};
}

void Piece::upload(cudaStream_t stream) {
  counter_bytes_ = lay_out();
  counted_ = 0;
  const auto words = program_.words();
  const std::size_t bytes = counter_bytes_ + words.size_bytes();
  // A reader looks one word ahead.
  device_.reserve(bytes + sizeof(std::uint32_t));
  host_.reserve(bytes);
  host_counters_ = counters_at(host_.data());
  std::memset(host_.data(), 0, counter_bytes_);
  std::memcpy(host_.data() + counter_bytes_, words.data(), words.size_bytes());
  check(cudaMemcpyAsync(device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice, stream));
}

void Piece::count(const DeviceRows& rows, const DeviceLimits& limits, cudaStream_t stream) {
  const CountLaunch plan = plan_count(limits, rows.rows, program_.groups(), program_.terms());
  scratch_.reserve(plan.scratch_bytes / sizeof(uint4));
  if (timed_ && counted_ == spans_.size()) spans_.push_back(std::make_unique<Span>());
  if (timed_) spans_[counted_]->begin.record(stream);
  launch_count(plan, rows, reinterpret_cast<const std::uint32_t*>(device_.data() + counter_bytes_),
               program_.groups(), program_.terms(), counters_at(device_.data()), scratch_.data(),
               stream);
  if (timed_) spans_[counted_++]->end.record(stream);
}

void Piece::download(cudaStream_t stream) {
  check(cudaMemcpyAsync(host_.data(), device_.data(), counter_bytes_, cudaMemcpyDeviceToHost,
                        stream));
}

double Piece::seconds() const {
  double sum = 0;
  for (std::size_t i = 0; i < counted_; ++i) sum += spans_[i]->end.seconds_since(spans_[i]->begin);
  return sum;
}

}  // namespace atl::cuda
