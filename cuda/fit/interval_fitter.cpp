#include <algorithm>
#include <mutex>
#include <optional>

#include "cuda/device/busy_time.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/resident.hpp"
#include "cuda/device/visible_devices.hpp"
#include "cuda/fit/fit_kernel.hpp"
#include "cuda/fit/fit_sample.hpp"
#include "cuda/fit/split_kernel.hpp"
#include "cuda/host/fit_program.hpp"

namespace atl::cuda {

namespace {

class PinnedWords final : public FitWords {
 public:
  const std::uint32_t* data() const noexcept { return memory_.data(); }
  std::span<std::uint32_t> grow(std::size_t words, std::size_t used) override {
    if (words > size_) {
      PinnedBuffer<std::uint32_t> larger;
      larger.reserve(words);
      std::copy_n(memory_.data(), used, larger.data());
      memory_ = std::move(larger);
      size_ = words;
    }
    return {memory_.data(), size_};
  }

 private:
  PinnedBuffer<std::uint32_t> memory_;
  std::size_t size_ = 0;
};

class CudaIntervalFitter final : public IntervalFitter {
 public:
  CudaIntervalFitter(CudaResident& resident, std::shared_ptr<const FitSample> sample,
                     const IntervalRows& rows)
      : resident_(resident), gpu_(resident.gpu()), sample_(std::move(sample)), of_(rows) {}
  ~CudaIntervalFitter() override { cudaStreamSynchronize(stream_); }

  void prepare(std::span<const IntervalGroup> groups) override {
    check(cudaSetDevice(gpu_.options().device));  // of this thread
    all_ = groups;
    const std::uint32_t rows = sample_->rows().rows;
    program_.build(groups, sample_->columns(),
                   static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, of_.enough)), words_);
    const std::size_t count = program_.groups().size();
    results_.reserve(count);
    const bool whole = program_.whole() && of_.enough >= rows;
    // A block reads a small group by itself sooner than a copy of all would be there, but not all
    // Reading a small group in place beats copying it, unless many blocks read it.
    copied_ = whole || program_.most_words() > most_read_words;
    if (copied_) device_words_.reserve(program_.words());
    batch_ = {copied_ ? device_words_.data() : words_.data(), static_cast<std::uint32_t>(count),
              program_.most_codes(), program_.wide(), whole};
    if (batch_.groups == 0) return;
    if (whole) {
      split_ = plan_split(gpu_.limits(), sample_->rows(), batch_);
      reserve_sums();
    } else {
      plan_ = plan_fits(gpu_.limits(), batch_);
      reserve_scratch();
    }
  }

  void start() override {
    check(cudaSetDevice(gpu_.options().device));
    try {
      if (batch_.groups != 0) send();
      fit_others();
    } catch (...) {  // what is on its way must not find its memory used anew
      cudaStreamSynchronize(stream_);
      throw;
    }
  }

  bool ready() const override {
    if (batch_.groups == 0) return true;
    check(cudaSetDevice(gpu_.options().device));
    return cudaStreamQuery(stream_) != cudaErrorNotReady;
  }

  void finish() override {
    if (batch_.groups == 0) return;
    check(cudaSetDevice(gpu_.options().device));
    check(cudaStreamSynchronize(stream_));
    gpu_.busy().add(span_, &BusySeconds::fits);
  }

  std::size_t least_groups() const noexcept override { return 64; }

  void read(std::span<FittedGroup> out) override {
    for (std::size_t i = 0; i < program_.groups().size(); ++i) {
      const FitResult& result = results_.data()[i];
      FittedGroup& group = out[program_.groups()[i]];
      group.winner = result.winner;
      group.interval.reset();
      if (result.low == no_fit) continue;
      group.interval = FittedInterval{result.low, result.high, result.chi_squared};
    }
    for (std::size_t i = 0; i < others_.size(); ++i) out[program_.others()[i]] = others_[i];
  }

