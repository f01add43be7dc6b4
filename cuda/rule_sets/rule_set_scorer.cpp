#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cuda/device/busy_time.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/part_times.hpp"
#include "cuda/device/resident.hpp"
#include "cuda/device/visible_devices.hpp"
#include "cuda/host/list_program.hpp"
#include "cuda/rule_sets/list_kernel.hpp"
#include "cuda/rule_sets/list_table.hpp"
#include "src/eval/read_list_counts.hpp"

namespace atl::cuda {

namespace {

/// Bytes of words that stages hand to each other, at most.
constexpr std::size_t most_stage_bytes = std::size_t{1} << 31;
constexpr std::size_t least_stage_bytes = std::size_t{1} << 24;

class CudaRuleSetScorer final : public RuleSetScorer {
 public:
  CudaRuleSetScorer(CudaDevice& gpu, std::shared_ptr<const ListTable> table)
      : gpu_(gpu), table_(std::move(table)) {}
  ~CudaRuleSetScorer() override { cudaStreamSynchronize(stream_); }

  std::vector<std::uint64_t> class_rows(std::optional<std::uint32_t> window) const override {
    return table_->tiles().class_rows(window);
  }

  void prepare(std::span<const RuleSet> lists, const ScoringOptions& options) override {
    const ClassTiles& tiles = table_->tiles();
    expect_fit(lists, tiles.attributes(), tiles.class_attribute());
    options_ = options;
    rows_ = table_->rows(options.window);
    batch_.compile(lists, tiles, limits_for(lists.size()));
    program_.build(batch_);
    plan_ = plan_lists(gpu_.limits(), rows_.count,
                       static_cast<std::uint32_t>(batch_.groups().size()), program_.slots());
  }

  void start() override {
    check(cudaSetDevice(gpu_.options().device));  // of this thread
    started_ = false;
    times_.restart(options_.staged);
    if (plan_.blocks == 0) return;
    started_ = true;
    try {
      send();
    } catch (...) {  // what is on its way must not find its memory used anew
      cudaStreamSynchronize(stream_);
      throw;
    }
  }

  void finish() override {
    if (!started_) return;
    check(cudaSetDevice(gpu_.options().device));
    check(cudaStreamSynchronize(stream_));
    gpu_.busy().add(span_, &BusySeconds::counts);
    started_ = false;
  }

  void read(std::span<RuleSetCounts> out) override {
    const std::size_t classes = table_->tiles().classes();
    // Nothing is there if there was nothing to do: no rows, or no rules.
    if (plan_.blocks == 0) {
      counts_.reserve(counter_words());
      std::fill_n(counts_.data(), counter_words(), 0);
    }
    read_list_counts(batch_, class_rows(options_.window), counts_.data(),
                     counts_.data() + classes * batch_.counters(), out);
  }

  std::optional<RuleSetStageSeconds> stage_seconds() const override {
    if (!options_.staged) return std::nullopt;
    return times_.seconds();
  }

 private:
  /// As many groups as shared memory asks for, and so many that no processor is idle if there are
  /// few rows.
  ListBatch::Limits limits_for(std::size_t lists) const {
    const std::uint64_t tasks = std::uint64_t{gpu_.limits().processors} * 2;
    const std::uint64_t groups = std::max<std::uint64_t>(tasks / std::max(rows_.count, 1U), 1);
    return {list_slots(gpu_.limits()).of_one_block,
            static_cast<std::uint32_t>((lists + groups - 1) / groups)};
  }

  std::size_t counter_words() const {
    return table_->tiles().classes() * std::size_t{batch_.counters() + batch_.entries()};
  }

  /// Of the program on the device.
  ListsOnDevice lists_on_device() const {
    const std::uint32_t* const words = program_words_.data();
    ListsOnDevice lists;
    lists.groups = reinterpret_cast<const ListGroupWords*>(words + program_.groups());
    lists.operands = reinterpret_cast<const uint4*>(words + program_.operands());
    lists.stream = reinterpret_cast<const uint4*>(words + program_.stream());
    lists.list_units = words + program_.list_units();
    lists.first_entry = words + program_.first_entry();
    lists.covered_by = words + program_.covered_by();
    lists.group_count = static_cast<std::uint32_t>(batch_.groups().size());
    lists.lists = static_cast<std::uint32_t>(batch_.first_entry().size() - 1);
    lists.entries = batch_.entries();
    lists.counters = batch_.counters();
    lists.slots = program_.slots();
    return lists;
  }

