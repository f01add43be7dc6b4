#include "cuda/count/piece.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/count/staged_kernels.hpp"
#include "src/core/small_vector.hpp"

namespace atl::cuda {
namespace {

constexpr std::size_t absent = ~std::size_t{0};

}  // namespace

void Piece::compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
                    const CountingOptions& options, std::span<const PlanePlace> places,
                    std::uint32_t group_terms) {
  // Rules are counted as they come if they share nothing, as where raw rates are measured.
  std::span<const std::uint32_t> order;
  if (options.share_comparisons) {
    order_.by_comparisons(rules);
    order = order_.indices();
  }
  batch_.compile(rules, attributes, options, group_terms, order);
  program_.build(batch_, places);
}

void Piece::lay_out() {
  const CountingOptions& options = batch_.options();
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
  counter_bytes_ = words * sizeof(unsigned long long);
}

DeviceCounters Piece::counters_at(std::byte* memory) const {
  const auto at = [&](std::size_t place) {
    return place == absent ? nullptr : reinterpret_cast<unsigned long long*>(memory) + place;
  };
  return {at(places_.rules), at(places_.supports), at(places_.hashes), at(places_.sums),
          at(places_.squares)};
}

void Piece::fill(bool in_stages) {
  lay_out();
  counted_ = 0;
  const auto words = program_.words();
  const auto rules = batch_.rules();
  bytes_ =
      counter_bytes_ + words.size_bytes() + (in_stages ? rules.size() * sizeof(std::uint32_t) : 0);
  host_.reserve(bytes_);
  device_.reserve(bytes_ + 2 * sizeof(std::uint32_t));  // a ProgramReader reads beyond the end
  host_counters_ = counters_at(host_.data());
  std::memset(host_.data(), 0, counter_bytes_);
  auto* const to = reinterpret_cast<std::uint32_t*>(host_.data() + counter_bytes_);
  std::memcpy(to, words.data(), words.size_bytes());
  if (in_stages) {  // reduction goes rule by rule and cannot read the groups' streams
    const bool exclude = batch_.options().exclude_missing_consequent;
    std::transform(rules.begin(), rules.end(), to + words.size(), [&](const CompiledRule& rule) {
      return program_.place_of_set(exclude ? rule.present_set : 0);
    });
  }
}

void Piece::upload(cudaStream_t stream) {
  check(cudaMemcpyAsync(device_.data(), host_.data(), bytes_, cudaMemcpyHostToDevice, stream));
}

ProgramOnDevice Piece::program_on_device() const {
  return {reinterpret_cast<const std::uint32_t*>(device_.data() + counter_bytes_),
          program_.groups(), program_.terms()};
}

Piece::Span* Piece::next_span() {
  if (!timed_) return nullptr;
  if (counted_ == spans_.size()) spans_.push_back(std::make_unique<Span>());
  return spans_[counted_++].get();
}

std::size_t Piece::together(std::span<Piece* const> pieces, const DeviceLimits& limits) {
  const std::size_t most_terms = limits.shared_bytes / tile_bytes / most_warps;
  std::size_t count = 0;
  const std::size_t most = std::min(pieces.size(), most_together);
  while (count < most && pieces[count]->program_.terms() <= most_terms) ++count;
  return std::max<std::size_t>(count, 1);
}

void Piece::count(std::span<Piece* const> pieces, const DeviceRows& rows,
                  const DeviceLimits& limits, DeviceBuffer<uint4>& scratch, cudaStream_t stream) {
  SmallVector<CountedProgram, most_together> programs;
  std::uint32_t groups = 0, terms = 0;
  for (Piece* const piece : pieces) {
    programs.push_back({piece->program_on_device(), piece->counters_at(piece->device_.data())});
    groups += piece->program_.groups();
    terms = std::max(terms, piece->program_.terms());
  }
  const CountLaunch plan = plan_count(limits, rows.rows, groups, terms);
  scratch.reserve(plan.scratch_bytes / sizeof(uint4));
  Span* const span = pieces.front()->next_span();
  if (span != nullptr) span->begin.record(stream);
  launch_count(plan, rows, programs.data(), programs.size(), scratch.data(), stream);
  if (span != nullptr) span->end.record(stream);
}

void Piece::count_in_stages(const DeviceRows& rows, const DeviceLimits& limits,
                            DeviceBuffer<uint4>& scratch, DeviceBuffer<uint4>& words,
                            cudaStream_t stream) {
  const CountLaunch plan = plan_count(limits, rows.rows, program_.groups(), program_.terms());
  scratch.reserve(plan.scratch_bytes / sizeof(uint4));
  const auto rules = static_cast<std::uint32_t>(batch_.rules().size());
  const auto comparisons = static_cast<std::uint32_t>(batch_.comparisons().size());
  const bool supports = batch_.options().comparison_supports;
  const std::uint64_t sides = std::uint64_t{rules} * 2;
  words.reserve((sides + (supports ? comparisons : 0U)) * rows.stride);
  const CoverageWords to{words.data(), supports ? words.data() + sides * rows.stride : nullptr,
                         rows.stride};
  const ProgramOnDevice program = program_on_device();
  Span* const span = next_span();
  if (span != nullptr) span->begin.record(stream);
  launch_coverage(plan, rows, program, to, scratch.data(), stream);
  if (span != nullptr) span->covered.record(stream);
  launch_reduction(rows, program.words, program.words + program_.words().size(), rules, comparisons,
                   to, counters_at(device_.data()), stream);
  if (span != nullptr) span->end.record(stream);
}

void Piece::download(cudaStream_t stream) {
  check(cudaMemcpyAsync(host_.data(), device_.data(), counter_bytes_, cudaMemcpyDeviceToHost,
                        stream));
}

KernelSeconds Piece::seconds(bool in_stages) const {
  KernelSeconds sum;
  for (const auto& span : std::span(spans_).first(counted_)) {
    sum.total += span->end.seconds_since(span->begin);
    if (!in_stages) continue;
    sum.coverage += span->covered.seconds_since(span->begin);
    sum.reduction += span->end.seconds_since(span->covered);
  }
  return sum;
}

}  // namespace atl::cuda