 private:
  /// Fewer blocks where memory is short.
  void reserve_scratch() {
    const std::size_t of_block = plan_.scratch_bytes / std::max(plan_.blocks, 1U);
    while (!scratch_.try_reserve(plan_.blocks * of_block / sizeof(uint2))) {
      if (plan_.blocks == 1) refuse_for_memory(of_block);
      plan_.blocks /= 2;
    }
  }

  /// Fewer groups at once where memory is short.
  void reserve_sums() {
    if (split_.words() <= sum_words_) return;
    sum_words_ = 0;
    while (!sums_.try_reserve(split_.words())) {
      if (split_.groups == 1) refuse_for_memory(split_.words() * sizeof(std::uint32_t));
      split_.groups /= 2;
    }
    check(cudaMemsetAsync(sums_.data(), 0, split_.words() * sizeof(std::uint32_t), stream_));
    sum_words_ = split_.words();
  }

  void send() {
    gpu_.busy().begin(span_, stream_);
    if (copied_) {
      check(cudaMemcpyAsync(device_words_.data(), words_.data(),
                            program_.words() * sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                            stream_));
    }
    // Results go straight to the host's memory: a copy would take longer than the few bytes.
    if (batch_.whole) {
      launch_split(split_, sample_->rows(), batch_, sums_.data(), results_.data(), stream_);
    } else {
      launch_fits(plan_, sample_->rows(), batch_, scratch_.data(), results_.data(), stream_);
    }
    gpu_.busy().end(span_, stream_);
  }

  /// Groups of attributes that are not on the device.
  void fit_others() {
    others_.resize(program_.others().size());
    if (others_.empty()) return;
    if (host_ == nullptr) host_ = resident_.Resident::interval_fitter(of_);
    other_groups_.clear();
    for (const std::uint32_t g : program_.others()) other_groups_.push_back(all_[g]);
    host_->prepare(other_groups_);
    host_->start();
    host_->finish();
    host_->read(others_);
  }

  CudaResident& resident_;
  CudaDevice& gpu_;
  const std::shared_ptr<const FitSample> sample_;
  const IntervalRows of_;
  Stream stream_;
  BusyTime::Span span_;
  FitProgram program_;
  FitBatch batch_;
  FitLaunch plan_;
  PinnedWords words_;
  bool copied_ = false;  // to the device, before they are read
  DeviceBuffer<std::uint32_t> device_words_;
  PinnedBuffer<FitResult> results_;
  DeviceBuffer<uint2> scratch_;
  SplitLaunch split_;
  DeviceBuffer<std::uint32_t> sums_;  // zeros between launches
  std::size_t sum_words_ = 0;
  std::span<const IntervalGroup> all_;
  std::unique_ptr<IntervalFitter> host_;  // made when first needed
  std::vector<IntervalGroup> other_groups_;
  std::vector<FittedGroup> others_;
};

}  // namespace

std::unique_ptr<IntervalFitter> CudaResident::interval_fitter(const IntervalRows& rows) {
  check(cudaSetDevice(gpu_.options().device));
  std::shared_ptr<const FitSample> sample;
  {
    const std::scoped_lock lock(fit_mutex_);
    auto entry = fit_samples_.find(rows);
    if (entry == fit_samples_.end()) {
      allow_fits();
      allow_splits();
      auto made = FitSample::make(dataset(), rows_to_look_at(dataset(), rows), room_for_copies());
      entry = fit_samples_.emplace(rows, std::move(made)).first;
    }
    sample = entry->second;
  }
  if (sample == nullptr) return Resident::interval_fitter(rows);
  return std::make_unique<CudaIntervalFitter>(*this, std::move(sample), rows);
}

std::uint64_t CudaResident::room_for_copies() {
  constexpr std::uint64_t parts = 4;  // of the budget, whose other parts are for tables
  const std::shared_lock held(gpu_.residency().mutex());
  return gpu_.residency().budget(free_memory()) / parts;
}

}  // namespace atl::cuda
