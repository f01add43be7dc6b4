#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cuda/device/busy_time.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/resident.hpp"
#include "cuda/device/visible_devices.hpp"
#include "cuda/fit/fit_kernel.hpp"
#include "cuda/fit/split_kernel.hpp"
#include "cuda/host/fit_program.hpp"
#include "src/core/parallel.hpp"
#include "src/data/dataset.hpp"
#include "src/data/row_codes.hpp"

namespace atl::cuda {

/// The sample that fits are made on. Immutable, shared by the fitters of all threads.
class FitSample {
 public:
  /// Brings rows to the current device. Blocking.
  /// @param room  bytes that it may take
  /// @return null if there is not so much room
  static std::shared_ptr<const FitSample> make(const Dataset& dataset, const SpreadRows& drawn,
                                               std::uint64_t room, ThreadPool* readers);

  const FitRows& rows() const noexcept { return rows_; }
  std::span<const FitColumn> columns() const noexcept { return columns_; }

 private:
  void fill(const Dataset& dataset, const SpreadRows& drawn, ThreadPool* readers);

  std::vector<FitColumn> columns_;
  DeviceBuffer<std::byte> codes_;
  DeviceBuffer<std::uint32_t> planes_;
  FitRows rows_;
};

namespace {

/// The codes of some rows of an attribute, each at its place.
/// @tparam Code  of one or two bytes
template <typename Code>
void put_codes(std::span<const std::uint32_t> codes, std::span<const std::uint32_t> places,
               const FitColumn& column, std::vector<std::byte>& out) {
  auto* const to = reinterpret_cast<Code*>(out.data());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    to[places[i]] = static_cast<Code>(codes[i] == missing_code ? column.distinct : codes[i]);
  }
}

std::size_t bytes_of(const FitColumn& column, std::uint64_t rows) {
  if (!column.on_device()) return 0;
  return rows * (column.two_bytes() ? 2 : 1);
}

}  // namespace

std::shared_ptr<const FitSample> FitSample::make(const Dataset& dataset, const SpreadRows& drawn,
                                                 std::uint64_t room, ThreadPool* readers) {
  const std::uint64_t rows =
      (drawn.rows.size() + fit_step_rows - 1) / fit_step_rows * fit_step_rows;
  const auto sample = std::make_shared<FitSample>();
  sample->columns_ = fit_columns(dataset.attributes(), drawn.rows.size());
  std::size_t bytes = 0, planes = 0;
  for (const FitColumn& column : sample->columns_) {
    bytes += bytes_of(column, rows);
    planes += column.planes;
  }
  const std::size_t words = planes * (rows / 32);
  if (bytes + words * sizeof(std::uint32_t) > room || !sample->codes_.try_reserve(bytes) ||
      !sample->planes_.try_reserve(words))
    return nullptr;
  sample->rows_ = {sample->codes_.data(), sample->planes_.data(),
                   static_cast<std::uint32_t>(drawn.rows.size()),
                   static_cast<std::uint32_t>(rows / 32)};
  sample->fill(dataset, drawn, readers);
  return sample;
}

void FitSample::fill(const Dataset& dataset, const SpreadRows& drawn, ThreadPool* readers) {
  const Stream stream;
  const std::uint64_t rows = std::uint64_t{rows_.plane_words} * 32;
  const auto codes_in_order = [&](std::uint32_t a) {
    const FitColumn& column = columns_[a];
    std::vector<std::byte> codes;
    if (!column.on_device() || rows == 0) return codes;
    const std::vector<std::uint32_t> found = codes_of(dataset, a, drawn.rows);
    codes.assign(bytes_of(column, rows), std::byte{0});
    if (column.two_bytes()) {
      put_codes<std::uint16_t>(found, drawn.places, column, codes);
    } else {
      put_codes<std::uint8_t>(found, drawn.places, column, codes);
    }
    return codes;
  };
  const auto upload = [&](std::uint32_t a, const std::vector<std::byte>& codes) {
    if (codes.empty()) return;
    const FitColumn& column = columns_[a];
    std::byte* const to = codes_.data() + std::size_t{column.column} * fit_step_rows;
    check(cudaMemcpyAsync(to, codes.data(), codes.size(), cudaMemcpyHostToDevice, stream));
    launch_planes(to, column.two_bytes(), rows_.plane_words, column.planes,
                  planes_.data() + std::size_t{column.first_plane} * rows_.plane_words, stream);
    check(cudaStreamSynchronize(stream));  // before the codes are overwritten
  };
  const std::size_t at_once = readers != nullptr ? readers->threads() : 1;
  std::vector<std::vector<std::byte>> some(at_once);
  for (std::size_t first = 0; first < columns_.size(); first += at_once) {
    const std::size_t count = std::min(at_once, columns_.size() - first);
    for_each_index(readers, count, [&](std::size_t i) {
      some[i] = codes_in_order(static_cast<std::uint32_t>(first + i));
    });
    for (std::size_t i = 0; i < count; ++i) upload(static_cast<std::uint32_t>(first + i), some[i]);
  }
}

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
      auto made =
          FitSample::make(dataset(), spread_rows(dataset(), rows), room_for_copies(), readers());
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
