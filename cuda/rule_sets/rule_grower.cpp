#include "src/sampling/rule_grower.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "cuda/device/busy_time.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/resident.hpp"
#include "cuda/host/growth_program.hpp"
#include "cuda/rule_sets/growth_kernel.hpp"
#include "src/sampling/class_sample.hpp"

namespace atl::cuda {

/// The sample that rules are grown on. Immutable, shared by the growers of all threads.
class GrowthSample {
 public:
  /// Brings a sample to the current device. Blocking.
  /// @param room  bytes that it may take
  /// @return null if there is not so much room
  static std::shared_ptr<const GrowthSample> make(const ClassSample& sample, std::uint64_t room);

  const GrowthRows& rows() const noexcept { return rows_; }

 private:
  DeviceBuffer<unsigned long long> sets_;
  DeviceBuffer<GrowthAttribute> attributes_;
  DeviceBuffer<uint2> literals_;
  DeviceBuffer<std::uint16_t> labels_;
  DeviceBuffer<std::uint32_t> windows_;
  DeviceBuffer<std::uint32_t> missing_;
  DeviceBuffer<std::uint32_t> coarse_;
  GrowthRows rows_;
};

namespace {

static_assert(sizeof(Literal) == sizeof(uint2));

std::vector<GrowthAttribute> attributes_of(const ClassSample& sample) {
  std::vector<GrowthAttribute> all;
  for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
    const Attribute& attribute = sample.attributes()[a];
    const auto first = static_cast<std::uint32_t>(sample.first_literal(a));
    const auto end = static_cast<std::uint32_t>(sample.first_literal(a + 1));
    all.push_back({first, end - first, attribute.distinct(), sample.set_of_present(a),
                   attribute.ordered() ? 1U : 0U, attribute.has_missing ? 1U : 0U,
                   static_cast<std::uint32_t>(sample.stride(a))});
  }
  return all;
}

std::vector<std::uint32_t> coarse_of(const ClassSample& sample) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
    const std::size_t stride = sample.stride(a);
    for (std::size_t i = stride / 2; i < sample.literals_of(a); i += stride) {
      all.push_back(static_cast<std::uint32_t>(sample.first_literal(a) + i));
    }
  }
  return all;
}

std::vector<std::uint32_t> missing_of(const ClassSample& sample) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
    if (sample.attributes()[a].has_missing) all.push_back(a);
  }
  return all;
}

std::vector<std::uint32_t> windows_of(const ClassSample& sample) {
  std::vector<std::uint32_t> all;
  for (const SampleWindow& window : sample.windows()) {
    for (const std::size_t word : window.classes) all.push_back(static_cast<std::uint32_t>(word));
  }
  return all;
}

std::vector<std::uint16_t> labels_of(const ClassSample& sample) {
  std::vector<std::uint16_t> all(sample.words());
  for (const SampleWindow& window : sample.windows()) {
    for (std::uint32_t c = 0; c < sample.classes(); ++c) {
      std::fill(all.begin() + static_cast<std::ptrdiff_t>(window.classes[c]),
                all.begin() + static_cast<std::ptrdiff_t>(window.classes[c + 1]),
                static_cast<std::uint16_t>(c));
    }
  }
  return all;
}

/// @return is there room?
template <typename T, typename From>
bool copy(std::span<const From> from, DeviceBuffer<T>& to, const Stream& stream) {
  if (from.empty()) return true;
  if (!to.try_reserve(from.size_bytes() / sizeof(T))) return false;
  check(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));  // what is copied may go
  return true;
}

template <typename T>
std::span<const T> all_of(const std::vector<T>& of) {
  return of;
}

}  // namespace

std::shared_ptr<const GrowthSample> GrowthSample::make(const ClassSample& sample,
                                                       std::uint64_t room) {
  const auto made = std::make_shared<GrowthSample>();
  const auto attributes = attributes_of(sample);
  const auto missing = missing_of(sample), windows = windows_of(sample);
  const auto labels = labels_of(sample);
  const auto coarse = coarse_of(sample);
  const Stream stream;
  if (sample.row_sets().size_bytes() > room || !copy(sample.row_sets(), made->sets_, stream) ||
      !copy(all_of(attributes), made->attributes_, stream) ||
      !copy(sample.literals(), made->literals_, stream) ||
      !copy(all_of(labels), made->labels_, stream) ||
      !copy(all_of(windows), made->windows_, stream) ||
      !copy(all_of(missing), made->missing_, stream) ||
      !copy(all_of(coarse), made->coarse_, stream)) {
    return nullptr;
  }
  GrowthRows& rows = made->rows_;
  rows.sets = made->sets_.data();
  rows.attributes = made->attributes_.data();
  rows.literals = made->literals_.data();
  rows.labels = made->labels_.data();
  rows.windows = made->windows_.data();
  rows.missing = made->missing_.data();
  rows.coarse = made->coarse_.data();
  rows.all = sample.set_of_rows();
  rows.words = static_cast<std::uint32_t>(sample.words());
  rows.literal_count = static_cast<std::uint32_t>(sample.literals().size());
  rows.coarse_count = static_cast<std::uint32_t>(coarse.size());
  rows.missing_count = static_cast<std::uint32_t>(missing.size());
  rows.classes = sample.classes();
  for (const SampleWindow& window : sample.windows()) {
    rows.most_words =
        std::max(rows.most_words, static_cast<std::uint32_t>(window.end() - window.first()));
  }
  return made;
}

