#include "src/eval/rule_set_scorer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cuda/device/busy_time.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/part_times.hpp"
#include "cuda/device/resident.hpp"
#include "cuda/device/visible_devices.hpp"
#include "cuda/host/list_program.hpp"
#include "cuda/rule_sets/list_kernel.hpp"
#include "cuda/rule_sets/list_layout.hpp"
#include "src/eval/class_tiles.hpp"
#include "src/eval/list_batch.hpp"

namespace atl::cuda {

/// A table on the device for scoring lists. Immutable, shared by the scorers of all threads.
class ListTable {
 public:
  /// Brings the rows to the current device. Blocking.
  /// @param room  bytes that they may take
  /// @return null if there is not so much room, or there are more rows than counters hold
  static std::shared_ptr<const ListTable> make(Resident& resident, const ClassifiedRows& rows,
                                               std::uint64_t room);

  /// The tiles without their words.
  const ClassTiles& tiles() const noexcept { return tiles_; }
  ListRows rows(std::optional<std::uint32_t> window) const noexcept;

 private:
  explicit ListTable(ClassTiles tiles) : tiles_(std::move(tiles)) {}

  ClassTiles tiles_;
  DeviceBuffer<uint4> planes_;
  DeviceBuffer<ListTile> of_class_;
};

static_assert(sizeof(ListTile) == sizeof(ClassTile));

std::shared_ptr<const ListTable> ListTable::make(Resident& resident, const ClassifiedRows& rows,
                                                 std::uint64_t room) {
  constexpr std::uint64_t most_rows = ~std::uint32_t{0};
  const Dataset& dataset = resident.dataset();
  if (dataset.rows() > most_rows) return nullptr;
  const std::shared_ptr<ListTable> table(new ListTable(
      ClassTiles(dataset, rows, list_tile_words, *resident.windows(rows), resident.readers())));
  const auto words = table->tiles_.words();
  const auto tiles = table->tiles_.tiles();
  if (words.size_bytes() + tiles.size_bytes() > room ||
      !table->planes_.try_reserve(words.size_bytes() / sizeof(uint4)) ||
      !table->of_class_.try_reserve(tiles.size())) {
    return nullptr;
  }
  const Stream stream;
  check(cudaMemcpyAsync(table->planes_.data(), words.data(), words.size_bytes(),
                        cudaMemcpyHostToDevice, stream));
  check(cudaMemcpyAsync(table->of_class_.data(), tiles.data(), tiles.size_bytes(),
                        cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));
  table->tiles_.drop_words();
  return table;
}

ListRows ListTable::rows(std::optional<std::uint32_t> window) const noexcept {
  const ClassTiles::Range range = tiles_.range(window);
  return {planes_.data() + range.first * tiles_.planes() * slot_units,
          of_class_.data() + range.first, static_cast<std::uint32_t>(range.end - range.first),
          static_cast<std::uint32_t>(tiles_.planes())};
}

namespace {

/// Some lists of a batch, as many as there is memory for their counters. Reusable: what is
/// allocated stays.
class ListPiece {
 public:
  /// The number of lists, from the first one on, that make a piece; at least one.
  /// @param most_counters  that the piece may have
  static std::size_t lists_for(std::span<const RuleSet> lists, std::uint32_t classes,
                               std::uint64_t most_counters);

  /// @param count  of the tiles that are scored
  void compile(std::span<const RuleSet> lists, const ClassTiles& tiles, std::uint32_t count,
               const DeviceLimits& limits);

  std::size_t lists() const noexcept { return batch_.first_entry().size() - 1; }
  std::uint32_t entries() const noexcept { return batch_.entries(); }
  const ListLaunch& plan() const noexcept { return plan_; }
  /// Words of the counters of all classes: what antecedents cover, then what entries decide.
  std::size_t counter_words() const noexcept {
    return classes_ * std::size_t{batch_.counters() + batch_.entries()};
  }
  /// Whole units.
  std::size_t program_words() const noexcept;
  /// @return behind the program
  std::uint32_t* write_program(std::uint32_t* to) const;
  /// @param program  where it was copied to on the device
  ListsOnDevice on_device(const std::uint32_t* program) const noexcept;

