#include "src/sampling/rule_grower.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cuda/device/busy_time.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/resident.hpp"
#include "cuda/host/growth_program.hpp"
#include "cuda/rule_sets/growth_kernel.hpp"
#include "cuda/rule_sets/growth_sample.hpp"

namespace atl::cuda {

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
    if (host_ == nullptr) host_ = make_cpu_rule_grower(sample_, settings_);
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