namespace {

class CudaRuleGrower final : public RuleGrower {
 public:
  CudaRuleGrower(CudaDevice& gpu, std::shared_ptr<const ClassSample> sample,
                 std::shared_ptr<const GrowthSample> rows, const GrowthSettings& settings)
      : gpu_(gpu),
        sample_(std::move(sample)),
        rows_(std::move(rows)),
        settings_(settings),
        program_(*sample_, settings_) {
    send(weights_in_window(*sample_, settings_), weights_);
    send(least_in_window(*sample_, settings_), least_);
    std::vector<double> costs;
    for (const auto& of_price : settings_.costs) {
      costs.insert(costs.end(), of_price.begin(), of_price.end());
    }
    send(costs, costs_);
  }
  ~CudaRuleGrower() override { cudaStreamSynchronize(stream_); }

  void start(std::span<const GrowthTask> tasks) override {
    check(cudaSetDevice(gpu_.options().device));  // of this thread
    program_.plan(tasks);
    try {
      if (!program_.tasks().empty()) send();
      grow_others(tasks);
    } catch (...) {  // what is on its way must not find its memory used anew
      cudaStreamSynchronize(stream_);
      throw;
    }
  }

  bool ready() const override { return program_.tasks().empty() || done_.passed(); }

  void read(std::span<std::optional<Grown>> out) override {
    check(cudaSetDevice(gpu_.options().device));
    if (!program_.tasks().empty()) {
      check(cudaStreamSynchronize(stream_));
      gpu_.busy().add(span_, &BusySeconds::fits);
      program_.read(results_.data(), out);
    }
    for (std::size_t i = 0; i < others_.size(); ++i) {
      out[program_.others()[i]] = std::move(others_[i]);
    }
  }

 private:
  void send(const std::vector<double>& values, DeviceBuffer<double>& to) {
    to.reserve(values.size());
    check(cudaMemcpyAsync(to.data(), values.data(), values.size() * sizeof(double),
                          cudaMemcpyHostToDevice, stream_));
    check(cudaStreamSynchronize(stream_));
  }

  void send() {
    const auto count = static_cast<std::uint32_t>(program_.tasks().size());
    words_.reserve(program_.bytes());
    device_words_.reserve(program_.bytes());
    results_.reserve(count * program_.result_bytes());
    program_.write(words_.data());
    const GrowthBatch batch{
        device_words_.data(),  results_.data(), count,         program_.most_comparisons(),
        weights_.data(),       least_.data(),   costs_.data(), settings_.most_comparisons,
        settings_.most_steps()};
    GrowthLaunch plan = plan_growth(gpu_.limits(), rows_->rows(), batch);
    while (!scratch_.try_reserve(plan.blocks * plan.scratch_bytes)) {  // fewer blocks
      if (plan.blocks == 1) refuse_for_memory(plan.scratch_bytes);
      plan.blocks /= 2;
    }
    gpu_.busy().begin(span_, stream_);
    check(cudaMemcpyAsync(device_words_.data(), words_.data(), program_.bytes(),
                          cudaMemcpyHostToDevice, stream_));
    launch_growth(plan, rows_->rows(), batch, scratch_.data(), stream_);
    gpu_.busy().end(span_, stream_);
    done_.record(stream_);
  }

  /// Grows on the CPU what a device cannot do.
  void grow_others(std::span<const GrowthTask> tasks) {
    others_.resize(program_.others().size());
    if (others_.empty()) return;
    if (host_ == nullptr) host_ = make_cpu_rule_grower(make_growth_threads(sample_, settings_));
    std::vector<GrowthTask> left;
    for (const std::uint32_t t : program_.others()) left.push_back(tasks[t]);
    host_->start(left);
    host_->read(others_);
  }

  CudaDevice& gpu_;
  const std::shared_ptr<const ClassSample> sample_;
  const std::shared_ptr<const GrowthSample> rows_;
  const GrowthSettings settings_;
  GrowthProgram program_;
  Stream stream_;
  BusyTime::Span span_;
  Event done_;
  DeviceBuffer<double> weights_;
  DeviceBuffer<double> least_;
  DeviceBuffer<double> costs_;
  PinnedBuffer<std::byte> words_;
  DeviceBuffer<std::byte> device_words_;
  PinnedBuffer<std::byte> results_;
  DeviceBuffer<std::byte> scratch_;
  std::unique_ptr<RuleGrower> host_;  // made when first needed
  std::vector<std::optional<Grown>> others_;
};

}  // namespace

std::unique_ptr<RuleGrower> CudaResident::rule_grower(std::shared_ptr<const ClassSample> sample,
                                                      const GrowthSettings& settings) {
  check(cudaSetDevice(gpu_.options().device));
  std::shared_ptr<const GrowthSample> rows;
  if (grows_on_device(*sample, settings)) {
    const std::scoped_lock lock(growth_mutex_);
    auto entry = growth_samples_.find(sample);
    if (entry == growth_samples_.end()) {
      allow_growth(gpu_.limits());
      entry = growth_samples_.emplace(sample, GrowthSample::make(*sample, room_for_copies())).first;
    }
    rows = entry->second;
  }
  if (rows == nullptr) return Resident::rule_grower(std::move(sample), settings);
  return std::make_unique<CudaRuleGrower>(gpu_, std::move(sample), std::move(rows), settings);
}

}  // namespace atl::cuda