  /// @param class_rows  [classes] among the rows that were counted
  /// @param counts  [counter_words()]
  /// @param out  [lists()]
  void read(const std::vector<std::uint64_t>& class_rows, const std::uint32_t* counts,
            std::span<RuleSetCounts> out) const;
  /// @param first_entry  of the piece @param out  appended to
  void read_decided(const std::vector<std::uint64_t>& class_rows, const std::uint32_t* counts,
                    std::uint32_t first_entry, std::vector<DecidedCount>& out) const;

 private:
  std::size_t classes_ = 0;
  ListBatch batch_;
  ListProgram program_;
  ListLaunch plan_;
};

std::size_t ListPiece::lists_for(std::span<const RuleSet> lists, std::uint32_t classes,
                                 std::uint64_t most_counters) {
  std::uint64_t counters = 0;
  std::size_t count = 0;
  for (; count < lists.size(); ++count) {
    // Each entry counts what it covers, by itself or shared, and what it decides.
    counters += lists[count].rules.size() * std::uint64_t{classes} * 2;
    if (counters > most_counters && count != 0) break;
  }
  return count;
}

void ListPiece::compile(std::span<const RuleSet> lists, const ClassTiles& tiles,
                        std::uint32_t count, const DeviceLimits& limits) {
  // There are as many groups as shared memory asks for, and so many that no processor is idle if
  // there are few rows.
  const std::uint64_t tasks = std::uint64_t{limits.processors} * 2;
  const std::uint64_t groups = std::max<std::uint64_t>(tasks / std::max(count, 1U), 1);
  const std::uint64_t together = (lists.size() + groups - 1) / groups;
  classes_ = tiles.classes();
  batch_.compile(lists, tiles,
                 {list_slots(limits).of_one_block, static_cast<std::uint32_t>(together)});
  program_.build(batch_);
  plan_ = plan_lists(limits, count, static_cast<std::uint32_t>(batch_.groups().size()),
                     program_.slots());
}

std::size_t ListPiece::program_words() const noexcept {
  return (program_.words().size() + unit_words - 1) / unit_words * unit_words;
}

std::uint32_t* ListPiece::write_program(std::uint32_t* to) const {
  std::copy(program_.words().begin(), program_.words().end(), to);
  return to + program_words();
}

ListsOnDevice ListPiece::on_device(const std::uint32_t* program) const noexcept {
  ListsOnDevice lists;
  lists.groups = reinterpret_cast<const ListGroupWords*>(program + program_.groups());
  lists.operands = reinterpret_cast<const uint4*>(program + program_.operands());
  lists.stream = reinterpret_cast<const uint4*>(program + program_.stream());
  lists.list_units = program + program_.list_units();
  lists.first_entry = program + program_.first_entry();
  lists.covered_by = program + program_.covered_by();
  lists.group_count = static_cast<std::uint32_t>(batch_.groups().size());
  lists.lists = static_cast<std::uint32_t>(this->lists());
  lists.entries = batch_.entries();
  lists.counters = batch_.counters();
  lists.slots = program_.slots();
  return lists;
}

void ListPiece::read(const std::vector<std::uint64_t>& class_rows, const std::uint32_t* counts,
                     std::span<RuleSetCounts> out) const {
  read_list_counts(batch_, class_rows, counts, counts + classes_ * batch_.counters(), out);
}

void ListPiece::read_decided(const std::vector<std::uint64_t>& class_rows,
                             const std::uint32_t* counts, std::uint32_t first_entry,
                             std::vector<DecidedCount>& out) const {
  read_decided_counts(batch_, class_rows, counts + classes_ * batch_.counters(), first_entry, out);
}

/// Bytes of a piece's counters.
constexpr std::uint64_t most_counter_bytes = std::uint64_t{1} << 26;
constexpr std::uint64_t least_counter_bytes = std::uint64_t{1} << 20;
/// Bytes of words that stages hand to each other.
constexpr std::uint64_t most_stage_bytes = std::uint64_t{1} << 31;
constexpr std::uint64_t least_stage_bytes = std::uint64_t{1} << 24;

class CudaRuleSetScorer final : public RuleSetScorer {
 public:
  /// @param room  bytes of device memory that a batch may take, about
  CudaRuleSetScorer(CudaDevice& gpu, std::shared_ptr<const ListTable> table, std::uint64_t room)
      : gpu_(gpu),
        table_(std::move(table)),
        counter_bytes_(std::clamp(room / 4, least_counter_bytes, most_counter_bytes)),
        stage_bytes_(std::clamp(room, least_stage_bytes, most_stage_bytes)) {}
  ~CudaRuleSetScorer() override { cudaStreamSynchronize(stream_); }

