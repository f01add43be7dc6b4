#include "cuda/piece.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/staged_kernels.hpp"

namespace atl::cuda {

namespace {

constexpr std::size_t absent = ~std::size_t{0};
/// About, of a part: enough that a thread has microseconds of work.
constexpr std::size_t part_rules = 64;

}  // namespace

void Piece::compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
                    const EvaluateOptions& options, std::span<const PlanePlace> places,
                    std::uint32_t group_terms, ThreadPool& pool) {
  options_ = options;
  rules_ = rules.size();
  // Whole groups of rules of two terms.
  const std::size_t group_rules = (group_terms + 1) / 2;
  const std::size_t each = (part_rules + group_rules - 1) / group_rules * group_rules;
  used_ = (rules.size() + each - 1) / each;
  if (parts_.size() < used_) parts_.resize(used_);
  std::vector<std::size_t> first_comparisons(used_);
  comparisons_ = 0;
  for (std::size_t p = 0; p < used_; ++p) {
    first_comparisons[p] = comparisons_;
    parts_[p].first_rule = p * each;
    for (const Rule& rule : rules.subspan(p * each, std::min(each, rules.size() - p * each))) {
      comparisons_ += rule.comparisons();
    }
  }
  const auto compile_part = [&](std::size_t p, unsigned) {
    Part& part = parts_[p];
    part.batch.compile(
        rules.subspan(part.first_rule, std::min(each, rules.size() - part.first_rule)), attributes,
        options, group_terms);
    part.program.build(part.batch, places, static_cast<std::uint32_t>(part.first_rule),
                       static_cast<std::uint32_t>(first_comparisons[p]));
  };
  if (used_ > 1 && pool.threads() > 1) {
    pool.wait(pool.submit(used_, compile_part));
  } else {
    for (std::size_t p = 0; p < used_; ++p) compile_part(p, 0);
  }
  groups_ = 0;
  terms_ = 0;
  std::size_t words = 0;
  for (Part& part : std::span(parts_).first(used_)) {
    part.place = words;
    words += part.program.words().size();
    groups_ += static_cast<std::uint32_t>(part.program.streams().size());
    terms_ = std::max(terms_, part.program.terms());
  }
  group_bytes_ = groups_ * sizeof(GroupPlace);
  word_bytes_ = words * sizeof(std::uint32_t);
}

void Piece::lay_out() {
  std::size_t words = 0;
  const auto take = [&](bool wanted, std::size_t count) {
    const std::size_t begin = wanted ? words : absent;
    if (wanted) words += count;
    return begin;
  };
  places_.rules = take(true, rules_ * 3);
  places_.supports = take(options_.comparison_supports, comparisons_);
  places_.hashes = take(options_.coverage_hashes, rules_ * 2);
  places_.sums = take(options_.mean.has_value(), rules_);
  places_.squares = take(options_.mean && options_.mean->deviations, rules_ * 2);
  counter_bytes_ = words * sizeof(unsigned long long);
}

DeviceCounters Piece::counters_at(std::byte* memory) const {
  const auto at = [&](std::size_t place) {
    return place == absent ? nullptr : reinterpret_cast<unsigned long long*>(memory) + place;
  };
  return {at(places_.rules), at(places_.supports), at(places_.hashes), at(places_.sums),
          at(places_.squares)};
}

void Piece::upload(cudaStream_t stream) {
  lay_out();
  counted_ = 0;
  const std::size_t set_bytes = rules_ * sizeof(std::uint32_t);
  const std::size_t bytes = counter_bytes_ + group_bytes_ + word_bytes_ + set_bytes;
  host_.reserve(bytes);
  device_.reserve(bytes);
  host_counters_ = counters_at(host_.data());
  std::memset(host_.data(), 0, counter_bytes_);
  auto* group = reinterpret_cast<GroupPlace*>(host_.data() + counter_bytes_);
  auto* const words =
      reinterpret_cast<std::uint32_t*>(host_.data() + counter_bytes_ + group_bytes_);
  std::uint32_t* set = words + word_bytes_ / sizeof(std::uint32_t);
  for (const Part& part : parts()) {
    const auto place = static_cast<std::uint32_t>(part.place);
    for (const std::uint32_t stream_place : part.program.streams()) {
      *group++ = {place + stream_place, place};
    }
    const auto of_part = part.program.words();
    std::memcpy(words + part.place, of_part.data(), of_part.size_bytes());
    // The reduction stage goes rule by rule and cannot read the groups' streams.
    for (const CompiledRule& rule : part.batch.rules()) {
      *set++ = place + part.program.place_of_set(
                           options_.exclude_missing_consequent ? rule.present_set : 0);
    }
  }
  check(cudaMemcpyAsync(device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice, stream));
}

ProgramOnDevice Piece::program_on_device() const {
  const std::byte* const groups = device_.data() + counter_bytes_;
  return {reinterpret_cast<const GroupPlace*>(groups),
          reinterpret_cast<const std::uint32_t*>(groups + group_bytes_), groups_, terms_};
}

Piece::Span* Piece::next_span() {
  if (!timed_) return nullptr;
  if (counted_ == spans_.size()) spans_.push_back(std::make_unique<Span>());
  return spans_[counted_++].get();
}

void Piece::count(const DeviceRows& rows, const DeviceLimits& limits, cudaStream_t stream) {
  const CountLaunch plan = plan_count(limits, rows.rows, groups_, terms_);
  scratch_.reserve(plan.scratch_bytes / sizeof(uint4));
  Span* const span = next_span();
  if (span != nullptr) span->begin.record(stream);
  launch_count(plan, rows, program_on_device(), counters_at(device_.data()), scratch_.data(),
               stream);
  if (span != nullptr) span->end.record(stream);
}

void Piece::count_in_stages(const DeviceRows& rows, const DeviceLimits& limits,
                            DeviceBuffer<uint4>& words, cudaStream_t stream) {
  const CountLaunch plan = plan_count(limits, rows.rows, groups_, terms_);
  scratch_.reserve(plan.scratch_bytes / sizeof(uint4));
  const bool supports = options_.comparison_supports;
  const std::uint64_t sides = rules_ * std::uint64_t{2};
  words.reserve((sides + (supports ? comparisons_ : 0U)) * rows.stride);
  const CoverageWords to{words.data(), supports ? words.data() + sides * rows.stride : nullptr,
                         rows.stride};
  const ProgramOnDevice program = program_on_device();
  Span* const span = next_span();
  if (span != nullptr) span->begin.record(stream);
  launch_coverage(plan, rows, program, to, scratch_.data(), stream);
  if (span != nullptr) span->covered.record(stream);
  launch_reduction(rows, program.words, program.words + word_bytes_ / sizeof(std::uint32_t),
                   static_cast<std::uint32_t>(rules_), static_cast<std::uint32_t>(comparisons_), to,
                   counters_at(device_.data()), stream);
  if (span != nullptr) span->end.record(stream);
}

void Piece::download(cudaStream_t stream) {
  check(cudaMemcpyAsync(host_.data(), device_.data(), counter_bytes_, cudaMemcpyDeviceToHost,
                        stream));
}

DeviceSeconds Piece::seconds(bool in_stages) const {
  DeviceSeconds sum;
  for (const auto& span : std::span(spans_).first(counted_)) {
    sum.total += span->end.seconds_since(span->begin);
    if (!in_stages) continue;
    sum.coverage += span->covered.seconds_since(span->begin);
    sum.reduction += span->end.seconds_since(span->covered);
  }
  return sum;
}

}  // namespace atl::cuda