  /// Program up, all launches, counts down.
  void send() {
    const std::size_t words = program_.words().size();
    upload_.reserve(words);
    program_words_.reserve(words);
    counters_.reserve(counter_words());
    counts_.reserve(counter_words());
    scratch_.reserve(plan_.scratch_bytes / sizeof(uint4));
    std::copy(program_.words().begin(), program_.words().end(), upload_.data());
    gpu_.busy().begin(span_, stream_);
    check(cudaMemcpyAsync(program_words_.data(), upload_.data(), words * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, stream_));
    const std::size_t bytes = counter_words() * sizeof(std::uint32_t);
    check(cudaMemsetAsync(counters_.data(), 0, bytes, stream_));
    const ListCounters counters{
        counters_.data(),
        counters_.data() + table_->tiles().classes() * std::size_t{batch_.counters()}};
    if (options_.staged) {
      launch_stages(lists_on_device(), counters);
    } else {
      launch_lists(plan_, rows_, lists_on_device(), counters, scratch_.data(), stream_);
    }
    check(
        cudaMemcpyAsync(counts_.data(), counters_.data(), bytes, cudaMemcpyDeviceToHost, stream_));
    gpu_.busy().end(span_, stream_);
  }

  /// As many tiles at a time as there is memory for the words between stages.
  void launch_stages(const ListsOnDevice& lists, const ListCounters& counters) {
    const std::size_t of_tile = std::size_t{lists.counters + lists.entries} * slot_units;
    std::size_t bytes =
        std::clamp<std::size_t>(free_memory() / 2, least_stage_bytes, most_stage_bytes);
    std::uint32_t tiles = 0;
    do {  // others may have taken of what was free
      tiles = static_cast<std::uint32_t>(
          std::clamp<std::size_t>(bytes / sizeof(uint4) / of_tile, 1, rows_.count));
      bytes /= 2;
    } while (!stage_words_.try_reserve(tiles * of_tile) && tiles > 1);
    if (stage_words_.data() == nullptr) refuse_for_memory(of_tile * sizeof(uint4));
    const ListStageWords words{
        stage_words_.data(),
        stage_words_.data() + std::size_t{tiles} * lists.counters * slot_units};
    for (std::uint32_t first = 0; first < rows_.count; first += tiles) {
      ListRows part = rows_;
      part.planes += std::size_t{first} * rows_.tile_planes * slot_units;
      part.tiles += first;
      part.count = std::min(tiles, rows_.count - first);
      const ListLaunch plan = plan_lists(gpu_.limits(), part.count, lists.group_count, lists.slots);
      times_.begin(&RuleSetStageSeconds::coverage, stream_);
      launch_list_coverage(plan, part, lists, words, scratch_.data(), stream_);
      times_.end(stream_);
      times_.begin(&RuleSetStageSeconds::rule_fitness, stream_);
      launch_rule_fitness(part, lists, words, counters, stream_);
      times_.end(stream_);
      times_.begin(&RuleSetStageSeconds::classification, stream_);
      launch_classification(part, lists, words, stream_);
      times_.end(stream_);
      times_.begin(&RuleSetStageSeconds::set_fitness, stream_);
      launch_set_fitness(part, lists, words, counters, stream_);
      times_.end(stream_);
    }
  }

  CudaDevice& gpu_;
  const std::shared_ptr<const ListTable> table_;
  Stream stream_;
  BusyTime::Span span_;
  PartTimes<RuleSetStageSeconds> times_;
  ListBatch batch_;
  ListProgram program_;
  ScoringOptions options_;
  ListRows rows_;
  ListLaunch plan_;
  bool started_ = false;
  PinnedBuffer<std::uint32_t> upload_;
  DeviceBuffer<std::uint32_t> program_words_;
  DeviceBuffer<std::uint32_t> counters_;  // covered, then decided
  PinnedBuffer<std::uint32_t> counts_;    // likewise
  DeviceBuffer<uint4> scratch_;           // slots that do not fit in shared memory
  DeviceBuffer<uint4> stage_words_;
};

}  // namespace

std::unique_ptr<RuleSetScorer> CudaResident::rule_set_scorer(const ClassifiedRows& rows) {
  check(cudaSetDevice(gpu_.options().device));
  std::shared_ptr<const ListTable> table;
  {
    const std::scoped_lock lock(list_mutex_);
    auto entry = list_tables_.find(rows);
    if (entry == list_tables_.end()) {
      allow_lists(gpu_.limits());
      allow_list_stages(gpu_.limits());
      entry = list_tables_.emplace(rows, ListTable::make(dataset(), rows, room_for_copies())).first;
    }
    table = entry->second;
  }
  if (table == nullptr) return Resident::rule_set_scorer(rows);
  return std::make_unique<CudaRuleSetScorer>(gpu_, std::move(table));
}

}  // namespace atl::cuda