  std::vector<std::uint64_t> class_rows(std::optional<std::uint32_t> window) const override {
    return table_->tiles().class_rows(window);
  }

  void prepare(std::span<const RuleSet> lists, const ScoringOptions& options) override {
    const ClassTiles& tiles = table_->tiles();
    expect_fit(lists, tiles.attributes(), tiles.class_attribute());
    options_ = options;
    rows_ = table_->rows(options.window);
    const std::uint64_t most = counter_bytes_ / sizeof(std::uint32_t);
    for (used_ = 0; !lists.empty(); ++used_) {
      if (used_ == pieces_.size()) pieces_.push_back(std::make_unique<ListPiece>());
      const std::size_t taken = ListPiece::lists_for(lists, tiles.classes(), most);
      pieces_[used_]->compile(lists.first(taken), tiles, rows_.count, gpu_.limits());
      lists = lists.subspan(taken);
    }
  }

  void start() override {
    check(cudaSetDevice(gpu_.options().device));  // of this thread
    times_.restart(options_.staged);
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
    const std::vector<std::uint64_t> rows = class_rows(options_.window);
    const std::uint32_t* counts = counts_.data();
    for (const auto& piece : pieces()) {
      piece->read(rows, counts, out.first(piece->lists()));
      out = out.subspan(piece->lists());
      counts += piece->counter_words();
    }
  }

  void read_decided(std::vector<DecidedCount>& out) override {
    out.clear();
    const std::vector<std::uint64_t> rows = class_rows(options_.window);
    const std::uint32_t* counts = counts_.data();
    std::uint32_t entry = 0;
    for (const auto& piece : pieces()) {
      piece->read_decided(rows, counts, entry, out);
      entry += piece->entries() + static_cast<std::uint32_t>(piece->lists());
      counts += piece->counter_words();
    }
  }

  std::optional<RuleSetStageSeconds> stage_seconds() const override {
    if (!options_.staged) return std::nullopt;
    return times_.seconds();
  }

 private:
  std::span<const std::unique_ptr<ListPiece>> pieces() const { return {pieces_.data(), used_}; }

  /// Programs up; for each piece what it launches, and its counts down.
  void send() {
    std::size_t words = 0, counter_words = 0, most_counters = 0, scratch = 0;
    for (const auto& piece : pieces()) {
      words += piece->program_words();
      counter_words += piece->counter_words();
      most_counters = std::max(most_counters, piece->counter_words());
      scratch = std::max(scratch, piece->plan().scratch_bytes);
    }
    upload_.reserve(words);
    program_words_.reserve(words);
    counters_.reserve(most_counters);
    counts_.reserve(counter_words);
    scratch_.reserve(scratch / sizeof(uint4));
    std::uint32_t* to = upload_.data();
    for (const auto& piece : pieces()) to = piece->write_program(to);
    gpu_.busy().begin(span_, stream_);
    if (words != 0) {
      check(cudaMemcpyAsync(program_words_.data(), upload_.data(), words * sizeof(std::uint32_t),
                            cudaMemcpyHostToDevice, stream_));
    }
    const std::uint32_t* program = program_words_.data();
    std::uint32_t* counts = counts_.data();
    for (const auto& piece : pieces()) {
      send(*piece, program, counts);
      program += piece->program_words();
      counts += piece->counter_words();
    }
    gpu_.busy().end(span_, stream_);
  }

  void send(const ListPiece& piece, const std::uint32_t* program, std::uint32_t* counts) {
    const std::size_t bytes = piece.counter_words() * sizeof(std::uint32_t);
    if (bytes == 0) return;  // lists without rules
    check(cudaMemsetAsync(counters_.data(), 0, bytes, stream_));
    const ListsOnDevice lists = piece.on_device(program);
    const std::size_t classes = table_->tiles().classes();
    const ListCounters counters{counters_.data(), counters_.data() + classes * lists.counters};
    if (options_.staged) {
      launch_stages(lists, counters);
    } else {
      launch_lists(piece.plan(), rows_, lists, counters, scratch_.data(), stream_);
    }
    check(cudaMemcpyAsync(counts, counters_.data(), bytes, cudaMemcpyDeviceToHost, stream_));
  }

  /// Launches stages for as many tiles at a time as there is memory for the words between them.
  void launch_stages(const ListsOnDevice& lists, const ListCounters& counters) {
    const std::size_t of_tile = std::size_t{lists.counters + lists.entries} * slot_units;
    std::uint64_t bytes = stage_bytes_;
    std::uint32_t tiles = 0;
    do {  // others may have taken of what was free
      tiles = static_cast<std::uint32_t>(
          std::clamp<std::uint64_t>(bytes / sizeof(uint4) / of_tile, 1, std::max(rows_.count, 1U)));
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
      launch_stages(part, lists, words, counters);
    }
  }

  void launch_stages(const ListRows& rows, const ListsOnDevice& lists, const ListStageWords& words,
                     const ListCounters& counters) {
    const ListLaunch plan = plan_lists(gpu_.limits(), rows.count, lists.group_count, lists.slots);
    times_.begin(&RuleSetStageSeconds::coverage, stream_);
    launch_list_coverage(plan, rows, lists, words, scratch_.data(), stream_);
    times_.end(stream_);
    times_.begin(&RuleSetStageSeconds::rule_fitness, stream_);
    launch_rule_fitness(rows, lists, words, counters, stream_);
    times_.end(stream_);
    times_.begin(&RuleSetStageSeconds::classification, stream_);
    launch_classification(rows, lists, words, stream_);
    times_.end(stream_);
    times_.begin(&RuleSetStageSeconds::set_fitness, stream_);
    launch_set_fitness(rows, lists, words, counters, stream_);
    times_.end(stream_);
  }

  CudaDevice& gpu_;
  const std::shared_ptr<const ListTable> table_;
  const std::uint64_t counter_bytes_;
  const std::uint64_t stage_bytes_;
  Stream stream_;
  BusyTime::Span span_;
  PartTimes<RuleSetStageSeconds> times_;
  std::vector<std::unique_ptr<ListPiece>> pieces_;
  std::size_t used_ = 0;  // of the pieces
  ScoringOptions options_;
  ListRows rows_;
  bool started_ = false;
  PinnedBuffer<std::uint32_t> upload_;         // programs of all pieces
  DeviceBuffer<std::uint32_t> program_words_;  // likewise
  DeviceBuffer<std::uint32_t> counters_;       // of one piece at a time: covered, then decided
  PinnedBuffer<std::uint32_t> counts_;         // of all pieces, likewise
  DeviceBuffer<uint4> scratch_;                // slots that do not fit in shared memory
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
      entry = list_tables_.emplace(rows, ListTable::make(*this, rows, room_for_copies())).first;
    }
    table = entry->second;
  }
  if (table == nullptr) return Resident::rule_set_scorer(rows);
  return std::make_unique<CudaRuleSetScorer>(gpu_, std::move(table), room_for_copies() / 4);
}

}  // namespace atl::cuda
